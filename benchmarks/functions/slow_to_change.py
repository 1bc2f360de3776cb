"""Functions of which some parameters take time to change, for comparisons. All are minimised.

Nothing is waited for: times are numbers, in evaluations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.functions.shifted import Shifted
from orchestrator.values.change import Change, Changes

BUDGET = 300


@dataclass(frozen=True)
class SlowToChange(Shifted):
    """A ``function`` of which the first parameters take time to ``change``, in evaluations: ``evenly``, by
    the part of the range that they change by, or whatever they change by. The budget is the time that so many
    ``evaluations`` take that change nothing.
    """

    change: tuple[float, ...]
    evenly: bool = False
    evaluations: int = BUDGET

    @property
    def names(self) -> list[str]:
        """Those of the parameters."""
        return [f"x{j}" for j in range(self.dimension)]

    @property
    def changes(self) -> Changes:
        """What they take, in evaluations, in the unit cube."""
        per = 1.0 if self.evenly else 0.0
        return {name: Change(t, t, per) for name, t in zip(self.names, self.change, strict=False)}


SLOW: Mapping[str, SlowToChange] = {
    "camel-10": SlowToChange("camel", (10.0,)),
    "hartmann-6-10": SlowToChange("hartmann-6", (10.0,)),
    "hartmann-6-20-20-evenly": SlowToChange("hartmann-6", (20.0, 20.0), evenly=True),
    "ackley-5-24-4": SlowToChange("ackley-5", (24.0, 4.0)),
    "styblinski-tang-5-24-4": SlowToChange("styblinski-tang-5", (24.0, 4.0)),
    "rosenbrock-4-20-20-evenly": SlowToChange("rosenbrock-4", (20.0, 20.0), evenly=True),
}
