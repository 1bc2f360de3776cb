"""On which side of a threshold a mixture believes values to lie, all over a domain, and how surely.

The variance of being above, p (1 - p), is what each hypothesis doubts, and what lies between them. By how
much an evaluation lowers the first is known beforehand, on average; which hypothesis is right, only its value
tells.

Notation: P places all over a domain, M members; D coordinates, E embedded columns, k points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.acquisition.doubt_taken import DoubtTaken
from orchestrator.acquisition.integrated_variance import LogTaken
from orchestrator.algorithms.base import Crossing
from orchestrator.algorithms.mixture.belief import Member, MixtureBelief
from orchestrator.algorithms.mixture.survey import ROUNDING
from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics import normal
from orchestrator.numerics.linalg import cholesky
from orchestrator.surrogates.posteriors.covariances_with import covariances_with

DRAWS = 512
"""Of the function, by which the share of the domain is said to lie between bounds."""
LOW, HIGH = 0.05, 0.95
"""Which share of the draws lies below each bound: it is between them nine times out of ten."""
SURE = 1e-4
"""A chance by which less than this hangs on draws is left out of them."""
FEW = 8.0
"""Each hypothesis has the likeliest hyperparameters, and is too sure of itself while results are few: bounds
allow for deviations 1 + FEW / n times as large. So they hold as often as is said (`benchmarks.boundaries`).
"""
PARTS = 8
"""Of the places, in their order: how far averages over each lie apart says how far off that over all is."""


@dataclass(frozen=True, eq=False, slots=True)
class _Seen:
    """By one member, on its own scale: by how many deviations (P,) means are above, and (P,) deviations."""

    above: FloatArray
    deviations: FloatArray


@dataclass(frozen=True, eq=False)
class CrossingSurvey:
    """At (P, E) ``places``, which count for ``shares`` (P,), with the sum 1, about a ``threshold`` in the
    objective's units. The belief is of so many ``results``, 1 at least.
    """

    belief: MixtureBelief
    places: FloatArray
    shares: FloatArray
    threshold: float
    results: int

    @cached_property
    def _seen(self) -> list[_Seen]:
        return [self._seen_by(member) for member in self.belief.members]

    def _seen_by(self, member: Member) -> _Seen:
        mean, variance = member.posterior.mean_and_variance(self.places)
        deviations = np.sqrt(variance + member.unresolved_variance)
        return _Seen((mean - float(member.scale.barely_above(self.threshold))) / deviations, deviations)

    @cached_property
    def chances(self) -> FloatArray:
        """(P,) how likely the value is above the threshold at each place."""
        each = np.array([normal.distribution(seen.above) for seen in self._seen])
        return np.asarray(self.belief.weights @ each)

    @cached_property
    def doubts(self) -> FloatArray:
        """(P,) p (1 - p) of each place."""
        return self.chances * (1.0 - self.chances)

    @property
    def doubt(self) -> float:
        """Their average over the places."""
        return float(self.shares @ self.doubts)

    def most_doubtful(self, count: int) -> IndexArray:
        """(count,) the numbers of the places of which there is most doubt, as far as they count."""
        return np.argsort(-self.shares * self.doubts, kind="stable")[:count]

    @property
    def acquisition(self) -> LogTaken:
        """What an evaluation is expected to take of the doubt that the members have."""
        return LogTaken(
            [
                DoubtTaken(
                    member.posterior,
                    covariances_with(member.drawable, self.places),
                    seen.above,
                    seen.deviations,
                    weight * self.shares,
                    member.noise_variance + member.unresolved_variance + ROUNDING,
                )
                for member, weight, seen in zip(
                    self.belief.members, self.belief.weights, self._seen, strict=True
                )
            ]
        )

    def crossing(self, rng: np.random.Generator) -> Crossing:
        """What is believed of the whole: O(n^2 P + P^3) for each member. The bounds reach as far as those of
        functions drawn whole, and as those of ones drawn as if models were less sure; and as an average over
        so few places leaves open.
        """
        above = float(self.shares @ self.chances)
        bounds = []
        for reach in (1.0, 1.0 + FEW / self.results):
            drawn, _ = self._shares_drawn(DRAWS, rng, reach)
            drawn = drawn + self._left_open * rng.standard_normal(len(drawn))
            # By so few draws the average is off, and that of all is known.
            off = above - float(drawn.mean()) if reach == 1.0 else 0.0
            bounds.append(np.quantile(drawn, (LOW, HIGH)) + off)
        low, high = np.min(bounds), np.max(bounds)
        wrong = float(self.shares @ np.minimum(self.chances, 1.0 - self.chances))
        return Crossing(above, max(0.0, float(low)), min(1.0, float(high)), wrong)

    @property
    def _left_open(self) -> float:
        """The deviation of the share above, by the places alone: that of averages over parts of them, which
        are even, too, if less so; as if these were chosen apart, and so rather too large than too small.
        """
        parts = [
            part for part in np.array_split(np.arange(len(self.shares)), PARTS) if self.shares[part].any()
        ]
        if len(parts) < 2:
            return 0.0
        each = [self.shares[part] @ self.chances[part] / self.shares[part].sum() for part in parts]
        return float(np.std(each, ddof=1)) / math.sqrt(len(parts))

    def misclassified(self, count: int, rng: np.random.Generator) -> FloatArray:
        """(about ``count``,) shares of the domain that are on the other side than they are held to be, each
        in a function drawn from one of the members. As `crossing`.
        """
        return self._shares_drawn(count, rng)[1]

    def _shares_drawn(
        self, count: int, rng: np.random.Generator, reach: float = 1.0
    ) -> tuple[FloatArray, FloatArray]:
        """(k,) shares of the domain that lie above, and (k,) that are misclassified, in functions that differ
        from their means ``reach`` times as much as members say.
        """
        counts = np.rint(self.belief.weights * count).astype(int)
        drawn = [
            self._drawn_from(member, seen, own, rng, reach)
            for member, seen, own in zip(self.belief.members, self._seen, counts, strict=True)
            if own > 0
        ]
        above, wrong = zip(*drawn, strict=True)
        return np.concatenate(above), np.concatenate(wrong)

    def _drawn_from(
        self, member: Member, seen: _Seen, count: int, rng: np.random.Generator, reach: float
    ) -> tuple[FloatArray, FloatArray]:
        own, held_above = normal.distribution(seen.above / reach), self.chances > 0.5
        is_open = np.minimum(own, 1.0 - own) > SURE
        settled = self.shares * ~is_open
        above = float(settled @ own)
        wrong = float(settled @ np.where(held_above, 1.0 - own, own))
        if not is_open.any():
            return np.full(count, above), np.full(count, wrong)
        X = self.places[is_open]
        covariance = covariances_with(member.drawable, X).matrix(X)
        covariance = (covariance + covariance.T) / 2.0
        if member.unresolved_variance > 0.0:
            # Places that are one point have the same detail, as where there are few.
            same = (X[:, None, :] == X[None, :, :]).all(axis=2)
            covariance += member.unresolved_variance * same
        lower = cholesky(covariance, scale=1.0).lower
        expected = (seen.above * seen.deviations)[is_open]
        drawn = expected + reach * (rng.standard_normal((count, len(X))) @ lower.T) > 0.0
        shares = self.shares[is_open]
        return above + drawn @ shares, wrong + (drawn != held_above[is_open]) @ shares
