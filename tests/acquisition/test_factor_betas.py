"""The schedules of exploration weights, one a factor."""

import numpy as np
import pytest

from orchestrator.acquisition.factor_betas import (
    beta_of_the_total,
    finite_domain_betas,
    theoretical_betas,
)
from orchestrator.algorithms.additive.options import AdditiveOptions
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph

CHAIN = FactorGraph(((0, 1), (1, 2), (2, 3), (4,)), 5)


def practical_betas(t: int, graph: FactorGraph) -> np.ndarray:
    return AdditiveOptions(beta="practical").betas(t, lambda of: theoretical_betas(t, of))(graph)


def test_schedules_grow_with_time_and_size() -> None:
    np.testing.assert_allclose(practical_betas(10, CHAIN), 0.2 * np.array([2, 2, 2, 1]) * np.log(20))
    theory = theoretical_betas(10, CHAIN, failure=0.1)
    expected = 2 * np.log(4 * np.pi**2 * 100 / 0.2) + 4 * np.log(5 * 1000)
    np.testing.assert_allclose(theory[0], expected)
    assert theory[3] < theory[0]
    on_grid = finite_domain_betas(10, CHAIN, log_points=5 * np.log(10), failure=0.1)
    np.testing.assert_allclose(on_grid, 2 * np.log(1e5 * 4 * np.pi**2 * 100 / 0.6))
    for schedule in (practical_betas, theoretical_betas):
        assert (schedule(100, CHAIN) > schedule(10, CHAIN)).all()
        assert np.isfinite(schedule(0, CHAIN)).all()


def test_a_failure_that_is_no_probability_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        theoretical_betas(3, CHAIN, failure=1.5)


def test_a_bound_on_the_total_does_not_pay_for_the_number_of_factors():
    log_points = 5 * np.log(10)
    total = beta_of_the_total(10, log_points, failure=0.1)
    assert total == pytest.approx(2 * np.log(1e5 * np.pi**2 * 100 / 0.6))
    each = finite_domain_betas(10, CHAIN, log_points, failure=0.1)
    assert each == pytest.approx(np.full(CHAIN.size, total + 2 * np.log(CHAIN.size)))
