"""What the time did to a run: events as those of `events`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeOfDayMoved:
    """In a run with a clock: the time of day, ``wall`` now, is not as it was to be, as the machine slept for
    ``slept_s``, or somebody set it.
    """

    at: float
    wall: str
    slept_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRanOut:
    """The run has lasted as long as it may, by its budget of time or by its clock."""

    at: float
