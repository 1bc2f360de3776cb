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
from orchestrator.algorithms.mixture.hypothesis_fitter import LARGEST_FITTED
from orchestrator.arrays import IndexArray
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.covariances.block_offsets import Blocks
from orchestrator.surrogates.evidence.thinning import best_and_drawn

# So many results the global models hold, anew at each refit: the best quarter and a draw of the rest, or of
# noisy ones a draw of all.
LARGEST, LARGEST_IN_FEATURES = 600, 5000


@dataclass(frozen=True, eq=False)
class Kept:
    """The results that the global models of a refit hold, of the first ``told``: of those with a value."""

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

    @property
    def by_fits(self) -> Results:
        """Those that hypotheses are fitted to. The highest of noisy values were lucky: of these some are,
        without regard to their height.
        """
        return self.without_preference(LARGEST_FITTED) if self.noisy else self.by_exact_models

    def without_preference(self, count: int) -> Results:
        """So many of them at most, whatever their values."""
        rows = self._succeeded
        if len(rows) > count:
            rng = stream(self.problem.seed, "auto results drawn", self.number, count)
            rows = rows[np.sort(rng.choice(len(rows), size=count, replace=False))]
        return results(self.problem, self.history, rows)

    def _drawn(self, count: int) -> Results:
        if self.noisy:
            return self.without_preference(count)
        rows = self._succeeded
        rng = stream(self.problem.seed, "auto results kept", self.number, count)
        return results(
            self.problem, self.history, rows[best_and_drawn(self.history.values[rows], count, rng)]
        )

    @property
    def _succeeded(self) -> IndexArray:
        return np.flatnonzero(~np.isnan(self.history.values[: self.told]))


def results(problem: Problem, history: History, rows: Sequence[int] | IndexArray) -> Results:
    """Those of some results that have a value: of a failure there is nothing to tell a model of values."""
    which = np.asarray(rows, dtype=np.intp)
    which = which[~np.isnan(history.values[which])]
    told = ToldValues.of(problem, history, which)
    blocks = Blocks(history.blocks[which], history.offset_variance) if problem.blocks else None
    X = problem.domain.embed(history.points[which])
    return Results(X, told.values, told.variances, told.foreseen, blocks)
