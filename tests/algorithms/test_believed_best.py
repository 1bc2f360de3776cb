"""Which point is believed best where the highest value is the luckiest."""

import numpy as np
import pytest
from sequential_runs import EXACT, build, fitted, hill

from orchestrator import Optimiser
from orchestrator.algorithms.base import AskKey, Noise, Observation

DEVIATION = 0.1
POINTS = np.random.default_rng(4).random((40, 2))
LUCKY = 7
MODELS = [
    *("auto", "gp-ei", "gp-ucb", "gp-ts", "egp-ts", "add-gp-ucb", "dumbo", "turbo", "bandit-bo", "exp3-bo"),
    *("bamsoo", "imgpo", "boo"),
]


def luckily() -> np.ndarray:
    """Values with noise, of which the highest is far from the top and owed to luck."""
    values = np.array([hill(x) for x in POINTS])
    values += DEVIATION * np.random.default_rng(5).standard_normal(len(values))
    worst = int(np.argmin(values))
    POINTS[[worst, LUCKY]], values[[worst, LUCKY]] = POINTS[[LUCKY, worst]], values[[LUCKY, worst]]
    values[LUCKY] = values.max() + 0.5 * DEVIATION
    return values


VALUES = luckily()


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("noise", [Noise("known", DEVIATION), Noise()], ids=["known", "inferred"])
def test_it_is_the_luckiest_no_more_and_what_is_believed_of_it_is_near_the_truth(name, noise):
    best = fitted(build(name, noise=noise), POINTS, VALUES).insight().believed_best
    assert int(np.argmax(VALUES)) == LUCKY != best.trial
    assert hill(POINTS[best.trial]) > hill(POINTS[LUCKY]) + 2 * DEVIATION
    assert best.predicted.mean == pytest.approx(hill(POINTS[best.trial]), abs=2 * DEVIATION)
    assert 0 < best.predicted.deviation < DEVIATION


@pytest.mark.parametrize("name", MODELS)
def test_where_nothing_is_noisy_the_highest_value_is_the_best_and_nothing_is_said(name):
    exact = [hill(x) for x in POINTS]
    assert fitted(build(name, noise=EXACT), POINTS, exact).insight().believed_best is None
    assert build(name, noise=Noise("known", DEVIATION)).insight().believed_best is None


@pytest.mark.parametrize(
    ("name", "said"), [("turbo", "trust region of side"), ("exp3-bo", "refit 1"), ("bamsoo", "a tree of")]
)
def test_it_is_known_beside_whatever_else_an_algorithm_has_to_say(name, said):
    insight = fitted(build(name, noise=Noise("known", DEVIATION)), POINTS, VALUES).insight()
    assert insight.believed_best is not None
    assert any(said in note for note in insight.notes)
    assert insight.hyperparameters
    assert bool(insight.weights) == (name == "exp3-bo")


def test_after_a_restart_that_left_results_behind_nothing_is_compared():
    algorithm = fitted(build("turbo", noise=Noise("known", DEVIATION)), POINTS, VALUES)
    algorithm._belief.begin_anew()
    algorithm.tell([Observation(100 + i, x, hill(x)) for i, x in enumerate(POINTS[:12] + 1e-3)])
    algorithm.adopt(algorithm.compute_refit(2))
    assert algorithm.insight().hyperparameters
    assert algorithm.insight().believed_best is None


def test_it_follows_what_is_told_between_refits():
    algorithm = fitted(build("auto", noise=Noise("known", DEVIATION)), POINTS, VALUES)
    top = np.full(2, 0.37)
    algorithm.tell([Observation(99, top, hill(top) + 1.0)])
    assert algorithm.insight().believed_best.trial == 99
    algorithm.ask(1, [], AskKey(1, 100))
    assert algorithm.insight().believed_best.trial == 99


def test_of_an_objective_to_minimise_it_is_the_lowest_in_its_own_sense():
    told = Optimiser({"x": (0.0, 1.0)}, goal="minimise", noise=0.05, seed=2)
    rng = np.random.default_rng(3)
    for _ in range(25):
        (asked,) = told.ask()
        told.tell(asked.trial, 5 + (asked.parameters["x"] - 0.4) ** 2 + 0.05 * rng.standard_normal())
    best = told.insight().believed_best
    assert best.predicted.mean == pytest.approx(5.0, abs=0.1)
