"""How much more a front is expected to dominate, against draws, and against improvement of one objective."""

import numpy as np
import pytest

from orchestrator.acquisition.hypervolume_improvement import LogHypervolumeImprovement, TradedObjective
from orchestrator.acquisition.improvement import LogExpectedImprovement
from orchestrator.numerics.pareto import hypervolume, undominated_boxes
from orchestrator.surrogates.covariances.kernel_families import RBF
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.posteriors.exact import ExactGP

X = np.random.default_rng(3).random((20, 2))


def posterior(values, seed):
    rng = np.random.default_rng(seed)
    gp = ExactGP(Kernel(RBF, np.array([0.4, 0.7])), 1e-4)
    gp.append(rng.random((len(values), 2)), np.array(values))
    return gp


POSTERIORS = [
    posterior([0.3, -0.8, 0.5, 1.1], 1),
    posterior([-1.0, 0.4, 0.9], 2),
    posterior([0.1, 1.4, -0.9], 5),
]
FRONT = np.array([[1.0, -0.5, 0.3], [0.2, 0.6, -0.1], [-0.4, 1.0, 0.8]])
REFERENCE = np.array([-1.0, -1.2, -1.1])


def improvement(objectives, front=FRONT, noise_variance=0.0):
    lower, upper = undominated_boxes(front[:, :objectives], REFERENCE[:objectives])
    sides = zip(POSTERIORS[:objectives], lower.T, upper.T, strict=True)
    nothing = np.zeros(len(lower))
    return LogHypervolumeImprovement(
        [TradedObjective(gp, low, high, nothing, noise_variance) for gp, low, high in sides]
    )


def assert_slopes(function, tolerance=1e-4):
    values, gradients = function.values_and_gradients(X)
    assert values == pytest.approx(function.values(X))
    for j in range(2):
        step = np.zeros(2)
        step[j] = 1e-6
        slope = (function.values(X + step) - function.values(X - step)) / 2e-6
        assert gradients[:, j] == pytest.approx(slope, rel=tolerance, abs=tolerance)


@pytest.mark.parametrize("objectives", [2, 3])
def test_it_is_what_draws_from_the_beliefs_add_to_the_volume(objectives):
    rng = np.random.default_rng(4)
    front, reference = FRONT[:, :objectives], REFERENCE[:objectives]
    before = hypervolume(front, reference)
    expected = np.exp(improvement(objectives).values(X[:3]))
    for x, told in zip(X[:3], expected, strict=True):
        beliefs = [gp.mean_and_variance(x[None, :]) for gp in POSTERIORS[:objectives]]
        drawn = np.column_stack([m[0] + np.sqrt(v[0]) * rng.standard_normal(2000) for m, v in beliefs])
        added = [hypervolume(np.vstack([front, one]), reference) - before for one in drawn]
        assert told == pytest.approx(np.mean(added), abs=4.0 * np.std(added) / np.sqrt(2000))


@pytest.mark.parametrize("noise_variance", [0.0, 0.3])
@pytest.mark.parametrize("objectives", [1, 2, 3])
def test_its_gradients_are_those_of_its_values(objectives, noise_variance):
    assert_slopes(improvement(objectives, noise_variance=noise_variance))


@pytest.mark.parametrize("noise_variance", [0.0, 0.3])
def test_of_one_objective_it_is_expected_improvement(noise_variance):
    alone = LogExpectedImprovement(POSTERIORS[0], 1.0, noise_variance)
    assert improvement(1, noise_variance=noise_variance).values(X) == pytest.approx(alone.values(X))


def test_where_it_is_hopeless_it_still_says_which_way_is_better():
    hopeless = improvement(2, FRONT + np.array([60.0, 60.0, 0.0]))
    lifted = [
        TradedObjective(one.posterior, one.lower + 200.0, one.upper + 200.0, one.log_units)
        for one in hopeless.objectives
    ]
    values, gradients = LogHypervolumeImprovement(lifted).values_and_gradients(X)
    assert np.isfinite(values).all()
    assert (values < -1e3).all()
    assert np.isfinite(gradients).all()
    assert (np.abs(gradients).max(axis=1) > 1.0).all()


def test_units_that_are_worth_more_count_for_as_much_more():
    plain = improvement(2)
    dear = [
        TradedObjective(o.posterior, o.lower, o.upper, o.log_units + np.log(3.0)) for o in plain.objectives
    ]
    assert LogHypervolumeImprovement(dear).values(X) == pytest.approx(plain.values(X) + 2.0 * np.log(3.0))


def test_what_uncertainty_adds_is_a_share_and_of_one_objective_that_of_expected_improvement():
    shares = improvement(3).exploration(X)
    assert ((shares >= 0.0) & (shares <= 1.0)).all()
    alone = LogExpectedImprovement(POSTERIORS[0], 1.0)
    assert improvement(1).exploration(X) == pytest.approx(alone.exploration(X))
