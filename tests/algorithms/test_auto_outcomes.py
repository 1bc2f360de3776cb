"""`auto` where constraints on outcomes say which results may be the best."""

import numpy as np
import pytest
from asked_alike import adopts_alike_what_was_journalled, answers_alike_when_asked_again

from benchmarks.functions.outcomes import CONSTRAINED
from orchestrator.algorithms import registry
from orchestrator.algorithms.auto import Auto
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.domain import Domain

EXACT = Noise("known", 0.0)


def disc(x):
    """The farther right the better, within a disc: the best point is its rightmost."""
    return float(x[0]), [0.09 - float(((x - np.array([0.4, 0.6])) ** 2).sum())]


def far_corner(x):
    """Nothing but a corner of a hundredth of the domain will do."""
    return float(x[0] - x[1]), [float(x[0]) - 0.9, float(x[1]) - 0.9]


def gramacy(x):
    """Gramacy et al. 2016, Section 5.1, whose best value is 0.5998."""
    first, second = (float(v) for v in x)
    wave = 0.5 * np.sin(2 * np.pi * (first**2 - 2 * second))
    return -(first + second), [first + 2 * second + wave - 1.5, 1.5 - first**2 - second**2]


def begun(constraints, dimension=2, seed=0, noise=EXACT, trials=None, parallel=1, **options):
    problem = Problem(
        Domain.continuous(dimension),
        seed=seed,
        noise=noise,
        trials=trials,
        parallel=parallel,
        outcome_constraints=constraints,
    )
    return registry.build("auto", problem, options)


def searched(algorithm, function, trials, spread=0.0, first=0):
    """Results in the order of their trials: point, value, slacks, without their noise."""
    rng = np.random.default_rng(7)
    results = []
    for trial in range(first, first + trials):
        bring_up_to_date(algorithm)
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        value, slacks = function(suggestion.point)
        results.append((suggestion, value, slacks))
        noisy = np.array([value, *slacks]) + spread * rng.standard_normal(1 + len(slacks))
        algorithm.tell([Observation(trial, suggestion.point, float(noisy[0]), slacks=noisy[1:])])
    return results


def scattered(function, count):
    """What is to be told of points that nobody asked for, where a search of them would show no more."""
    points = np.random.default_rng(11).random((count, 2))
    results = [(point, *function(point)) for point in points]
    return [
        Observation(trial, point, value, slacks=np.array(slacks))
        for trial, (point, value, slacks) in enumerate(results)
    ]


def best(results):
    return max((value for _, value, slacks in results if min(slacks) >= 0.0), default=-np.inf)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.searches) for seed in (1, 2))])
def test_it_finds_the_best_point_of_those_that_will_do(seed):
    assert best(searched(begun(1, seed=seed, trials=20, refit_every=2), disc, 20)) > 0.7 - 1e-3


@pytest.mark.searches
@pytest.mark.parametrize("seed", range(2))
def test_two_constraints_that_meet_are_followed_to_where_they_do(seed):
    assert best(searched(begun(2, seed=seed, trials=30), gramacy, 30)) > -0.5998 - 2e-3


def test_while_nothing_will_do_it_looks_for_something_that_does():
    told = scattered(far_corner, 14)
    assert all(one.slacks.min() < 0.0 for one in told), "what is told must not hit it"
    algorithm = begun(2, seed=3, refit_every=4)
    algorithm.tell(told)
    results = searched(algorithm, far_corner, 8, first=14)
    first = next(i for i, (_, _, slacks) in enumerate(results) if min(slacks) >= 0.0)
    chances = [suggestion.why["feasible"] for suggestion, _, _ in results[first + 1 :]]
    assert max(chances) > 0.3


@pytest.mark.searches
def test_in_noise_it_ends_near_the_best_point_too():
    noise = Noise("known", 0.02)
    assert best(searched(begun(1, seed=1, noise=noise, trials=30), disc, 30, spread=0.02)) > 0.7 - 0.02


def test_a_refit_that_was_journalled_is_adopted_alike_to_the_bit():
    other, again = begun(2), begun(2)
    for algorithm in (other, again):
        algorithm.tell(scattered(gramacy, 16))
    adopts_alike_what_was_journalled(other, again)


def test_to_ask_changes_nothing_even_beside_points_that_run():
    algorithm = begun(2, parallel=4)
    algorithm.tell(scattered(gramacy, 14))
    bring_up_to_date(algorithm)
    pending = [np.array([0.2, 0.4]), np.array([0.21, 0.39])]
    answers_alike_when_asked_again(algorithm, pending)


def test_a_result_told_after_the_refit_moves_the_belief_in_its_constraint():
    algorithm = begun(1)
    algorithm.tell(scattered(disc, 14))
    bring_up_to_date(algorithm)
    outside = algorithm._problem.domain.embed(np.array([[0.95, 0.05]]))
    before = algorithm._learned.outcomes.probability(outside)[0]
    for trial in range(14, 16):
        algorithm.tell(
            [Observation(trial, np.array([0.95, 0.05 * (trial - 13)]), 0.9, slacks=np.array([0.5]))]
        )
    assert algorithm._learned.outcomes.probability(outside)[0] > max(0.5, before)


def test_results_without_outcomes_teach_the_objective_and_are_no_best():
    algorithm = begun(1, dimension=1)
    for trial in range(12):
        point = np.array([trial / 12])
        algorithm.tell([Observation(-trial, point, float(trial))])
    bring_up_to_date(algorithm)
    assert "constraints on outcomes: satisfied by 0 of 12 results" in algorithm.insight().notes
    (suggestion,) = algorithm.ask(1, [], AskKey(0, 0))
    assert 0.0 <= suggestion.point.min() <= suggestion.point.max() <= 1.0
    algorithm.tell([Observation(0, suggestion.point, 1.0, slacks=np.array([1.0]))])
    assert "constraints on outcomes: satisfied by 1 of 13 results" in algorithm.insight().notes
    algorithm.tell([Observation(1, np.array([0.5]), None)])
    assert "constraints on outcomes: satisfied by 1 of 13 results" in algorithm.insight().notes
    algorithm._history.set_aside([12])
    assert "constraints on outcomes: satisfied by 1 of 13 results" in algorithm.insight().notes


def test_a_constraint_that_always_holds_changes_little_and_one_that_never_does_stops_nothing():
    free = searched(begun(1, trials=15, refit_every=3), lambda x: (disc(x)[0], [1.0]), 15)
    assert best(free) == pytest.approx(1.0, abs=1e-6)
    never = searched(begun(1, trials=15, refit_every=3), lambda x: (disc(x)[0], [-1.0]), 15)
    assert best(never) == -np.inf
    assert len({tuple(s.point) for s, _, _ in never}) == 15


def test_one_parameter_will_do():
    results = searched(
        begun(1, dimension=1, trials=16, refit_every=2), lambda x: (float(x[0]), [0.3 - float(x[0])]), 16
    )
    assert best(results) == pytest.approx(0.3, abs=1e-3)


def test_failures_are_among_them_and_teach_no_constraint():
    algorithm = begun(1)
    rng = np.random.default_rng(0)
    for trial in range(16):
        point = rng.random(2)
        value, slacks = disc(point)
        failed = trial % 4 == 0
        algorithm.tell(
            [
                Observation(
                    trial, point, None if failed else value, slacks=None if failed else np.array(slacks)
                )
            ]
        )
    bring_up_to_date(algorithm)
    (slack,) = algorithm._learned.outcomes.slacks
    assert len(slack.member.posterior) == 12


def test_a_refit_of_before_there_were_outcomes_is_adopted():
    algorithm = begun(0, dimension=1)
    for trial in range(12):
        algorithm.tell([Observation(trial, np.array([trial / 12]), float(trial))])
    refit = algorithm.compute_refit(1)
    old = {key: value for key, value in refit.payload.items() if key != "outcomes"}
    algorithm.adopt(type(refit)(refit.number, refit.observations, old))
    assert algorithm.ask(1, [], AskKey(12, 12))[0].why["source"] == "model"
    assert algorithm.compute_refit(2).payload["outcomes"] == []


@pytest.mark.searches
def test_where_nobody_can_say_by_how_much_a_constraint_is_broken_it_keeps_away_all_the_same():
    def rooted(x):
        # sqrt(x_1 - 1/2) <= 1, where the objective is least of all.
        return -float((x[0] - 0.3) ** 2), [1.0 - np.sqrt(x[0] - 0.5) if x[0] >= 0.5 else -np.inf]

    results = searched(begun(1, seed=2, trials=30), rooted, 30)
    assert best(results) > -0.04 - 5e-3
    places = [float(suggestion.point[0]) for suggestion, _, _ in results[20:]]
    assert np.median(places) > 0.4, "by then it is about the boundary, and not where the objective is best"


def test_a_constraint_with_infinitely_much_to_spare_is_one_that_holds():
    def lasting(x):
        # 2 * life >= 2, where what never breaks is told to live for the largest float.
        return float(x[0]), [0.6 / (x[0] - 0.5) - 2.0 if x[0] > 0.5 else np.inf]

    algorithm = begun(1)
    algorithm.tell(scattered(lasting, 14))
    bring_up_to_date(algorithm)
    (suggestion,) = algorithm.ask(1, [], AskKey(14, 14))
    algorithm.tell([Observation(14, np.array([0.2, 0.2]), 0.2, slacks=np.array([np.inf]))])
    assert suggestion.point[0] > 0.5, "what lies where all have infinitely much to spare is no violation"
    assert algorithm.ask(1, [], AskKey(15, 15))[0].why["source"] == "model"


@pytest.mark.searches
def test_a_penalty_among_slacks_leaves_the_rest_as_they_were():
    def punished(x):
        value, (slack,) = disc(x)
        return value, [slack if slack > -0.2 else -1e30]

    assert best(searched(begun(1, seed=1, trials=30), punished, 30)) > 0.7 - 1e-3


def test_in_noise_what_breaks_a_constraint_on_parameters_is_not_believed_best():
    space = Space.from_description({"x": (0.0, 1.0), "y": (0.0, 1.0)}, ["x + y <= 1"])
    problem = Problem(space.domain, noise=Noise("known", 0.05), outcome_constraints=1)
    algorithm = registry.build("auto", problem)
    rng = np.random.default_rng(0)
    for trial in range(6):
        point = 0.6 + 0.3 * rng.random(2)
        algorithm.tell([Observation(-trial, point, 9.0, slacks=np.array([1.0]))])
    for trial in range(14):
        point = 0.4 * rng.random(2)
        algorithm.tell([Observation(trial, point, float(point.sum()), slacks=np.array([-1.0]))])
    bring_up_to_date(algorithm)
    assert isinstance(algorithm, Auto)
    assert not algorithm._history.satisfied
    assert algorithm.insight().believed_best is None
    (suggestion,) = algorithm.ask(1, [], AskKey(14, 14))
    assert suggestion.point.sum() <= 1.0 + 1e-9


@pytest.mark.searches
def test_the_models_own_best_point_is_among_what_is_climbed_from():
    """Where two boundaries meet in an edge, to follow it step by step would take dozens of trials."""
    vessel = CONSTRAINED["vessel"]

    def cheap(x):
        cost, slacks = vessel.at(x)
        return -cost, slacks

    assert best(searched(begun(3, dimension=4, trials=30), cheap, 30)) > -vessel.least - 10.0


def test_what_is_recommended_is_likelier_to_satisfy_them_than_not_however_much_else_promises():
    def tempting(x):
        """It grows without end beyond where it is allowed, and nobody has looked far there."""
        return float(np.exp(8.0 * x[0])), [0.5 - float(x[0])]

    algorithm = begun(1, noise=Noise())
    rng = np.random.default_rng(1)
    points = rng.random((20, 2)) * [0.62, 1.0]
    told = [
        (value, np.array(slacks) + 0.05 * rng.standard_normal(1)) for value, slacks in map(tempting, points)
    ]
    algorithm.tell(
        [Observation(t, x, v, slacks=s) for t, (x, (v, s)) in enumerate(zip(points, told, strict=True))]
    )
    bring_up_to_date(algorithm)
    assert 0.4 < algorithm.recommend(None).point[0] < 0.6
