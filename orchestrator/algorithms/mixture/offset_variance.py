"""How much offsets of blocks vary, and what each is believed to be, by a model that is cheap to fit.

Notation: s^2 the offsets' variance.
"""

from __future__ import annotations

import math

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.mixture.belief import Member, Results
from orchestrator.algorithms.mixture.exact_or_noisy import taken_for
from orchestrator.algorithms.mixture.hypotheses import Hypothesis
from orchestrator.algorithms.mixture.hypothesis_fitter import FitEffort
from orchestrator.algorithms.mixture.hypothesis_weighing import fitter_under
from orchestrator.surrogates.covariances.block_offsets import BelievedOffsets
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.fits.additive import AdditiveSearch
from orchestrator.surrogates.mixtures.ensemble import normalised
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.scales.standardise import Standardisation

# Each as likely as another beforehand, as parts of the values' deviation. A few blocks say little of how much
# others will differ: the mean of the logarithms is neither none, nor the most that there may be.
PARTS = (0.02, 0.05, 0.1, 0.2, 0.35, 0.6, 1.0, 1.6)
SEEN_BY = Hypothesis("joint", "matern-5/2", True, False)
ITERATIONS, LARGEST = 25, 160
ONCE = FitEffort(1, ITERATIONS)


def likely_offsets(problem: Problem, held: Results, count: int) -> BelievedOffsets:
    """Of (count,) blocks, by results as they are told, which have blocks."""
    scale = Standardisation.of(held.values)
    told = held.with_offsets(BelievedOffsets(_likely_variance(problem, held, scale)))
    fitter = fitter_under(taken_for(problem, exact=False), told, scale).thinned(LARGEST)
    member = Member.of(fitter.fit(SEEN_BY, None, None, ONCE), scale, problem.domain, told)
    assert told.blocks is not None
    assert isinstance(member.posterior, ExactGP)
    means, _ = member.posterior.offsets(np.arange(count))
    return BelievedOffsets(told.blocks.variance, tuple(map(float, means * scale.scale)))


def _likely_variance(problem: Problem, held: Results, scale: Standardisation) -> float:
    """s^2 in the objective's units: the geometric mean by the evidence."""
    whole = FactorGraph.whole(problem.domain.aspects)

    def evidence(part: float) -> float:
        told = held.with_offsets(BelievedOffsets((part * scale.scale) ** 2))
        fitter = fitter_under(taken_for(problem, exact=False), told, scale).additive(SEEN_BY, LARGEST)
        return fitter.fit(whole, AdditiveSearch(1, ITERATIONS)).log_marginal

    weights = np.exp(normalised(np.array([evidence(part) for part in PARTS])))
    return (math.exp(float(weights @ np.log(PARTS))) * scale.scale) ** 2
