"""What related experiments found, as functions that are known: means of processes that were told their
results.

Fitted once, at the first refit; what is written of it are JSON values, of which the functions are made again
to the bit.

Notation: D coordinates, N results of an experiment, E embedded columns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from orchestrator.algorithms.base import Problem, RelatedResults
from orchestrator.algorithms.mixture.candidate_warps import candidate_warps
from orchestrator.algorithms.mixture.hypotheses import FAMILY_NAMES, Found, Hypothesis
from orchestrator.algorithms.mixture.hypothesis_fitter import AFRESH, FitEffort, HypothesisFitter
from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.surrogates.covariances.posterior_mean import PosteriorMean
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.thinning import best_and_spread
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.surrogates.scales.warp import Warp

# A known function is as dear as a model of so many results. Which warp is best fewer of them tell.
LARGEST, LARGEST_WARPED = 300, 100
OF_WARPS = FitEffort(1, 15)


@dataclass(frozen=True, eq=False)
class RelatedExperiment:
    """Results of an experiment as its model sees them: (N, C) inputs, which are the embedded ``columns`` (C,)
    of coordinates that it had, with their ``aspects`` (C,); and (N,) values.
    """

    inputs: FloatArray
    values: FloatArray
    columns: IndexArray
    aspects: IndexArray

    @classmethod
    def of(cls, problem: Problem, related: RelatedResults) -> RelatedExperiment:
        """Of its results 300 at most: the best of them, and others spread over time."""
        rows = best_and_spread(related.values, LARGEST)
        points, domain = related.points[rows], problem.domain
        missing: BoolArray = np.asarray(np.isnan(points).any(axis=0))
        # Of what never changed it says nothing, whatever it was.
        constant = np.asarray((points == points[:1]).all(axis=0))
        unseen = missing | constant if not (missing | constant).all() else missing
        embedded = domain.embed(domain.rounded(np.where(np.isnan(points), 0.5, points)))
        # A sum says nothing more where one of its shares is not known.
        seen = np.zeros(embedded.shape[1], dtype=bool)
        seen[: len(domain.embedded_parameter)] = ~unseen[domain.embedded_parameter]
        seen[len(domain.embedded_parameter) :] = not unseen.any()
        columns = np.flatnonzero(seen)
        _, aspects = np.unique(domain.embedded_aspect[columns], return_inverse=True)
        return cls(embedded[:, columns], related.values[rows], columns, aspects)

    def fitted(self) -> dict[str, Any]:
        """The likeliest joint hypothesis of it, and the scale that it sees values on, as JSON values.

        Raises FactorisationError if nothing can be factorised.
        """
        warps = [None, *candidate_warps(self.values, len(self.values), noisy=False)]
        rough = Hypothesis("joint", FAMILY_NAMES[-1], False, False)

        def evidence(warp: Warp | None) -> float:
            glance = self._under(warp).thinned(LARGEST_WARPED)
            return glance.fit(rough, None, None, OF_WARPS).log_probability

        warp = max(warps, key=evidence)
        asked = [Hypothesis("joint", family, False, warp is not None) for family in FAMILY_NAMES]
        fitter = self._under(warp)
        found = max(
            (fitter.fit(one, None, None, AFRESH) for one in asked), key=lambda one: one.log_probability
        )
        return {"found": found.to_json(), "scale": Standardisation.under(warp, self.values).to_json()}

    def known_function(self, fitted: Mapping[str, Any]) -> PosteriorMean:
        """What it found, by what `fitted` wrote: O(N^3)."""
        found, scale = Found.from_json(fitted["found"]), Standardisation.from_json(fitted["scale"])
        own = found.hyperparameters
        assert isinstance(own, Hyperparameters)
        kernel = own.kernel(found.hypothesis.family, self.aspects)
        posterior = ExactGP(kernel, own.noise_variance)
        posterior.append(self.inputs, scale.apply(self.values))
        return PosteriorMean(kernel, self.inputs, posterior.alpha, self.columns)

    def _under(self, warp: Warp | None) -> HypothesisFitter:
        scale = Standardisation.under(warp, self.values)
        slopes = scale.log_slopes(self.values)
        data = Data(self.inputs, scale.apply(self.values), self.aspects, None, slopes)
        return HypothesisFitter(data, None, 0.0 if warp is None else -math.log(len(self.values)))


def fitted_related(problem: Problem) -> list[dict[str, Any]]:
    """What is written of each related experiment."""
    return [RelatedExperiment.of(problem, related).fitted() for related in problem.related]


def known_functions(problem: Problem, fitted: Sequence[Mapping[str, Any]]) -> tuple[PosteriorMean, ...]:
    """What related experiments found, by what was written of each."""
    told = zip(problem.related, fitted, strict=True)
    return tuple(RelatedExperiment.of(problem, one).known_function(own) for one, own in told)
