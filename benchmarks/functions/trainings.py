"""Evaluations that go on from what fewer of their steps left, for comparisons. All are minimised.

They are those of `early_stopping` that say how they stand at each step: with fewer steps, what one comes to
is how it stands then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from benchmarks.functions.early_stopping import EARLY, EarlyFunction

STEPS = "steps"


@dataclass(frozen=True)
class Training:
    """An evaluation of which at ``least`` so many steps are done; as many as ``evaluations`` have are the
    budget.
    """

    whole: EarlyFunction
    least: int
    evaluations: int

    @property
    def description(self) -> dict[str, dict[str, Any]]:
        """Of all parameters, the number of steps the last."""
        bounds = {"type": "int", "bounds": [self.least, self.whole.steps], "scale": "log"}
        return {**self.whole.description, STEPS: bounds}

    @property
    def at_full(self) -> dict[str, dict[str, Any]]:
        """The parameters with the number of steps fixed."""
        return {**self.whole.description, STEPS: {"type": "fixed", "value": self.whole.steps}}

    @property
    def dimension(self) -> int:
        """How many other parameters there are."""
        return self.whole.dimension

    def evaluate(self, parameters: Mapping[str, Any], seed: int) -> float:
        """How it stands after the steps that the parameters say; after all of them, what it is worth."""
        own = {name: parameters[name] for name in self.whole.description}
        steps = parameters[STEPS]
        if steps == self.whole.steps and self.whole.truth is not None:
            return self.whole.truth(own)
        return next(islice(self.whole.begun(own, seed), steps - 1, None))


TRAININGS: Mapping[str, Training] = {
    "descents": Training(EARLY["descents"], 3, 15),
    "late": Training(EARLY["late"], 3, 15),
    "digits": Training(EARLY["digits"], 2, 10),
    "tumours": Training(EARLY["tumours"], 2, 10),
}
