"""The theorems that the theoretical schedules of beta are of: what regret is bounded by, and how often."""

import math

import numpy as np
import pytest

from orchestrator.acquisition.factor_betas import (
    beta_of_the_total,
    finite_domain_betas,
    theoretical_betas,
)
from orchestrator.maximisers.factors.factor_objective import FactoredObjective
from orchestrator.maximisers.factors.gaussian_factor import gaussian_factors
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.hyperparameters.additive import AdditiveHyperparameters
from orchestrator.surrogates.posteriors.additive import AdditiveGP
from orchestrator.unit_cube.domain import Domain

GROUPS, CHAIN = FactorGraph(((0, 1), (2,)), 3), FactorGraph(((0, 1), (1, 2)), 3)
POINTS = np.stack(np.meshgrid(*[np.linspace(0.0, 1.0, 4)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
LOG_POINTS = math.log(len(POINTS))
FAILURE, FUNCTIONS, EVALUATIONS, NOISE = 0.1, 20, 8, 0.01

THEOREMS = {
    "Kandasamy et al., Theorem 5": (GROUPS, False, lambda t: theoretical_betas(t, GROUPS, FAILURE)),
    "Hoang et al., Theorem 1": (CHAIN, False, lambda t: finite_domain_betas(t, CHAIN, LOG_POINTS, FAILURE)),
    "Bardou et al., Theorem 5.2": (CHAIN, True, lambda t: beta_of_the_total(t, LOG_POINTS, FAILURE)),
}


def process(graph: FactorGraph) -> AdditiveGP:
    scales, variances = (0.3, 0.5, 0.2), tuple(1.0 / (1 + j) for j in range(graph.size))
    own = AdditiveHyperparameters(graph.factors, scales, variances, NOISE)
    return AdditiveGP(Domain.continuous(3), graph, MATERN_52, own)


def exceeds_its_bound(graph, coupled, betas, times: float, seed: int) -> bool:
    """Whether the regret of any evaluation of a function drawn from the prior is above twice the bonus."""
    rng, gp = np.random.default_rng(seed), process(graph)
    covariance = gp.total.covariance.matrix(POINTS) + 1e-9 * np.eye(len(POINTS))
    f = np.linalg.cholesky(covariance) @ rng.standard_normal(len(POINTS))
    for t in range(1, EVALUATIONS + 1):
        weights = times * np.sqrt(np.broadcast_to(betas(t), graph.size))
        upper, mean = (
            FactoredObjective(graph, gaussian_factors(gp, (own * weights).tolist(), coupled), coupled)
            for own in (1.0, 0.0)
        )
        bounds = upper.values(POINTS)
        chosen = int(np.argmax(bounds))
        x = POINTS[chosen : chosen + 1]
        if f.max() - f[chosen] > 2.0 * (bounds[chosen] - mean.values(x)[0]):
            return True
        gp.append(x, f[chosen : chosen + 1] + math.sqrt(NOISE) * rng.standard_normal(1))
    return False


@pytest.mark.parametrize("theorem", THEOREMS)
def test_regret_is_bounded_as_often_as_the_theorem_has_it_and_not_with_a_tenth_of_the_weight(theorem):
    exceeded = {
        times: np.mean([exceeds_its_bound(*THEOREMS[theorem], times, seed) for seed in range(FUNCTIONS)])
        for times in (1.0, 0.1)
    }
    assert exceeded[1.0] <= FAILURE
    assert exceeded[0.1] > FAILURE
