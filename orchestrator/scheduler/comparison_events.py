"""What happened where people compare trials, of which none has a value: events as those of `events`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialCarriedOut:
    """A person has done what a trial says, where none has a value."""

    at: float
    trial: int
    by: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonTold:
    """A person found a trial better than another one, or ``alike``, as far as they can tell. Of what was not
    carried out by then it says that as well.
    """

    at: float
    trial: int
    other: int
    alike: bool = False
    by: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonTakenBack:
    """All that was said of how two trials compare, in either order, does not hold."""

    at: float
    trial: int
    other: int
    by: str = ""
    request: str = ""
