"""How much offsets of blocks vary, by the evidence of a model that is cheap to fit.

Notation: s^2 the offsets' variance.
"""

from __future__ import annotations

import math

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.mixture.belief import Results
from orchestrator.algorithms.mixture.exact_or_noisy import taken_for
from orchestrator.algorithms.mixture.hypotheses import Hypothesis
from orchestrator.algorithms.mixture.hypothesis_weighing import fitter_under
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.fits.additive import AdditiveSearch
from orchestrator.surrogates.mixtures.ensemble import normalised
from orchestrator.surrogates.scales.standardise import Standardisation

# Each as likely as another beforehand, as parts of the values' deviation. A few blocks say little of how much
# others will differ: the mean of the logarithms is neither none, nor the most that there may be.
PARTS = (0.02, 0.05, 0.1, 0.2, 0.35, 0.6, 1.0, 1.6)
SEEN_BY = Hypothesis("joint", "matern-5/2", True, False)
ITERATIONS, LARGEST = 25, 160


def likely_offset_variance(problem: Problem, held: Results) -> float:
    """s^2 in the objective's units: the geometric mean by the evidence of results, which have blocks."""
    scale = Standardisation.of(held.values)
    whole = FactorGraph.whole(problem.domain.embedding.aspects)

    def evidence(part: float) -> float:
        told = held.with_offset_variance((part * scale.scale) ** 2)
        fitter = fitter_under(taken_for(problem, exact=False), told, scale).additive(SEEN_BY, LARGEST)
        return fitter.fit(whole, AdditiveSearch(1, ITERATIONS)).log_marginal

    weights = np.exp(normalised(np.array([evidence(part) for part in PARTS])))
    return (math.exp(float(weights @ np.log(PARTS))) * scale.scale) ** 2
