"""EGP-TS as a whole: the kernel that fits wins, optima are found that chance does not find, refits replay."""

import json
import math
import sys

import numpy as np
import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem, Refit
from orchestrator.algorithms.observed import observed
from orchestrator.unit_cube.domain import Domain


def narrow_valley(point) -> float:
    """Branin on the unit square, upside down and moved: highest -0.398, three times."""
    a, b = 15 * ((point[0] + 0.07) % 1) - 5, 15 * ((point[1] + 0.11) % 1)
    bowl = (b - 5.1 / (4 * math.pi**2) * a * a + 5 / math.pi * a - 6) ** 2
    return -(bowl + 10 * (1 - 1 / (8 * math.pi)) * math.cos(a) + 10)


def optimise(algorithm, objective, trials: int):
    best = -math.inf
    for trial in range(trials):
        if (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        value = objective(suggestion.point)
        best = max(best, value)
        algorithm.tell([Observation(trial, suggestion.point, value)])
    return best


def told(options, points, values, problem=None):
    algorithm = registry.build("egp-ts", problem or Problem(Domain.continuous(points.shape[1])), options)
    algorithm.tell([Observation(i, x, float(y)) for i, (x, y) in enumerate(zip(points, values, strict=True))])
    algorithm.adopt(algorithm.compute_refit(1))
    return algorithm


@pytest.mark.parametrize("acquisition", ["thompson", "ucb", "expected-improvement"])
def test_it_beats_random_search_clearly_within_forty_evaluations(acquisition):
    regrets = {}
    for name, options in [("random", {}), ("egp-ts", {"acquisition": acquisition})]:
        problems = (Problem(Domain.continuous(2), seed=seed) for seed in range(2))
        bests = [optimise(registry.build(name, p, options), narrow_valley, 40) for p in problems]
        regrets[name] = float(np.mean([-0.398 - best for best in bests]))
    assert regrets["egp-ts"] < 0.35 * regrets["random"]


def test_the_kernel_that_fits_gets_the_weight():
    X = np.random.default_rng(0).random((60, 4))
    algorithm = told({"kernels": ["rbf", "rbf-ard"]}, X, np.sin(9 * X[:, 0]))
    weights = algorithm.insight().weights
    assert weights["rbf-ard"] > 0.99
    scales = algorithm.insight().hyperparameters["rbf-ard"]["hyperparameters"]["length_scales"]
    assert min(scales[1:]) > 3 * scales[0]


def test_a_grid_of_length_scales_is_a_dictionary_too_and_extreme_ones_do_no_harm():
    X = np.random.default_rng(0).random((30, 2))
    algorithm = told({"kernels": {"rbf-grid": [-4, 6]}}, X, np.sin(3 * X.sum(1)))
    weights = algorithm.insight().weights
    assert len(weights) == 11
    assert max(weights, key=weights.get) in ("rbf 1e-1", "rbf 1e+0", "rbf 1e+1")
    assert min(weights.values()) == pytest.approx(1e-4, rel=0.01)


def test_the_prediction_of_what_is_suggested_is_in_the_objectives_units():
    X = np.random.default_rng(0).random((80, 2))
    algorithm = told({}, X, 1e6 + 1e3 * np.cos(3 * X[:, 0]))
    for trial in range(5):
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, 100 + trial))
        truth = 1e6 + 1e3 * math.cos(3 * suggestion.point[0])
        assert suggestion.predicted.mean == pytest.approx(truth, abs=60)
        assert 0 < suggestion.predicted.deviation < 300
        assert suggestion.why["source"] == "model"
        assert suggestion.why["member"] in algorithm.insight().weights
        assert 0 <= suggestion.why["exploration"] <= 1


def test_a_refit_written_to_json_and_read_again_is_adopted_alike_to_the_bit():
    X = np.random.default_rng(0).random((20, 2))
    refit = told({}, X, X[:, 0]).compute_refit(1)
    copy = Refit(refit.number, refit.observations, json.loads(json.dumps(dict(refit.payload))))
    asked = []
    for which in (refit, copy):
        algorithm = registry.build("egp-ts", Problem(Domain.continuous(2)))
        algorithm.tell([Observation(i, x, float(x[0])) for i, x in enumerate(X)])
        algorithm.adopt(which)
        asked.append(algorithm.ask(3, [], AskKey(7, 20)))
    assert all(np.array_equal(a.point, b.point) for a, b in zip(*asked, strict=True))


def test_an_older_refit_changes_nothing_and_one_from_the_future_is_refused():
    X = np.random.default_rng(0).random((30, 2))
    algorithm = told({}, X, X[:, 0])
    first = algorithm.compute_refit(1)
    algorithm.adopt(algorithm.compute_refit(2))
    before = algorithm.insight()
    algorithm.adopt(first)
    assert algorithm.insight() == before
    with pytest.raises(ValueError, match="only 30 have been told"):
        algorithm.adopt(Refit(3, 31, first.payload))


def test_a_refit_adopted_late_ends_where_one_adopted_at_once_does():
    X = np.random.default_rng(0).random((40, 2))
    observations = [Observation(i, x, float(np.sin(4 * x.sum()))) for i, x in enumerate(X)]
    early, late = (registry.build("egp-ts", Problem(Domain.continuous(2))) for _ in "ab")
    early.tell(observations[:15])
    late.tell(observations[:15])
    refit = early.compute_refit(1)
    early.adopt(refit)
    early.tell(observations[15:])
    late.tell(observations[15:])
    late.adopt(refit)
    assert early.insight().weights == pytest.approx(late.insight().weights, abs=1e-8)
    for trial in range(3):
        a, b = (algorithm.ask(1, [], AskKey(trial, 40 + trial))[0] for algorithm in (early, late))
        assert np.array_equal(a.point, b.point)


def test_refits_come_with_the_start_design_then_sooner_while_young_then_every_fifty():
    def due_at(options):
        algorithm = registry.build("egp-ts", Problem(Domain.continuous(1)), options)
        refit, due = None, []
        for i in range(260):
            if (number := algorithm.refit_due()) is not None:
                due.append(i)
                refit = refit or algorithm.compute_refit(1)
                algorithm.adopt(Refit(number, i, refit.payload))
            algorithm.tell([Observation(i, np.array([(i * 0.618) % 1]), float(i % 5))])
        return due

    assert due_at({"early_refits": False, "kernels": ["rbf"]}) == [10, 60, 110, 160, 210]
    assert due_at({"kernels": ["rbf"]}) == [10, 15, 22, 33, 49, 73, 109, 159, 209, 259]


def test_known_noise_is_believed():
    X = np.repeat(np.random.default_rng(0).random((20, 1)), 2, axis=0)
    noisy = np.sin(6 * X[:, 0]) + np.random.default_rng(1).normal(0, 0.5, 40)
    deviations = {}
    for noise in (Noise("known", 0.5), Noise("known", 0.01)):
        algorithm = told({"kernels": ["rbf"]}, X, noisy, Problem(Domain.continuous(1), noise=noise))
        (suggestion,) = algorithm.ask(1, [], AskKey(0, 40))
        deviations[noise.standard_deviation] = suggestion.predicted.deviation
    # Values that differ at one place, and are told to be exact, leave all else unknown.
    assert 0.05 < deviations[0.5] < 0.4 * deviations[0.01]


def test_expected_improvement_asks_for_no_top_that_is_being_evaluated():
    problem = Problem(Domain.continuous(2), noise=Noise("known", 0.0))
    X = np.random.default_rng(3).random((16, 2))
    X = X[np.abs(X - 0.6).max(axis=1) > 0.1]
    options = {"acquisition": "expected-improvement", "kernels": ["rbf"]}
    algorithm = told(options, X, -np.square(X - 0.6).sum(axis=1), problem)
    batch = np.array([one.point for one in algorithm.ask(4, [], AskKey(1, len(X)))])
    assert np.abs(batch[0] - 0.6).max() < 0.02
    assert np.abs(batch[1:] - batch[0]).max(axis=1).min() > 1e-4


def test_a_region_that_always_fails_is_left():
    algorithm = registry.build("egp-ts", Problem(Domain.continuous(1)), {"acquisition": "ucb"})

    def climbing_to_a_cliff(point):
        return float(point[0]) if point[0] < 0.6 else None

    beyond = []
    for trial in range(40):
        if (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        beyond.append(suggestion.point[0] >= 0.6)
        algorithm.tell([Observation(trial, suggestion.point, climbing_to_a_cliff(suggestion.point))])
    assert sum(beyond[25:]) < 12


@pytest.mark.parametrize("name", ["egp-ts", "gp-ei", "add-gp-ucb"])
@pytest.mark.parametrize("unit", [1.0, 1e-4, 1e-160])
def test_the_largest_number_there_is_told_for_what_broke_ends_nothing(name, unit):
    algorithm = registry.build(name, Problem(Domain.continuous(2), start_points=5))
    points = np.random.default_rng(1).random((15, 2))
    values = [-unit * float(((x - 0.3) ** 2).sum()) for x in points]
    algorithm.tell([Observation(t, x, v) for t, (x, v) in enumerate(zip(points[:14], values, strict=False))])
    algorithm.adopt(algorithm.compute_refit(1))
    algorithm.tell([observed(14, points[14], (sys.float_info.max, None, None), -1.0)])
    for number in (2, 3):
        (suggestion,) = algorithm.ask(1, [], AskKey(13 + number, 13 + number))
        assert np.isfinite(suggestion.predicted.mean)
        assert np.isfinite(suggestion.predicted.deviation)
        algorithm.adopt(algorithm.compute_refit(number))
