"""What the results of a run bring."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsTold:
    """What the optimiser is told of a trial.

    ``outcomes`` are what results bring besides the value, and ``derivatives`` whether they bring those of it.
    ``blocks``: what results say which block they are of by, whose offset they share, or ``worker``; None
    where they share none. ``compared``: no trial has a value, but people say which of two is better.
    """

    outcomes: tuple[str, ...] = ()
    derivatives: bool = False
    blocks: str | None = None
    compared: bool = False
