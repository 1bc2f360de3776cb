"""A model of results, whichever algorithm chose where they were measured: the mixture of `auto`, fitted once.

Notation: D parameters, n results, m points, M members.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.mixture.kept import results
from orchestrator.algorithms.mixture.learned import Learned
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.algorithms.mixture.sums_seen import seeing_sums
from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.sensitivity.belief_of_results import BeliefOfResults, BelievedFunction
from orchestrator.sensitivity.believed_together import BelievedTogether
from orchestrator.sensitivity.believed_values import BelievedValues, by_luck
from orchestrator.sensitivity.beside_derivatives import beside_derivatives
from orchestrator.sensitivity.fitted_mixture import FEW, FittedMixture
from orchestrator.sensitivity.measured import Measured
from orchestrator.unit_cube.by_logarithm import Scales
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.settings_off import SettingsOff

AT_ONCE = 4096
"""Points predicted in one go."""


@dataclass(frozen=True, eq=False, slots=True)
class LeftOut:
    """What is predicted of each of n results from all others: (n,) ``values`` as measured, the ``predicted``
    ones, in the same units, and whether each lies within two deviations, ``expected``.
    """

    values: FloatArray
    predicted: FloatArray
    expected: BoolArray

    @property
    def explained(self) -> float:
        """The share of the values' variance that predictions explain, at most 1, below 0 where their average
        would have been nearer; NaN where they do not vary.
        """
        about = self.values - self.values.mean()
        size = float(np.abs(about).max())
        if size == 0.0:
            return float("nan")
        missed = (self.values - self.predicted) / size
        return 1.0 - float(missed @ missed) / float((about / size) @ (about / size))


@dataclass(frozen=True, eq=False, slots=True)
class ResultsModel:
    """M hypotheses about a function, each with its posterior, weighted by evidence. ``modelled``: of how
    many of the results that were ``measured``. ``stretch``: how many times as far from the median what is
    believed reaches as the hypotheses say; see `checked`. ``standing``: what the fit left for others to go on
    from. ``scales``: on which hypotheses see points of the ``domain``; ``own_scales``: on which each of the M
    does, where some see them otherwise.
    """

    domain: Domain
    belief: BeliefOfResults
    sign: float
    modelled: int
    measured: int
    stretch: float = 1.0
    standing: Standing = field(default_factory=Standing)
    scales: Scales = field(default_factory=Scales)
    own_scales: tuple[Scales, ...] = ()

    @classmethod
    def fitted(cls, problem: Problem, measured: Measured, before: ResultsModel | None = None) -> ResultsModel:
        """To one result at least. ``problem`` says what the noise is like, and which factors are known.
        Of what a model ``before``, of more of these results, found, scales and the likeliest hypotheses are
        taken over, unless these results are `FEW` or fewer; what it found of related experiments always is.
        Where derivatives were measured, hypotheses of these stand beside (`beside_derivatives`).

        O(n^3) for each hypothesis.
        """
        problem = seeing_sums(problem)
        kept = measured.modelled(problem)
        if before is None:
            fitted = FittedMixture.on_likeliest_scales(problem, kept)
        elif len(kept) <= FEW:
            fitted = FittedMixture.on_likeliest_scales(problem, kept, before.standing)
        else:
            fitted = FittedMixture.on(problem, kept, before.scales, before.standing)
        alone, seen = fitted.belief, fitted.seen
        belief: BeliefOfResults = alone
        if problem.derivatives and kept.derivatives is not None:
            belief = beside_derivatives(alone, problem, seen.history, kept.observations)
        told = problem.domain, belief, kept.sign, len(kept), len(measured)
        return cls(*told, standing=fitted.standing, scales=seen.scales)

    @classmethod
    def learned(cls, learned: Learned, sign: float, measured: int) -> ResultsModel:
        """What a search has learned, as one that nothing is fitted for besides."""
        told = learned.problem.domain, learned.belief, sign, learned.history.successes, measured
        return cls(*told, standing=learned.standing)

    @property
    def hypotheses(self) -> dict[str, float]:
        """What each hypothesis is called, with its probability, the most probable first."""
        return self.belief.by_name

    def expected(self, points: FloatArray) -> FloatArray:
        """(m,) values expected at (m, D) points, in their own units, without noise."""
        blocks = [self._expected(points[start : start + AT_ONCE]) for start in range(0, len(points), AT_ONCE)]
        return self.sign * np.concatenate(blocks)

    def seen(self, points: FloatArray) -> list[tuple[BelievedFunction, FloatArray]]:
        """Each hypothesis, with (m, E) what it sees of (m, D) points."""
        members = self.belief.members
        each = self.own_scales or (self.scales,) * len(members)
        inputs = {scales: scales.domain(self.domain).embed(scales.seen(points)) for scales in set(each)}
        return [(member, inputs[scales]) for member, scales in zip(members, each, strict=True)]

    def _expected(self, points: FloatArray) -> FloatArray:
        means = np.array([member.expected(X) for member, X in self.seen(points)])
        return np.asarray(self.belief.weights @ means)

    def believed(self, points: FloatArray) -> BelievedValues:
        """What is believed of the values at (m, D) points, without noise: O(n^2 m). Of each it is the same,
        whatever is asked beside it.
        """
        unresolved = np.array([[member.unresolved_variance] for member in self.belief.members])
        return self._believed(points, unresolved)

    def believed_of(self, problem: Problem, others: Measured) -> BelievedValues:
        """What is believed that m results were measured to be that it was not fitted to, noise and all: where
        there are blocks, those of other blocks.
        """
        told = results(problem, others.history(problem), range(len(others)))
        noise = [member.inferred_noise + told.standardised(member.scale)[1] for member in self.belief.members]
        return self._believed(others.points, np.array(noise))

    def _believed(self, points: FloatArray, more: FloatArray) -> BelievedValues:
        """With ``more`` variance, (M, 1) or (M, m), than the function's own."""
        told = np.array(
            [
                [member.posterior.mean_and_variance(row[None, :]) for row in X]
                for member, X in self.seen(points)
            ]
        )
        told = told.reshape(len(self.belief.members), len(points), 2)
        return BelievedValues(
            self.belief.weights,
            tuple(member.scale for member in self.belief.members),
            told[:, :, 0],
            np.sqrt(told[:, :, 1] + more),
            self.sign,
            self.stretch,
        )

    def together(self, points: FloatArray, off: SettingsOff | None = None) -> BelievedTogether:
        """What is believed of the values at (p, D) points together, without noise: O(n^2 p). Of averages over
        settings that are ``off``, in m ways: O(n^2 p m), in which detail that results do not resolve is as
        good as none.
        """
        ways = points[:, None, :] if off is None else off.around(points).points
        means, covariances = [], []
        for member, X in self.seen(ways.reshape(-1, points.shape[1])):
            covariance = member.covariances(X)
            if off is None:
                # What is one point has the same detail, wherever it stands.
                same = (X[:, None, :] == X[None, :, :]).all(axis=2)
                covariance = covariance + member.unresolved_variance * same
            means.append(member.posterior.mean_at(X))
            covariances.append((covariance + covariance.T) / 2.0)
        return BelievedTogether(
            self.belief.weights,
            tuple(member.scale for member in self.belief.members),
            np.array(means),
            np.array(covariances),
            len(points),
            self.sign,
            self.stretch,
        )

    def predicted(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(m,) values expected at (m, D) points, without noise, and (m,) deviations of that: O(n^2 m)."""
        return self.believed(points).moments()

    def drawn(self, points: FloatArray, luck: FloatArray) -> FloatArray:
        """(m,) values drawn of what is believed at (m, D) points, at each by itself, as (m,) ``luck`` in
        (0, 1) says: see `by_luck`. O(n^2 m); the last digits depend on what is asked for together. They are
        stretched about what is expected, which is nearer at hand than the median of so many mixtures.
        """
        by, z = by_luck(self.belief.weights, self.sign, luck)
        values = np.empty(len(points))
        for i in range(len(self.belief.members)):
            rows = np.flatnonzero(by == i)
            for start in range(0, len(rows), AT_ONCE):
                block = rows[start : start + AT_ONCE]
                member, X = self.seen(points[block])[i]
                mean, variance = member.posterior.mean_and_variance(X)
                deviation = np.sqrt(variance + member.unresolved_variance)
                values[block] = member.scale.undo(mean + z[block] * deviation)
        values *= self.sign
        if self.stretch == 1.0:
            return values
        expected = self.expected(points)
        return np.asarray(expected + self.stretch * (values - expected))

    def left_out(self) -> LeftOut:
        """By the likeliest hypothesis, its hyperparameters being those fitted to all results.

        Where derivatives were measured, those of a result are left out with it.
        """
        leader = self.belief.leader
        values, off, variances = leader.left_out()
        return LeftOut(
            self.sign * leader.scale.undo(values),
            self.sign * leader.scale.undo(values - off),
            np.abs(off) <= 2.0 * np.sqrt(variances),
        )
