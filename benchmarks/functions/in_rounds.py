"""Functions that are evaluated in rounds which share some parameters, for comparisons. All are minimised.

Notation: D parameters, u the unit cube.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from evaluators.synthetic.definition import SyntheticFunction
from evaluators.synthetic.registry import synthetic
from evaluators.synthetic.shifting import shifted_and_permuted
from orchestrator.arrays import FloatArray

AT_A_TIME, ROUNDS = 8, 10


@dataclass(frozen=True)
class InRounds:
    """A ``function`` of which the rounds share the first parameters, ``shared`` of them."""

    function: str
    shared: int
    evaluations: int = AT_A_TIME * ROUNDS

    @property
    def dimension(self) -> int:
        """D."""
        return synthetic(self.function).dimension

    @cache  # noqa: B019  those of `IN_ROUNDS` live as long as the program
    def of_seed(self, seed: int) -> SyntheticFunction:
        """The copy of a seed, shifted and permuted."""
        return shifted_and_permuted(synthetic(self.function), seed)

    def regret(self, seed: int, u: FloatArray) -> float:
        """Of a (D,) point of the unit cube."""
        function = self.of_seed(seed)
        lower, upper = function.bounds.T
        return float(function.regret(function.evaluate((lower + u * (upper - lower))[None, :]))[0])


IN_ROUNDS: Mapping[str, InRounds] = {
    f"{function}-{shared}": InRounds(function, shared)
    for function, shared in (
        ("camel", 1),
        ("hartmann-6", 1),
        ("hartmann-6", 2),
        ("hartmann-6", 4),
        ("ackley-5", 2),
        ("styblinski-tang-5", 2),
        ("rosenbrock-4", 2),
    )
}
