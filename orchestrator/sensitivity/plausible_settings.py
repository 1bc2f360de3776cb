"""How plausible settings are by what was measured: the likelihood of that, over what may be set.

Beforehand all that may be set is as plausible, but where more is known of a parameter, each on its own
scale: of one with a logarithmic scale its logarithm, of listed values and of choices each of them. Where
evaluations fail settings are less plausible by as much as they are likely to: nothing that was measured came
of a simulation that breaks.

Notation: D coordinates, k points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import qmc

from orchestrator.acquisition.averaged_likelihood import AveragedLikelihood
from orchestrator.acquisition.scaled_errors import ScaledErrorsLikelihood
from orchestrator.acquisition.target_likelihood import TargetLikelihood
from orchestrator.algorithms.mixture.success_belief import SuccessBelief
from orchestrator.arrays import FloatArray
from orchestrator.numerics import normal
from orchestrator.sensitivity.chains import Beginning
from orchestrator.unit_cube.about_places import AboutPlaces
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.feasible_region import LEAST_SHARE
from orchestrator.unit_cube.numbers_of_points import numbers_of
from orchestrator.unit_cube.priors import PriorOfPoints

AT_ONCE = 4096
"""Points whose chances of success are computed at a time."""
LEAST_KNOWN = 1e-4
"""A share of the cube that is feasible: of less it is not known how much it is."""


@dataclass(frozen=True, eq=False, slots=True)
class PlausibleSettings:
    """By a ``likelihood``, what is believed of ``success``, if an evaluation has failed, and what is known
    ``beforehand``, if anything is.

    Densities are over the unit cube of numbers, uniform beforehand, that `Domain.spread` turns into points:
    to those of a domain of which a part is feasible belong all numbers of that part.
    """

    likelihood: TargetLikelihood | AveragedLikelihood | ScaledErrorsLikelihood
    success: SuccessBelief | None = None
    beforehand: PriorOfPoints | None = None

    @property
    def domain(self) -> Domain:
        """Of the points."""
        return self.likelihood.domain

    def log(self, uniform: FloatArray) -> FloatArray:
        """(k,) of (k, D) numbers: minus infinity where nothing may be set so."""
        return self._log(self.domain.spread(uniform), sure=False)

    def log_of_means(self, uniform: FloatArray) -> FloatArray:
        """(k,) the same, as if outcomes were what models expect of them."""
        return self._log(self.domain.spread(uniform), sure=True)

    def log_of_points(self, points: FloatArray, *, sure: bool = False) -> FloatArray:
        """(k,) of (k, D) points that may be set."""
        return self._log(points, sure)

    def begun(self, count: int, rng: np.random.Generator) -> FloatArray:
        """(count, D) numbers, evenly over all that may be set."""
        domain = self.domain
        if domain.share >= LEAST_SHARE:
            enough = int(np.ceil(np.log2(1.5 * count / domain.share)))
            uniform = qmc.Sobol(domain.dimension, seed=rng).random_base2(enough)
            if len(found := uniform[domain.feasible(domain.spread(uniform))]) >= count:
                return np.asarray(found[:count])
        return numbers_of(domain.sample(count, rng), domain, rng)

    def beginning(self, count: int, likely: FloatArray, rng: np.random.Generator) -> Beginning:
        """Of a walk: so many numbers evenly, as of `begun`, and others about (K, D) points that are known to
        be ``likely``, K >= 1, which may lie where nothing leads.
        """
        domain = self.domain
        about = AboutPlaces(numbers_of(likely, domain, rng))
        evenly, near = self.begun(count, rng), about.drawn(rng)
        # Of a share that is too small to be known this is enough: it says where a walk begins, and not ends.
        each = math.log(count / max(domain.share, LEAST_KNOWN))
        points = np.vstack([evenly, near[domain.feasible(domain.spread(near))]])
        return Beginning(points, lambda uniform: np.logaddexp(each, about.log(uniform)))

    def _log(self, points: FloatArray, sure: bool) -> FloatArray:
        found = np.full(len(points), -np.inf)
        allowed = self.domain.feasible(points)
        if allowed.any():
            own = points[allowed]
            of_targets = self.likelihood.log_of_means(own) if sure else self.likelihood.log(own)
            found[allowed] = of_targets + self._log_success(own)
            if self.beforehand is not None:
                found[allowed] += self.beforehand.log(self.domain, own)
        return found

    def _log_success(self, points: FloatArray) -> FloatArray:
        if self.success is None:
            return np.zeros(len(points))
        scores, X = self.success.log_success, self.domain.embed(points)
        parts = [scores.scores(X[start : start + AT_ONCE]) for start in range(0, len(X), AT_ONCE)]
        return normal.log_distribution(np.concatenate(parts))
