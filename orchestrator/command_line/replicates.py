"""Replicates of a trial, as several wells of a plate: the rows of one number make one result, of their means.

Its variance is that of the mean: what wells of one trial vary by, pooled over all trials of the file, divided
by how many there are of this one. The variance of two or three wells alone would be small by luck too often.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import fsum, inf
from typing import TypeVar

from orchestrator.runtime.requests.kinds import Decision, Record, Refuse

Row = TypeVar("Row")


def merged(told: Sequence[tuple[Row, Decision]]) -> list[tuple[Row, Decision]]:
    """One decision a trial, with its first row: of those with values their mean, whatever else was lost; else
    the first. A failure beside values is left beside them.
    """
    records: dict[int, list[Record]] = {}
    for _, decision in told:
        if isinstance(decision, Record):
            records.setdefault(decision.trial, []).append(decision)
    measured = [values for wells in records.values() if (values := _values(wells))]
    variance = pooled_variance(measured)
    kept: dict[tuple[int, type[Decision]], tuple[Row, Decision]] = {}
    for row, decision in told:
        wells = records.get(decision.trial, [])
        is_lost = bool(wells) and isinstance(decision, Refuse)
        if not is_lost:
            one = _mean(wells, variance) if isinstance(decision, Record) else decision
            kept.setdefault((decision.trial, type(decision)), (row, one))
    return list(kept.values())


def in_several_blocks(told: Sequence[tuple[Row, Decision]], blocks: str) -> Iterator[tuple[Row, str]]:
    """Each row that is of another block than a row of the same trial before it, with a sentence. ``blocks``
    is what results say theirs by.
    """
    first: dict[int, str] = {}
    for row, decision in told:
        block = decision.extras.get(blocks) if isinstance(decision, Record) else None
        if block is not None and (before := first.setdefault(decision.trial, block)) != block:
            one = f"expected the replicates of trial {decision.trial} to be of one block, `{blocks}` {before}"
            how = "tell what came of its settings there by `orchestrator amend --result`"
            yield row, f"{one}, got {block}; {how}"


def pooled_variance(replicates: Iterable[Sequence[float]]) -> float | None:
    """Of a single value, by how much those of one trial differ; None where no trial has two, and infinite
    where that is beyond a float.
    """
    squares, freedom = 0.0, 0
    for values in replicates:
        mean = _mean_of(values)
        try:
            squares += fsum((value - mean) ** 2 for value in values)
        except OverflowError:
            squares = inf
        freedom += len(values) - 1
    return squares / freedom if freedom else None


def _values(wells: Sequence[Record]) -> list[float]:
    """Of one trial; none where they are computed from what comes."""
    return [one.value for one in wells if one.value is not None]


def _mean(wells: Sequence[Record], variance: float | None) -> Record:
    count, values = len(wells), _values(wells)
    names = dict.fromkeys(name for one in wells for name in one.extras)
    told = {name: [one.extras[name] for one in wells if name in one.extras] for name in names}
    return Record(
        wells[0].trial,
        _mean_of(values) if values else None,
        None if variance is None else variance / count,
        # What is no number is their block.
        extras={name: x[0] if isinstance(x[0], str) else _mean_of(x) for name, x in told.items()},
    )


def _mean_of(numbers: Sequence[float]) -> float:
    count = len(numbers)
    try:
        return fsum(numbers) / count
    except OverflowError:
        return fsum(number / count for number in numbers)
