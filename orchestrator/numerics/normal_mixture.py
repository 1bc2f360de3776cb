"""A density by draws from it: a mixture of normal distributions, as many as Bayes' information criterion asks
for.

Notation: n draws or points, C columns, k components.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics.linalg import cholesky, solve_lower
from orchestrator.numerics.log_sum import log_sum
from orchestrator.numerics.rng import stream

MOST_COMPONENTS = 12
PATIENCE = 2
"""Numbers of components in a row that are worse before no more are tried."""
BEGINNINGS = 3
LEAST_VARIANCE = 1e-4
"""Of a component, beside that of all draws."""
THICKNESS = 1e-3
"""Deviations by which draws are spread that lie in a plane, as where one column follows from others."""
NARROWEST = 1e-12
"""Deviation of a column, at least: of draws that lie too near one another to be told apart there is none."""
OFF = 0.1
"""Deviations by which draws that are there already are moved: a component would have them to itself."""


@dataclass(frozen=True, eq=False, slots=True)
class NormalMixture:
    """(k,) ``log_weights``, (k, C) ``means`` and (k, C, C) upper ``factors`` P of the precisions, P P', of
    what is left once a (C,) ``middle`` is taken off and it is divided by a (C, C) lower ``spread``.
    """

    middle: FloatArray
    spread: FloatArray
    log_weights: FloatArray
    means: FloatArray
    factors: FloatArray

    @classmethod
    def of(cls, draws: FloatArray) -> NormalMixture:
        """Of (n, C) draws, n > C. Takes a second of some thousands. One that is there twice says no more than
        once how many components there are.

        Source: scikit-learn's expectation maximisation, each component with a covariance of its own.
        """
        # They take a second to import.
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.mixture import GaussianMixture

        middle, deviations = draws.mean(axis=0), np.maximum(draws.std(axis=0), NARROWEST)
        rng = stream(0, "draws of a mixture", len(draws))
        standard = (draws - middle) / deviations + THICKNESS * rng.standard_normal(draws.shape)
        lower = cholesky(standard.T @ standard / len(draws)).lower
        first = np.unique(draws, axis=0, return_index=True)[1]
        whitened, distinct = _moved_apart(solve_lower(lower, standard.T).T, first, rng), len(first)
        spread = deviations[:, None] * lower
        found, least, worse = None, math.inf, 0
        for count in range(1, MOST_COMPONENTS + 1):
            if count > 1 and count * draws.shape[1] * 2 > distinct:
                break
            # What scikit-learn's own k-means returns hangs on how many threads it has.
            options = {"n_init": BEGINNINGS if count > 1 else 1, "init_params": "k-means++", "max_iter": 300}
            with warnings.catch_warnings():
                # One that has not come to rest is judged as it is, beside the others.
                warnings.simplefilter("ignore", ConvergenceWarning)
                fitted = GaussianMixture(
                    count, random_state=0, reg_covar=LEAST_VARIANCE, tol=1e-4, **options
                ).fit(whitened)
            free = count * (1 + draws.shape[1] * (draws.shape[1] + 3) // 2) - 1
            asked = free * math.log(distinct) - 2.0 * distinct * fitted.score(whitened)
            worse = 0 if asked < least else worse + 1
            if asked < least:
                found, least = fitted, asked
            if worse == PATIENCE:
                break
        assert found is not None, "one component can be had of any draws"
        logs = np.log(found.weights_)
        return cls(middle, spread, logs, found.means_, found.precisions_cholesky_)

    def log(self, points: FloatArray) -> FloatArray:
        """(n,) the logarithm of the density at (n, C) points."""
        whitened = solve_lower(self.spread, (points - self.middle).T).T
        away = np.einsum("knc,kcd->knd", whitened - self.means[:, None, :], self.factors)
        of_factors = np.log(np.diagonal(self.factors, axis1=1, axis2=2)).sum(axis=1)
        logs = self.log_weights + of_factors - 0.5 * np.square(away).sum(axis=2).T
        scale = np.log(np.diagonal(self.spread)).sum() + 0.5 * points.shape[1] * math.log(2.0 * math.pi)
        return np.asarray(log_sum(logs.T) - scale)


def _moved_apart(whitened: FloatArray, first: IndexArray, rng: np.random.Generator) -> FloatArray:
    """(n, C) draws, moved where they are not the ``first`` ones there, as those of a chain that stays."""
    again = np.setdiff1d(np.arange(len(whitened)), first)
    moved = whitened.copy()
    moved[again] += OFF * rng.standard_normal(moved[again].shape)
    return moved
