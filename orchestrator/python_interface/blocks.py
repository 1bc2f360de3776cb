"""Blocks of results that differ by an offset, as callers of the Python interface tell of them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Literal, TypeAlias

from orchestrator.errors import UsageError
from orchestrator.values.block_name import BY_DAY, OF_NO_BLOCK, block_name
from orchestrator.values.foreign import in_a_line, single_number
from orchestrator.values.plain import plain

ToldBlocks: TypeAlias = bool | Literal["day"]


def blocks_of(told: object) -> ToldBlocks:
    """Whether results come in blocks, and whether these are days. Raises UsageError for anything else."""
    match plain(told):
        case None | False:
            return False
        case True:
            return True
        case "day":
            return "day"
    raise UsageError(
        f'expected `blocks=True`, or `"day"`, got {in_a_line(told)}; of which block a result is it says'
        " itself, by `block`"
    )


def block_of(told: object, blocks: ToldBlocks, since: float | None) -> str | None:
    """What a result is of; None where there are no ``blocks``. Where these are days, one that does not say it
    is of that on which it began, ``since`` so many seconds; None of what is known from elsewhere. Raises
    UsageError for what cannot be the name of one.
    """
    if not blocks:
        if told is None:
            return None
        raise UsageError(
            f"expected no block, as results come in none, got {in_a_line(told)}; say `blocks=True` of the"
            " Optimiser"
        )
    if told is None:
        return OF_NO_BLOCK if blocks is True or since is None else _day_before(since)
    # Pandas' NaT is a date that equals none.
    if isinstance(told, date) and told == told:
        return (told.date() if isinstance(told, datetime) else told).isoformat()
    name = block_name(single_number(told), BY_DAY if blocks == BY_DAY else None)
    if not name:
        raise UsageError(f"expected a block by its name or number, got {in_a_line(told)}")
    # What is no character, as names of files may have it, is none in a file either.
    return name.encode("utf-8", "replace").decode()


def _day_before(seconds: float) -> str:
    """By the calendar of this machine, of the time so many seconds ago; or today, if that is before any."""
    # Of the time that has passed, and not of what clocks show, which are set twice a year.
    now = datetime.now(UTC)
    try:
        return (now - timedelta(seconds=seconds)).astimezone().date().isoformat()
    except (OverflowError, ValueError):
        return now.astimezone().date().isoformat()
