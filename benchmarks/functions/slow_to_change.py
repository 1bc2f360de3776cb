"""Functions of which some parameters take time to change, for comparisons. All are minimised.

Nothing is waited for: times are numbers, in evaluations. Notation: D parameters, u the unit cube.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from evaluators.synthetic.definition import SyntheticFunction
from evaluators.synthetic.registry import synthetic
from evaluators.synthetic.shifting import shifted_and_permuted
from orchestrator.arrays import FloatArray
from orchestrator.values.change import Change, Changes

BUDGET = 300


@dataclass(frozen=True)
class SlowToChange:
    """A ``function`` of which the first parameters take time to ``change``, in evaluations: ``evenly``, by
    the part of the range that they change by, or whatever they change by. The budget is the time that so many
    ``evaluations`` take that change nothing.
    """

    function: str
    change: tuple[float, ...]
    evenly: bool = False
    evaluations: int = BUDGET

    @property
    def dimension(self) -> int:
        """D."""
        return synthetic(self.function).dimension

    @property
    def names(self) -> list[str]:
        """Those of the parameters."""
        return [f"x{j}" for j in range(self.dimension)]

    @property
    def changes(self) -> Changes:
        """What they take, in evaluations, in the unit cube."""
        per = 1.0 if self.evenly else 0.0
        return {name: Change(t, t, per) for name, t in zip(self.names, self.change, strict=False)}

    @cache  # noqa: B019  those of `SLOW` live as long as the program
    def of_seed(self, seed: int) -> SyntheticFunction:
        """The copy of a seed, shifted and permuted."""
        return shifted_and_permuted(synthetic(self.function), seed)

    def regret(self, seed: int, u: FloatArray) -> float:
        """Of a (D,) point of the unit cube."""
        function = self.of_seed(seed)
        lower, upper = function.bounds.T
        return float(function.regret(function.evaluate((lower + u * (upper - lower))[None, :]))[0])


SLOW: Mapping[str, SlowToChange] = {
    "camel-10": SlowToChange("camel", (10.0,)),
    "hartmann-6-10": SlowToChange("hartmann-6", (10.0,)),
    "hartmann-6-20-20-evenly": SlowToChange("hartmann-6", (20.0, 20.0), evenly=True),
    "ackley-5-24-4": SlowToChange("ackley-5", (24.0, 4.0)),
    "styblinski-tang-5-24-4": SlowToChange("styblinski-tang-5", (24.0, 4.0)),
    "rosenbrock-4-20-20-evenly": SlowToChange("rosenbrock-4", (20.0, 20.0), evenly=True),
}
