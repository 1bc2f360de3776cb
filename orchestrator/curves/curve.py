"""What one evaluation reported of one quantity, step by step, in bounded memory."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

Readings: TypeAlias = tuple[tuple[int, float], ...]
"""(step, value) in the order of the steps, which only go up."""

MOST = 64
"""Readings that are kept of an evaluation: beyond, every second one is let go."""


@dataclass(frozen=True, slots=True)
class Ended:
    """An evaluation that came to its end: what it reported until then, and its value; ``diverged``, if any of
    that was NaN or infinite.
    """

    readings: Readings
    value: float
    diverged: bool = False


class Curve:
    """Readings as they come. However many do, at most `MOST` are kept, the first and the last among them."""

    __slots__ = ("_every", "_kept", "_last", "_passed")

    def __init__(self) -> None:
        self._kept: list[tuple[int, float]] = []
        self._last: tuple[int, float] | None = None
        self._every = 1
        self._passed = 0

    def add(self, step: int, value: float) -> bool:
        """Take a reading. False where it says nothing: no finite number, or a step that is no later."""
        if not math.isfinite(value) or (self._last is not None and step <= self._last[0]):
            return False
        self._last = (step, value)
        if self._passed % self._every == 0:
            self._kept.append(self._last)
            if len(self._kept) == MOST:
                del self._kept[1::2]
                self._every *= 2
        self._passed += 1
        return True

    @property
    def readings(self) -> Readings:
        """What is kept, with the last reading."""
        if self._last is None or self._kept[-1] == self._last:
            return tuple(self._kept)
        return (*self._kept, self._last)


def at(readings: Sequence[tuple[int, float]], step: float) -> float:
    """The value at a step, between two readings on the line through them.

    Before the first, and after the last, that one's. Raises `IndexError` where there are none.
    """
    place = bisect_left(readings, (step, -math.inf))
    if place == 0:
        return readings[0][1]
    if place == len(readings):
        return readings[-1][1]
    (before, low), (after, high) = readings[place - 1], readings[place]
    rise = (high - low) * (step - before) / (after - before)
    if math.isfinite(rise):
        return low + rise
    share = (step - before) / (after - before)
    return low * (1.0 - share) + high * share
