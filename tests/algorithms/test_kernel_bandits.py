"""BanditBO and EXP3BO over kernels: which arm is played, and what its reward does."""

from dataclasses import replace

import numpy as np
import pytest
from sequential_runs import build, fitted, hill, optimise, step

from orchestrator.algorithms.base import AskKey, Observation
from orchestrator.surrogates.posteriors.exact import ExactGP

ARMS = ["rbf", "matern-3/2"]
X = np.random.default_rng(0).random((20, 2))


@pytest.mark.parametrize("name", ["bandit-bo", "exp3-bo"])
def test_it_climbs_a_hill_and_says_whose_draw_it_was(name):
    suggestions, best = optimise(build(name, seed=1, kernels=ARMS, start_points=6, refit_every=6), hill, 30)
    assert best > -5e-3
    assert {s.why["member"] for s in suggestions[6:]} <= set(ARMS)


def raised(gp, height):
    """The process if all values told were so much higher."""
    higher = ExactGP(gp.covariance, gp.noise_variance)
    higher.append(gp.inputs, gp.values + height)
    return higher


def test_bandit_bo_plays_the_arm_that_promises_most():
    algorithm = fitted(build("bandit-bo", kernels=ARMS), X, [hill(x) for x in X])
    # One arm is made to believe in far higher values than the other.
    fitted_before = algorithm._belief.fitted
    sure, hopeful = fitted_before.posteriors
    hopeful = raised(hopeful, 50.0)
    algorithm._belief._fitted = replace(fitted_before, posteriors=(sure, hopeful))
    assert {s.why["member"] for s in algorithm.ask(5, [], AskKey(0, 20))} == {"matern-3/2"}
    algorithm._belief._fitted = replace(fitted_before, posteriors=(raised(sure, 100.0), hopeful))
    assert {s.why["member"] for s in algorithm.ask(5, [], AskKey(0, 20))} == {"rbf"}


def test_exp3_rewards_the_arm_that_was_played_by_how_good_the_value_was():
    for value, grows in ((1.0, True), (-100.0, False)):
        algorithm = fitted(build("exp3-bo", kernels=ARMS), X, [hill(x) for x in X])
        (suggestion,) = algorithm.ask(1, [], AskKey(0, 20))
        played = suggestion.why["member"]
        algorithm.tell([Observation(20, suggestion.point, value)])
        assert (algorithm.insight().weights[played] > 0.5 + 1e-6) == grows


def test_exp3_learns_nothing_from_results_that_no_arm_chose():
    algorithm = fitted(build("exp3-bo", kernels=ARMS), X, [hill(x) for x in X])
    algorithm.tell([Observation(-1, np.array([0.4, 0.4]), 1.0)])
    assert algorithm.insight().weights == {"rbf": 0.5, "matern-3/2": 0.5}


def test_exp3_learns_nothing_from_a_persons_point():
    algorithm = fitted(build("exp3-bo", kernels=ARMS), X, [hill(x) for x in X])
    algorithm.tell([Observation(20, np.array([0.4, 0.4]), 1.0, attached=True)])
    assert algorithm.insight().weights == {"rbf": 0.5, "matern-3/2": 0.5}


def test_exp3_learns_nothing_from_results_of_the_start_design_that_come_late():
    algorithm = build("exp3-bo", kernels=ARMS, parallel=4, start_points=4)
    design = [s.point for s in algorithm.ask(8, [], AskKey(0, 0))]
    algorithm = fitted(algorithm, design[:4], [hill(x) for x in design[:4]])
    algorithm.tell([Observation(trial, design[trial], 10.0 + trial) for trial in range(4, 8)])
    assert algorithm.insight().weights == {"rbf": 0.5, "matern-3/2": 0.5}


def test_exp3_never_gives_an_arm_up():
    algorithm = build("exp3-bo", kernels=ARMS, gamma=0.2, start_points=5, refit_every=50)
    for trial in range(40):
        step(algorithm, trial, hill)
    weights = algorithm.insight().weights
    assert min(weights.values()) >= 0.1 - 1e-12
    assert sum(weights.values()) == pytest.approx(1.0)
