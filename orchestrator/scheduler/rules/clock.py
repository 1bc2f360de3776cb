"""The parameter whose value is the time: what a run's clock shows."""

from __future__ import annotations

from dataclasses import dataclass

DIGITS = 6
"""Of its unit, behind the point: a millionth of an hour is a few milliseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """``parameter`` is the time since the run began in units of ``unit_s`` seconds each, within its
    ``bounds``: the run ends at the upper one, beyond which there is no later time.
    """

    parameter: str
    unit_s: float
    bounds: tuple[float, float]

    def shows(self, seconds: float) -> float:
        """Its value so many seconds after the run began."""
        low, high = self.bounds
        return min(max(round(seconds / self.unit_s, DIGITS), low), high)

    @property
    def ended_words(self) -> str:
        """Why a run is over that has come to its end."""
        return f"the clock, `{self.parameter}`, is at its upper bound"

    @property
    def end_s(self) -> float:
        """How many seconds after the beginning it is at its upper bound."""
        return self.bounds[1] * self.unit_s
