"""Which results the models of `auto` hold, and as what.

Notation: E embedded columns, n results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.algorithms.ask_and_tell.told_values import ToldValues
from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.belief import Results
from orchestrator.arrays import IndexArray
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.thinning import best_and_drawn

# Which results the global models hold: the best quarter and a draw of the rest, anew at each refit.
LARGEST, LARGEST_IN_FEATURES = 600, 5000


@dataclass(frozen=True, eq=False)
class Kept:
    """The results that the global models of a refit hold, of the first ``told``."""

    problem: Problem
    history: History
    number: int
    told: int
    noisy: bool

    @cached_property
    def by_exact_models(self) -> Results:
        """600 of them at most."""
        return self._drawn(LARGEST)

    @cached_property
    def by_features(self) -> Results:
        """5,000 of them at most."""
        return self._drawn(LARGEST_IN_FEATURES)

    def without_preference(self, count: int) -> Results:
        """So many of them at most, whatever their values."""
        rows = np.arange(self.told)
        if self.told > count:
            rng = stream(self.problem.seed, "auto results drawn", self.number, count)
            rows = np.sort(rng.choice(self.told, size=count, replace=False))
            if np.isnan(self.history.values[rows]).all():
                # Where next to all evaluations fail, one that did not, so that there is a scale.
                rows[0] = np.flatnonzero(~np.isnan(self.history.values[: self.told]))[0]
        return results(self.problem, self.history, rows)

    def _drawn(self, count: int) -> Results:
        if self.noisy:
            return self.without_preference(count)
        values = self.history.values[: self.told]
        rng = stream(self.problem.seed, "auto results kept", self.number, count)
        rows = best_and_drawn(np.where(np.isnan(values), -np.inf, values), count, rng)
        return results(self.problem, self.history, rows)


def results(problem: Problem, history: History, rows: Sequence[int] | IndexArray) -> Results:
    """Some of what was told."""
    which = np.asarray(rows, dtype=np.intp)
    told = ToldValues.of(problem, history, which)
    return Results(problem.domain.embed(history.points[which]), told.values, told.variances, told.foreseen)
