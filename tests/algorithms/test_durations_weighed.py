"""`auto` and `explore` where evaluations take longer in one place than in another."""

import json

import numpy as np
import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem, Refit
from orchestrator.errors import SpecError
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.fidelity_levels import Levels

CENTRES = np.array([[0.25, 0.5], [0.75, 0.5]])
WEIGHED = {"weigh_duration": True}
LINE, TWO = Domain.continuous(1), Domain.continuous(2)
# Each with its mirror image, so that the left is as good as the right.
LEFT = np.random.default_rng(5).random((6, 2)) * [0.5, 1.0]
POINTS = np.vstack([LEFT, np.column_stack([1.0 - LEFT[:, 0], LEFT[:, 1]])])


def two_hills(x):
    return float(max(np.exp(-20.0 * ((x - centre[: len(x)]) ** 2).sum()) for centre in CENTRES))


def slow_on_the_right(x):
    return float(np.exp(5.0 * x[0]))


def slow_on_the_left(x):
    return slow_on_the_right(1.0 - x)


def begun(name="auto", options=None, domain=LINE, **more):
    return registry.build(name, Problem(domain, noise=Noise("known", 0.0), **more), options or {})


def told(algorithm, seconds=slow_on_the_right, value=two_hills):
    """The points of above, along a line their first coordinates, and a refit that is written down and read
    again.
    """
    points = POINTS[:, : algorithm._problem.domain.dimension]
    algorithm.tell([Observation(i, x, value(x), seconds=seconds(x)) for i, x in enumerate(points)])
    refit = algorithm.compute_refit(1)
    written = json.loads(json.dumps(dict(refit.payload)))
    algorithm.adopt(Refit(refit.number, refit.observations, written))
    return algorithm


def asked(algorithm):
    return algorithm.ask(1, [], AskKey(len(POINTS), len(POINTS)))[0]


@pytest.mark.parametrize("name", ["auto", "explore"])
def test_of_two_places_that_promise_as_much_it_takes_the_one_that_takes_less(name):
    left = asked(told(begun(name, WEIGHED, TWO), slow_on_the_right))
    right = asked(told(begun(name, WEIGHED, TWO), slow_on_the_left))
    assert left.point[0] < 0.5 < right.point[0]
    for suggestion, seconds in ((left, slow_on_the_right), (right, slow_on_the_left)):
        assert suggestion.why["seconds"] == pytest.approx(seconds(suggestion.point), rel=0.3)


def test_durations_that_are_not_weighed_change_nothing_nor_does_weighing_without_durations():
    ways = (({}, slow_on_the_right), ({}, slow_on_the_left), (WEIGHED, lambda _: None))
    found = [asked(told(begun(options=options), seconds)) for options, seconds in ways]
    assert (found[0].point == found[1].point).all()
    assert (found[0].point == found[2].point).all()
    assert not any("seconds" in suggestion.why for suggestion in found)


def test_a_duration_told_after_a_refit_is_learned_at_once():
    algorithm = told(begun(options=WEIGHED), seconds=lambda x: 10.0 + x[0])
    here, duration = np.array([0.9]), algorithm._learned.outcomes.duration
    before = duration.seconds(LINE.embed(here[None, :]))
    algorithm.tell([Observation(12, here, 0.1, seconds=60.0), Observation(13, here + 0.05, 0.1)])
    assert before == pytest.approx(10.9, rel=0.05)
    assert duration.seconds(LINE.embed(here[None, :])) > 1.5 * before
    assert len(duration.member.posterior) == 13


def test_failures_say_how_long_they_took():
    algorithm = told(begun(options=WEIGHED), value=lambda x: None if x[0] > 0.7 else two_hills(x))
    outcomes = algorithm._learned.outcomes
    assert outcomes.success is not None
    assert len(outcomes.duration.member.posterior) == len(POINTS)


def test_where_fidelity_says_what_an_evaluation_costs_it_is_not_learned_as_well():
    levels = Levels(0, np.array([0.5, 1.0]), np.array([0.25, 1.0]), 20.0)
    with pytest.raises(SpecError, match="leave one of them out"):
        begun(options=WEIGHED, fidelity=levels)


@pytest.mark.parametrize("name", ["auto", "explore"])
def test_whether_they_are_weighed_and_of_how_many_results_they_are_known_is_said(name):
    def said(options, seconds):
        notes = told(begun(name, options), seconds).insight().notes
        return [note for note in notes if note.startswith("durations")]

    assert said({}, slow_on_the_right) == []
    assert said(WEIGHED, lambda _: None) == ["durations are to be weighed, and none is known"]
    some = said(WEIGHED, lambda x: 2.5 + 0.5 * (x[0] > 0.7) if x[0] > 0.5 else None)
    assert some == ["durations are weighed: those of 6 of 12 results are known, from 2.5 to 3 s"]
