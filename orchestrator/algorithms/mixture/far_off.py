"""Values that are far from all that the others say: likelier anything than what a function has there.

Each value is of a function seen through normal noise or, now and then, anything in the range of those told.
Which are of the second kind is found by taking away one after another, each time the one that is farthest
off, and going by the evidence of all: two that are far off alike hide each other.

Source: the model after Box & Tiao 1968, and its evidence along a greedy path after Ament et al. 2024, who
give each value a noise of its own in the place of taking it away.

Notation: n values, E embedded columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.mixture.belief import Results
from orchestrator.algorithms.mixture.hypotheses import Hypothesis
from orchestrator.algorithms.mixture.hypothesis_weighing import fitter_under
from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.fits.additive import AdditiveSearch
from orchestrator.surrogates.hyperparameters.additive import AdditiveHyperparameters
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.scales.standardise import Standardisation

# How many values are anything, beforehand and at the most; in how wide a range, in those of the values told.
SHARE, MOST, WIDTH = 0.02, 0.2, 2.0
# In nats, for there to be any.
LEAST_LOG_ODDS = 3.0
# How far the path goes on beyond its best place so far.
PATIENCE = 3
# Unless one value is so many deviations off, none is.
SUSPECT = 3.0
# What values are seen by, and the iterations of its fits.
SEEN_BY, ITERATIONS = Hypothesis("joint", "matern-5/2", True, False), 12


@dataclass(frozen=True, eq=False, slots=True)
class _Seen:
    """Without some values: the log density of the others, what it was found by, and by how many deviations
    each of the others is off.
    """

    log_density: float
    found: AdditiveHyperparameters
    deviations: FloatArray


def far_off(problem: Problem, X: FloatArray, values: FloatArray, rival: float = -math.inf) -> IndexArray:
    """(k,) numbers of those of (n,) values at (n, E) embedded inputs; none of values that are all equal.
    ``rival`` is the log density of all of them under another model, which there has to be more evidence than.

    Raises FactorisationError if nothing can be factorised.
    """
    n, none = len(values), np.empty(0, dtype=np.intp)
    width = WIDTH * (float(values.max()) - float(values.min()))
    if not 0.0 < width < math.inf:
        return none
    as_any, as_one_of_the_function = math.log(SHARE) - math.log(width), math.log1p(-SHARE)
    taken, path, totals = np.zeros(n, dtype=bool), list[int](), list[float]()
    seen = _without(problem, X, values, taken, None)
    if seen.deviations.max() < SUSPECT:
        return none
    while True:
        totals.append(seen.log_density + len(path) * as_any + (n - len(path)) * as_one_of_the_function)
        best = int(np.argmax(totals))
        if len(path) - best >= PATIENCE or len(path) >= max(PATIENCE, MOST * n):
            break
        path.append(int(np.flatnonzero(~taken)[np.argmax(seen.deviations)]))
        taken[path[-1]] = True
        seen = _without(problem, X, values, taken, seen.found)
    found = totals[best] > max(totals[0], rival) + LEAST_LOG_ODDS
    return np.array(sorted(path[:best]), dtype=np.intp) if found else none


def _without(
    problem: Problem,
    X: FloatArray,
    values: FloatArray,
    taken: BoolArray,
    warm: AdditiveHyperparameters | None,
) -> _Seen:
    """Without those that are ``taken`` away (n,)."""
    kept = values[~taken]
    held, scale = Results(X[~taken], kept, np.zeros(len(kept))), Standardisation.of(kept)
    fitter = fitter_under(problem, held, scale).additive(SEEN_BY, len(kept))
    embedding = problem.domain.embedding
    whole = FactorGraph.whole(embedding.aspects)
    mode = fitter.fit(whole, AdditiveSearch(2 if warm is None else 1, ITERATIONS, warm))
    own = mode.hyperparameters
    joint = Hyperparameters(own.length_scales, own.variances[0], own.noise_variance)
    posterior = ExactGP(joint.kernel(SEEN_BY.family, embedding.aspect), own.noise_variance)
    posterior.append(held.X, *held.standardised(scale))
    off, variances = posterior.left_out()
    density = mode.log_marginal + fitter.pairs.log_jacobian
    return _Seen(density, own, np.abs(off) / np.sqrt(variances))
