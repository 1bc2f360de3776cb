"""`auto` where there are several objectives: its front grows towards the best one there is."""

import numpy as np
import pytest
from asked_alike import adopts_alike_what_was_journalled, answers_alike_when_asked_again

from benchmarks.contenders.searches import SearchJob as Job
from benchmarks.contenders.trade_offs import run
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.numerics.pareto import hypervolume
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.domain import Domain

EXACT = Noise("known", 0.0)


def two_tops(x):
    """To maximise: each is highest in a place of its own, and the front lies on the line between them."""
    return -float(((x - 0.2) ** 2).sum()), -float(((x - 0.7) ** 2).sum())


def begun(further=1, dimension=2, seed=0, noise=EXACT, parallel=1, constraints=0, **options):
    problem = Problem(
        Domain.continuous(dimension),
        seed=seed,
        noise=noise,
        parallel=parallel,
        outcome_constraints=constraints,
        further_objectives=further,
    )
    return registry.build("auto", problem, options)


def observation(trial, point, values, slacks=None):
    told = None if slacks is None else np.array(slacks)
    return Observation(trial, point, float(values[0]), further=np.array(values[1:]), slacks=told)


def searched(algorithm, function, trials, spread=0.0, slacks=None):
    """(n, D) points and (n, M) values in the order of their trials, without their noise."""
    rng = np.random.default_rng(7)
    points, values = [], []
    for trial in range(trials):
        bring_up_to_date(algorithm)
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        points.append(suggestion.point)
        values.append(function(suggestion.point))
        noisy = np.array(values[-1]) + spread * rng.standard_normal(len(values[-1]))
        algorithm.tell([observation(trial, suggestion.point, noisy, slacks and slacks(suggestion.point))])
    return np.array(points), np.array(values)


def scattered(function, count, dimension=2):
    """What is to be told of points that nobody asked for, where a search of them would show no more."""
    points = np.random.default_rng(11).random((count, dimension))
    return [observation(trial, point, function(point)) for trial, point in enumerate(points)]


# How far from the first top a point between both must be for the second objective to be above -0.3.
EDGE = np.linspace(0.5 - np.sqrt(0.15), 0.5, 500)


def volume(values):
    """Of what `two_tops` gives: between its tops it is 0.5^2 less what lies behind the curve."""
    return hypervolume(values, np.full(values.shape[1], -0.5))


WHOLE = float(
    volume(np.array([(-2 * (0.5 * t) ** 2, -2 * (0.5 * (1 - t)) ** 2) for t in np.linspace(0, 1, 2000)]))
)


@pytest.mark.searches
@pytest.mark.parametrize("seed", [0, 1])
def test_its_front_comes_near_the_best_one(seed):
    _, values = searched(begun(seed=seed), two_tops, 30)
    assert volume(values) > 0.97 * WHOLE


@pytest.mark.searches
def test_where_objectives_differ_in_scale_and_shape_it_misses_little():
    assert run(Job("auto", "branin-currin", 0)).missing(40) < 0.1


def test_the_front_grows_to_its_ends_and_along_it():
    points, _ = searched(begun(seed=1, refit_every=3), two_tops, 23)
    along = np.sort(points[12:].mean(axis=1))
    assert along.min() < 0.28
    assert along.max() > 0.62
    between = along[(along > 0.2) & (along < 0.7)]
    assert np.diff(between).max() < 0.15


@pytest.mark.searches
def test_in_noise_too():
    _, values = searched(begun(noise=Noise("known", 0.02)), two_tops, 28, spread=0.02)
    assert volume(values) > 0.95 * WHOLE


def test_noise_in_one_objective_alone_is_noticed():
    rng = np.random.default_rng(3)

    def shaken(x):
        first, second = two_tops(x)
        return first, second + 0.1 * rng.standard_normal()

    algorithm = begun(noise=Noise())
    algorithm.tell(scattered(shaken, 30))
    bring_up_to_date(algorithm)
    assert algorithm._learned.contenders.noisy
    assert algorithm._learned.belief.leader.noise_variance < 1e-3
    assert algorithm.insight().believed_best is None


@pytest.mark.searches
def test_what_does_not_satisfy_a_constraint_is_kept_away_from():
    def right_half(x):
        return [float(x[0]) - 0.45]

    points, values = searched(begun(constraints=1, seed=2), two_tops, 28, slacks=right_half)
    satisfying = points[:, 0] >= 0.45
    # With the first coordinate at 0.45 at least, the front's one end is there.
    ends = np.array([(-2 * 0.25**2, -2 * 0.25**2), (-(0.25**2), -(0.25**2) - 0.5**2), (-0.5, 0.0)])
    assert volume(values[satisfying]) > 0.9 * volume(ends)
    assert satisfying[20:].mean() > 0.5


@pytest.mark.parametrize("noise", [Noise("known", 0.1), Noise()])
def test_in_noise_too_where_nothing_satisfies_a_constraint_yet(noise):
    """There is nothing yet to be believed of what may be traded off."""
    points, _ = searched(
        begun(dimension=1, noise=noise, constraints=1),
        two_tops,
        13,
        spread=0.1,
        slacks=lambda x: [-0.5 - float(x[0])],
    )
    assert len(np.unique(points, axis=0)) == 13


@pytest.mark.searches
def test_three_objectives_and_no_more_than_there_is_to_choose():
    def three(x):
        return (*two_tops(x), -float((x[0] - 0.9) ** 2 + (x[1] - 0.1) ** 2))

    points, values = searched(begun(further=2, seed=3), three, 30)
    assert len(np.unique(points, axis=0)) == 30
    scattered = np.array([three(x) for x in np.random.default_rng(0).random((30, 2))])
    assert volume(values) > volume(scattered)


@pytest.mark.searches
def test_whole_numbers_and_choices_are_traded_off_as_well():
    space = Space.from_description(
        {
            "n": {"type": "int", "bounds": [0, 20]},
            "kind": {"type": "choice", "values": ["a", "b"]},
            "x": (0.0, 1.0),
        }
    )
    algorithm = registry.build(
        "auto", Problem(space.domain, noise=EXACT, further_objectives=1, parallel=2, seed=4)
    )

    def priced(point):
        told = space.decode(point)
        share = (told["n"] / 20 + told["x"]) / 2
        return (share, -(share**2)) if told["kind"] == "a" else (share - 0.3, -(share**2) - 0.3)

    points, values = searched(algorithm, priced, 30)
    assert all(space.decode(point)["kind"] == "a" for point in points[-5:])
    assert hypervolume(values, np.array([0.0, -1.0])) > 0.6


def test_a_refit_that_was_journalled_is_adopted_alike_to_the_bit():
    other, again = begun(dimension=1), begun(dimension=1)
    for algorithm in (other, again):
        algorithm.tell(scattered(two_tops, 16, 1))
    adopts_alike_what_was_journalled(other, again)


def test_to_ask_changes_nothing_even_beside_points_that_run():
    algorithm = begun(dimension=1, parallel=4)
    algorithm.tell(scattered(two_tops, 14, 1))
    bring_up_to_date(algorithm)
    pending = [np.array([0.45]), np.array([0.46])]
    answers_alike_when_asked_again(algorithm, pending)


def test_several_at_a_time_go_to_different_parts_of_the_front():
    algorithm = begun(parallel=6, seed=5)
    algorithm.tell(scattered(two_tops, 14))
    bring_up_to_date(algorithm)
    batch = np.array([s.point for s in algorithm.ask(6, [], AskKey(60, 60))])
    apart = np.linalg.norm(batch[:, None] - batch, axis=2)
    assert apart[~np.eye(6, dtype=bool)].min() > 0.01


def test_results_of_which_one_objective_is_not_known_teach_the_other_alone():
    algorithm = begun(dimension=1)
    rng = np.random.default_rng(0)
    for trial in range(16):
        point = rng.random(1)
        first, second = two_tops(point)
        failed = trial % 5 == 0
        told = np.array([np.nan if trial % 4 == 0 else second])
        algorithm.tell([Observation(trial, point, None if failed else first, further=told)])
    bring_up_to_date(algorithm)
    (other,) = algorithm._learned.further.members
    assert len(other.posterior) == 12
    assert algorithm.ask(1, [], AskKey(16, 16))[0].why["search"] in ("front", "nearby")


def test_while_next_to_nothing_is_known_of_an_objective_the_first_is_searched_alone():
    algorithm = begun(dimension=1)
    rng = np.random.default_rng(0)
    for trial in range(12):
        algorithm.tell([Observation(-trial, point := rng.random(1), two_tops(point)[0])])
    bring_up_to_date(algorithm)
    assert algorithm.ask(1, [], AskKey(0, 0))[0].why["source"] == "model"


@pytest.mark.searches
def test_a_penalty_in_one_objective_leaves_the_rest_as_they_were():
    def punished(x):
        first, second = two_tops(x)
        return first, second if second > -0.3 else -1e30

    _, values = searched(begun(seed=1), punished, 35)
    kept = values[values[:, 1] > -0.3]
    assert len(kept) > 15, "one that is punished looks good for its first objective alone"
    assert volume(kept) > 0.85 * volume(np.array([(-2 * d**2, -2 * (0.5 - d) ** 2) for d in EDGE]))


def test_objectives_that_agree_have_one_best_point():
    _, values = searched(begun(seed=2, refit_every=2), lambda x: (two_tops(x)[0], 3.0 * two_tops(x)[0]), 16)
    assert values[:, 0].max() > -1e-4


def test_an_objective_that_is_the_same_everywhere_stops_nothing():
    points, values = searched(begun(dimension=1, seed=2, refit_every=2), lambda x: (two_tops(x)[0], 1.0), 16)
    assert values[:, 0].max() > -1e-3
    assert len(np.unique(points, axis=0)) == 16
