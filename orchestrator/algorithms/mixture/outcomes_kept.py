"""Which results the models hold that `auto` has of what comes of an evaluation beside its value.

Notation: k results, E embedded columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.kept import LARGEST
from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.numerics.rng import stream


@dataclass(frozen=True, eq=False)
class OutcomesKept:
    """Those of a refit, by its ``number``: of the first ``told`` results, 600 at most."""

    problem: Problem
    history: History
    number: int
    told: int

    @cached_property
    def rows(self) -> IndexArray:
        """(k,) their numbers, ascending."""
        if self.told <= LARGEST:
            return np.arange(self.told)
        rng = stream(self.problem.seed, "auto outcomes kept", self.number)
        return np.sort(rng.choice(self.told, size=LARGEST, replace=False))

    @cached_property
    def embedded(self) -> FloatArray:
        """(k, E) where they come from, embedded."""
        return self.problem.domain.embed(self.history.points[self.rows])

    @property
    def succeeded(self) -> BoolArray:
        """(k,) which of them have a value."""
        return ~self.history.failed[self.rows]
