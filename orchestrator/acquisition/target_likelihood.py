"""How likely what was measured is at a point, by what models believe that outcomes are there.

What a model does not know of outcomes counts beside the errors of what was measured: where it is unsure, much
is likely. Noise of outcomes is no part of it: it is their mean that is held against what was measured.

Notation: m outcomes that are fitted, in groups of q that share a kernel; p points, D coordinates, E embedded
columns; t (m,) the targets, e (m,) their errors, y ~ N(mean(x), S(x)) the outcomes at x. Of a group S is
v(x) F F' with F (q, r), and diag(e)^-1 F = U diag(s) W': along each column of U what is measured has, in
errors, the variance 1 + v s^2, and at right angles to all of them 1. What of a curve its components leave out
is one square more, z ~ N(mu, d^2) above 0, of which E[exp(-z / 2)] counts.
Source: Kennedy & O'Hagan 2001, without a discrepancy; of curves by their components, Higdon et al. 2008.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from orchestrator.acquisition.known_function import KnownFunction, Targets
from orchestrator.acquisition.outcome_draws import OutcomeGroup
from orchestrator.arrays import FloatArray
from orchestrator.numerics import normal
from orchestrator.unit_cube.domain import Domain

AT_ONCE = 2_000_000
"""Numbers of a matrix between points and results: of more points they are taken in parts."""
FARTHEST = 1e75
"""In errors: the square of how far outcomes are off is a number."""


@dataclass(frozen=True, eq=False, slots=True)
class FittedGroup:
    """A ``group`` of outcomes that are to be (q,) ``values``, each with its ``errors``: ``along`` (q, r) are
    U, ``shares`` (r,) s^2.
    """

    group: OutcomeGroup
    values: FloatArray
    errors: FloatArray
    along: FloatArray
    shares: FloatArray

    @classmethod
    def of(cls, group: OutcomeGroup, values: FloatArray, errors: FloatArray) -> FittedGroup:
        """Of (q,) targets and errors."""
        along, sizes, _ = np.linalg.svd(factor_of(group) / errors[:, None], full_matrices=False)
        return cls(group, values, errors, along, np.square(sizes))

    def log(self, X: FloatArray, stretch: float) -> FloatArray:
        """(p,) at (p, E) inputs."""
        return np.asarray(-0.5 * self.squares_and_sizes(X, stretch).sum(axis=0))

    def squares_and_sizes(self, X: FloatArray, stretch: float) -> FloatArray:
        """(2, p) the two parts of -2 of that: how far outcomes are off, squared, in what errors and models
        let one expect, and the logarithm of how much that is, of all directions together.
        """
        mean, deviation = self.group.model.beliefs(X)
        apart = self.apart(mean)
        turned = apart @ self.along
        variances = 1.0 + np.square(stretch * deviation)[:, None] * self.shares
        # What is left at right angles, as the rest of the square: of no group below 0.
        rest = np.maximum(np.square(apart).sum(axis=1) - np.square(turned).sum(axis=1), 0.0)
        return np.stack([rest + (np.square(turned) / variances).sum(axis=1), np.log(variances).sum(axis=1)])

    def log_of_means(self, X: FloatArray) -> FloatArray:
        """(p,) as if outcomes were their means."""
        return np.asarray(-0.5 * np.square(self.apart(self.group.model.means(X))).sum(axis=1))

    def apart(self, mean: FloatArray) -> FloatArray:
        """(p, q) by how much outcomes are off their targets, in errors, of (p, q) numbers of the model."""
        outcomes = self.group.shift + self.group.scale * mean
        return np.asarray(np.clip((outcomes - self.values) / self.errors, -FARTHEST, FARTHEST))


@dataclass(frozen=True, eq=False, slots=True)
class TargetLikelihood:
    """Of what was ``sought`` by models of ``groups`` at points of a ``domain``; ``squares`` are those of what
    components leave out of curves, each a group of one. Models are unsure ``stretch`` times as much as they
    say.
    """

    domain: Domain
    sought: Targets
    groups: tuple[FittedGroup, ...]
    squares: tuple[OutcomeGroup, ...]
    stretch: float = 1.0

    @classmethod
    def of(
        cls, domain: Domain, function: KnownFunction, groups: Sequence[OutcomeGroup], stretch: float = 1.0
    ) -> TargetLikelihood:
        """Of a misfit of outcomes, or of what they are modelled by: all that ``groups`` hold. Raises
        ValueError for a function that is no misfit.
        """
        sought = function.sought
        if sought is None:
            raise ValueError("expected a misfit to what was measured, got another function of outcomes")
        count = len(sought.values)
        fitted = tuple(
            FittedGroup.of(group, sought.values[group.columns], sought.errors[group.columns])
            for group in groups
            if group.first < count
        )
        return cls(domain, sought, fitted, tuple(one for one in groups if one.first >= count), stretch)

    def log(self, points: FloatArray) -> FloatArray:
        """(p,) log N(t; mean(x), diag(e^2) + S(x)) at (p, D) points, less what it would be of outcomes that
        are known and met exactly: minus half the misfit, where models are sure.
        """
        return self._in_parts(points, sure=False)

    def log_of_each(self, points: FloatArray) -> FloatArray:
        """(g, p) the parts that its groups have in that, at (p, D) points."""
        parts = [self._each_at(self.domain.embed(one), sure=False) for one in self._parts(points)]
        return np.concatenate(parts, axis=1)

    def log_of_means(self, points: FloatArray) -> FloatArray:
        """(p,) the same, as if outcomes were what is expected of them: minus half of the misfit of these."""
        return self._in_parts(points, sure=True)

    def squares_and_sizes(self, points: FloatArray) -> FloatArray:
        """(2, p) the two parts of -2 `log` at (p, D) points, of which errors that are larger by one factor
        divide the first by its square.
        """
        parts = []
        for own in self._parts(points):
            X = self.domain.embed(own)
            each = np.zeros((2, len(own)))
            each[0] += self.sought.beyond
            for one in self.groups:
                each += one.squares_and_sizes(X, self.stretch)
            for square in self.squares:
                each[0] -= 2.0 * log_of_square(square, X, self.stretch)
            parts.append(each)
        return np.concatenate(parts, axis=1)

    def _in_parts(self, points: FloatArray, sure: bool) -> FloatArray:
        parts = (self._each_at(self.domain.embed(one), sure) for one in self._parts(points))
        return np.concatenate([-0.5 * self.sought.beyond + each.sum(axis=0) for each in parts])

    def _parts(self, points: FloatArray) -> list[FloatArray]:
        """One at least."""
        results = max((one.group.model.results for one in self.groups), default=1)
        count = max(1, AT_ONCE // results)
        return [points[start : start + count] for start in range(0, max(len(points), 1), count)]

    def _each_at(self, X: FloatArray, sure: bool) -> FloatArray:
        """(g, p) of groups, and of squares."""
        each = [one.log_of_means(X) if sure else one.log(X, self.stretch) for one in self.groups]
        each += [log_of_square(square, X, 0.0 if sure else self.stretch) for square in self.squares]
        return np.array(each).reshape(len(each), len(X))


def factor_of(group: OutcomeGroup) -> FloatArray:
    """F (q, r): what is believed of a group's outcomes varies by v(x) F F'."""
    return np.asarray(group.scale[:, None] * group.model.root)


def log_of_square(group: OutcomeGroup, X: FloatArray, stretch: float) -> FloatArray:
    """(p,) log E[exp(-z / 2)] of z ~ N(mu, d^2) above 0: log(exp(d^2 / 8 - mu / 2) Phi(b) / Phi(a)), with
    a = mu / d and b = a - d / 2.
    """
    if stretch == 0.0:
        mean = group.shift + group.scale * group.model.means(X)
        return np.asarray(-0.5 * np.maximum(mean[:, 0], 0.0))
    told, deviation = group.model.beliefs(X)
    mean = (group.shift + group.scale * told)[:, 0]
    size = np.maximum(stretch * deviation * float(group.scale[0]), np.finfo(float).tiny)
    # Far below 0 is as good as at 0, and would leave no digits.
    above = np.maximum(mean / size, -6.0)
    below = size / 2.0 - above
    # Written so that what cancels does so before it is computed.
    tail = -0.5 * above**2 + np.log(special.erfcx(np.maximum(below, 0.0) / np.sqrt(2.0)) / 2.0)
    near = size * (size / 8.0 - above / 2.0) + normal.log_distribution(-below)
    logarithm = np.where(below > 0.0, tail, near) - normal.log_distribution(above)
    return np.asarray(np.minimum(logarithm, 0.0))
