"""What is expected of a value that is computed from outcomes, by models of these and draws of them.

How far draws reach is held against results that models have not seen, as bounds are elsewhere (`held_out`);
their hyperparameters have.

Notation: n results, m outcomes, p points, S draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from orchestrator.acquisition.composite_improvement import Composite
from orchestrator.acquisition.known_function import KnownFunction
from orchestrator.acquisition.outcome_draws import OutcomeDraws
from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.composite.diverged import most_best
from orchestrator.algorithms.composite.modelled_outcomes import ModelledOutcomes
from orchestrator.algorithms.composite.outcome_models import GroupFit, conditioned, fitted
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.sensitivity.held_out import FOLDS, HIGH, LOW, MOST, asked_for
from orchestrator.sensitivity.prediction import Expected

LOG2_DRAWS = 10
"""1024 draws, of each outcome."""
NINE_IN_TEN = 1.645
"""Deviations either side of the mean, within which as many values of a normal belief lie."""


@dataclass(frozen=True, eq=False, slots=True)
class ComposedModel:
    """Of a known ``function`` of m outcomes, of which (n, m) were ``told`` at (n, D) ``points``, n >= 1.
    ``sign``: -1 where low values are good.
    """

    problem: Problem
    function: KnownFunction
    points: FloatArray
    told: FloatArray
    sign: float

    def expected(self, points: FloatArray) -> tuple[Expected, Sequence[Expected]]:
        """Of the value, and of each outcome that is a number, at (p, D) points, without noise. Takes as long
        as one fit.
        """
        domain, X = self.problem.domain, self.problem.domain.embed(self.points)
        best = np.argsort(-self.function.values(self.told[None], self.points)[0], kind="stable")
        modelled = ModelledOutcomes.of(self.function, X, self.told, best[: most_best(len(best))])
        numbers, aspects = modelled.numbers(self.told), domain.embedded_aspect
        rng = stream(self.problem.seed, "composed predictions, fit", len(X))
        fits = fitted(X, numbers, modelled.groups, aspects, not self.problem.noise.is_none, rng)
        rng = stream(self.problem.seed, "composed predictions", len(self.told))
        plain = OutcomeDraws.of(conditioned(fits, X, numbers, aspects), LOG2_DRAWS, rng)
        stretch = self._stretch(fits, X, numbers)
        draws = replace(plain, normals=[stretch * normals for normals in plain.normals])
        # Of each point the same is said, whatever is asked beside it.
        rows = [points[row : row + 1] for row in range(len(points))]
        composite = Composite(domain, modelled.function, draws)
        values = np.concatenate([self.sign * composite.drawn(row) for row in rows], axis=1)
        drawn = np.concatenate([draws.at(domain.embed(row)) for row in rows], axis=1)
        return _of(values), [_of(drawn[:, :, j]) for j in range(modelled.scalar_count)]

    def _stretch(self, fits: Sequence[GroupFit], X: FloatArray, numbers: FloatArray) -> float:
        """How many times as far draws have to reach by results left out, a fifth at a time, of (n, m) numbers
        at (n, E) inputs; 1 at least.
        """
        count = len(X)
        if count < FOLDS:
            return 1.0
        order = stream(self.problem.seed, "composed predictions held out", count).permutation(count)
        missed, widths = list[FloatArray](), list[FloatArray]()
        for fold in range(FOLDS):
            rows = np.sort(order[fold::FOLDS])
            others = np.setdiff1d(order, rows)
            for group in conditioned(fits, X[others], numbers[others], self.problem.domain.embedded_aspect):
                mean, deviation = group.model.beliefs(X[rows])
                spread = np.sqrt(np.square(group.model.root).sum(axis=1)) * deviation[:, None]
                total = np.sqrt(spread**2 + group.model.noise_variance)
                apart = (numbers[rows][:, group.columns] - group.shift) / group.scale - mean
                known = ~np.isnan(apart)
                missed.append((np.abs(apart) / (NINE_IN_TEN * total))[known])
                widths.append(np.broadcast_to(total, apart.shape)[known])
        return float(np.clip(asked_for(np.concatenate(missed), np.concatenate(widths)), 1.0, MOST))


def _of(drawn: FloatArray) -> Expected:
    """By (S, p) draws, of which those that are no number say nothing; NaN where none is one."""
    finite = np.where(np.isfinite(drawn), drawn, np.nan)
    found = [column[~np.isnan(column)] for column in finite.T]
    none = np.array([np.nan])
    columns = [column if len(column) else none for column in found]
    return Expected(
        np.array([column.mean() for column in columns]),
        np.array([column.std() for column in columns]),
        np.array([np.quantile(column, LOW) for column in columns]),
        np.array([np.quantile(column, HIGH) for column in columns]),
    )
