"""A limit on what comes of an evaluation, which no evaluation may break as far as can be foreseen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeptLimit:
    """That some slacks, by their numbers, are at least 0 together in every trial, with a ``probability`` of
    as much at least, in (1/2, 1).
    """

    slacks: tuple[int, ...]
    probability: float
