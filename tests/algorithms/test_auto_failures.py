"""`auto` where evaluations fail: here and there by chance, or beyond an edge that nobody knows."""

import json

import numpy as np
import pytest
from scipy.special import ndtr

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem, Refit
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.unit_cube.domain import Domain

EXACT = Noise("known", 0.0)
SEEDS = pytest.mark.parametrize("seed", range(3))
CENTRE = np.array([0.3, 0.6, 0.45])


def bowl(x):
    return -float((np.array([3.0, 1.0, 6.0])[: len(x)] * (x - CENTRE[: len(x)]) ** 2).sum())


def begun(dimension=3, seed=0, **more):
    return registry.build("auto", Problem(Domain.continuous(dimension), seed=seed, noise=EXACT, **more))


def searched(algorithm, evaluate, trials, first=0):
    """Points and values in order, None where one failed."""
    results = []
    for trial in range(first, first + trials):
        while (number := algorithm.refit_due()) is not None:
            refit = algorithm.compute_refit(number)
            written = json.loads(json.dumps(dict(refit.payload)))
            algorithm.adopt(Refit(refit.number, refit.observations, written))
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        value = evaluate(suggestion.point)
        results.append((suggestion, value))
        algorithm.tell([Observation(trial, suggestion.point, value)])
    return results


def by_chance(share, seed):
    rng = np.random.default_rng(seed)
    return lambda x: None if rng.random() < share else bowl(x)


@SEEDS
@pytest.mark.searches
def test_a_third_that_fails_by_chance_hides_nothing_of_the_function(seed):
    results = searched(begun(seed=seed), by_chance(0.33, seed), 32)
    values = [value for _, value in results if value is not None]
    assert len(values) < 30
    assert max(values) > -1e-6


def beyond_an_edge(x):
    return None if x[:2].sum() > 0.8 else bowl(x)


@SEEDS
@pytest.mark.searches
def test_a_best_point_at_an_edge_is_found_though_what_promises_most_lies_beyond(seed):
    # Along x0 + x1 = 0.8, by Lagrange: what has to be given up is shared as 1 to 3.
    best = bowl(CENTRE - np.array([0.025, 0.075, 0.0]))
    results = searched(begun(seed=seed), beyond_an_edge, 40)
    values = [value for _, value in results if value is not None]
    assert max(values) > best - 1e-3
    assert sum(value is not None for _, value in results[10:]) > 7


def test_why_a_point_was_chosen_says_how_likely_it_was_held_to_succeed():
    algorithm = begun()
    known = [
        Observation(i, x, beyond_an_edge(x)) for i, x in enumerate(np.random.default_rng(6).random((14, 3)))
    ]
    algorithm.tell(known)
    results = searched(algorithm, beyond_an_edge, 4, first=14)
    failed = sum(value is None for value in (*(one.value for one in known), *(value for _, value in results)))
    told = f"{failed} of 18 evaluations failed: where they are likely to is learned"
    assert told in algorithm.insight().notes
    chances = [suggestion.why["succeeds"] for suggestion, _ in results]
    assert all(0.0 < chance <= 1.0 for chance in chances)
    assert "feasible" not in results[-1][0].why


def test_where_nothing_failed_nothing_is_said_of_success():
    results = searched(begun(), bowl, 14)
    assert not any("succeeds" in suggestion.why for suggestion, _ in results)


def test_the_first_failure_is_learned_from_before_there_is_a_refit():
    algorithm = begun()
    searched(algorithm, bowl, 14)
    bring_up_to_date(algorithm)
    (before,) = algorithm.ask(1, [], AskKey(50, 50))
    algorithm.tell([Observation(50, before.point, None)])
    (after,) = algorithm.ask(1, [], AskKey(51, 51))
    assert 0.5 < after.why["succeeds"] < 1.0


def test_a_failure_is_nothing_that_models_of_values_are_told():
    told, silent = begun(1), begun(1)
    rng = np.random.default_rng(3)
    points = rng.random((16, 1))
    results = [Observation(i, x, bowl(x)) for i, x in enumerate(points)]
    failures = [Observation(20 + i, x, None) for i, x in enumerate(rng.random((4, 1)))]
    for algorithm in (told, silent):
        algorithm.tell(results)
        algorithm.adopt(algorithm.compute_refit(1))
    told.tell(failures)
    assert told.insight().weights == silent.insight().weights
    here = np.array([[0.4]])
    expected = [algorithm._learned.belief.leader.expected(here)[0] for algorithm in (told, silent)]
    assert expected[0] == expected[1]


def test_what_lies_beyond_an_edge_is_hardly_left_to_gain():
    told, silent = begun(2), begun(2)
    points = np.random.default_rng(0).random((30, 2))
    higher = [None if x > 0.6 else float(np.sin(1.5 * x) - (y - 0.4) ** 2) for x, y in points]
    results = [Observation(i, x, value) for i, (x, value) in enumerate(zip(points, higher, strict=True))]
    told.tell(results)
    silent.tell([result for result in results if result.value is not None])
    for algorithm in (told, silent):
        algorithm.adopt(algorithm.compute_refit(1))
    # At the edge 0.01 is left, at the far end of what fails 0.22.
    weighed, unaware = (algorithm.remaining_gain() for algorithm in (told, silent))
    assert unaware.expected > 0.1
    assert weighed.expected < 0.5 * unaware.expected


@pytest.mark.parametrize("successes", [1, 2])
def test_next_to_nothing_that_succeeds_is_enough_to_go_on_from(successes):
    algorithm = begun(1)
    points = np.random.default_rng(4).random((12, 1))
    algorithm.tell([Observation(i, x, bowl(x) if i < successes else None) for i, x in enumerate(points)])
    results = searched(algorithm, beyond_an_edge, 6)
    assert len({suggestion.point.tobytes() for suggestion, _ in results}) == 6


def test_failures_told_at_once_or_one_by_one_lead_to_the_same_point():
    points = np.random.default_rng(6).random((18, 3))
    results = [Observation(i, x, beyond_an_edge(x)) for i, x in enumerate(points)]
    assert any(result.value is None for result in results[14:])
    at_once, one_by_one = begun(), begun()
    for algorithm in (at_once, one_by_one):
        algorithm.tell(results[:14])
        algorithm.adopt(algorithm.compute_refit(1))
    at_once.tell(results[14:])
    for result in results[14:]:
        one_by_one.tell([result])
    chosen = [algorithm.ask(1, [], AskKey(18, 18))[0].point for algorithm in (at_once, one_by_one)]
    assert chosen[0].tobytes() == chosen[1].tobytes()


@pytest.mark.searches
def test_constraints_on_outcomes_and_failures_are_learned_beside_one_another():
    algorithm = begun(outcome_constraints=1)
    for trial in range(16):
        bring_up_to_date(algorithm)
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        value = beyond_an_edge(suggestion.point)
        slack = 0.4 - suggestion.point[2] if value is not None else np.nan
        algorithm.tell([Observation(trial, suggestion.point, value, slacks=np.array([slack]))])
    assert {"feasible", "succeeds"} <= set(suggestion.why)


@pytest.mark.parametrize(("failed", "least"), [(2, 0.35), (9, 0.05), (12, 0.35)])
def test_the_least_likely_that_is_tried_is_a_third_or_half_of_what_the_start_design_had(failed, least):
    points = np.random.default_rng(2).random((14, 1))
    algorithm = begun(1)
    # All that fail are among the design's ten points, or the last ones, which were chosen.
    broke = range(failed) if failed < 10 else range(10, 14)
    told = [None if i in broke else bowl(x) for i, x in enumerate(points)]
    algorithm.tell([Observation(i, x, value) for i, (x, value) in enumerate(zip(points, told, strict=True))])
    refit = algorithm.compute_refit(1)
    algorithm.adopt(refit)
    assert ndtr(algorithm._learned.outcomes.success.log_success.least) == pytest.approx(least)
    earlier = {**refit.payload, "success": {**refit.payload["success"]}}
    del earlier["success"]["least"]
    old = begun(1)
    old.tell([Observation(i, x, value) for i, (x, value) in enumerate(zip(points, told, strict=True))])
    old.adopt(Refit(1, refit.observations, earlier))
    assert ndtr(old._learned.outcomes.success.log_success.least) == 0.0
