"""Settings that were looked at less closely are taken up again for the rest of their cost."""

from dataclasses import replace

import numpy as np
import pytest
from fidelity_stories import LEVELS, biased, problem, refitted

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Suggestion
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.fidelity_chooser import FidelityChooser

GOING_ON = replace(LEVELS, continues=True)
NOWHERE = np.empty((0, 3))
LOW, MIDDLE, FULL = 0.0, 0.4, 1.0


def chooser_told(*observations):
    """One of evaluations that go on, which was told so much."""
    told = problem(GOING_ON)
    chooser = FidelityChooser.of(told, History(told.domain, fidelity=GOING_ON))
    for observation in observations:
        chooser.history.tell(observation)
        chooser.learn(observation)
    return chooser


def result(trial, z, value=0.0, *, x=0.2, **more):
    return Observation(trial, np.array([x, 0.3, z]), value, **more)


def left(chooser, running=NOWHERE):
    return [one.trial for one in chooser.begun.left(chooser.history.values, running)]


def cost(z):
    return LEVELS.cost_at(z)


def test_an_evaluation_goes_on_from_the_closest_look_at_its_settings_and_costs_the_rest():
    chooser = chooser_told(result(1, LOW), result(2, MIDDLE, continues=1), result(3, LOW, x=0.9))
    found = chooser.going_on(Suggestion(np.array([0.2, 0.3, FULL])))
    assert found.continues == 2
    assert chooser.costs_at(found.point)[-1] == pytest.approx(1.0 - cost(MIDDLE))
    assert chooser.going_on(Suggestion(np.array([0.5, 0.3, FULL]))).continues == 0
    # A look that is no closer has nothing to go on from.
    assert chooser.going_on(Suggestion(np.array([0.2, 0.3, LEVELS.positions[1]]))).continues == 0


def test_what_is_spent_is_the_difference():
    chooser = chooser_told(result(1, LOW), result(2, MIDDLE, continues=1))
    running = np.array([[0.2, 0.3, FULL]])
    full, less = chooser._spent(running)
    assert less == pytest.approx(cost(MIDDLE))
    assert full == pytest.approx(1.0 - cost(MIDDLE))


@pytest.mark.parametrize(
    "later",
    [result(2, MIDDLE, None), result(2, MIDDLE, 1.0, foreseen=True, variance=1.0), result(2, FULL)],
    ids=["failed", "stopped", "at full fidelity"],
)
def test_what_would_fail_again_or_is_looked_at_closely_is_not_taken_up(later):
    assert left(chooser_told(result(1, LOW))) == [1]
    assert left(chooser_told(result(1, LOW), later)) == []


def test_what_runs_and_what_is_known_from_elsewhere_is_not_taken_up():
    assert left(chooser_told(result(1, LOW)), np.array([[0.2, 0.3, MIDDLE]])) == []
    assert left(chooser_told(result(0, LOW))) == []


def believing_levels(levels):
    """`auto` after twelve results from everywhere, at all of these levels."""
    algorithm = registry.build("auto", problem(levels))
    points = problem().domain.sample(12, np.random.default_rng(3))
    algorithm.tell([Observation(i + 1, p, biased(p[:2], p[2])) for i, p in enumerate(points)])
    return refitted(algorithm), points


def test_what_promises_most_for_the_rest_of_its_cost_is_taken_up():
    nearly_paid = replace(GOING_ON, costs=np.linspace(0.9, 1.0, len(LEVELS.costs)))
    algorithm, points = believing_levels(nearly_paid)
    (found,) = algorithm.ask(1, [], AskKey(20, 20))
    begun = points[found.continues - 1]
    assert found.continues > 0
    assert (found.point[:2] == begun[:2]).all()
    assert found.point[2] > begun[2]
    assert found.why["search"] == "taken up"
    why = found.why["fidelity"]
    assert 0.0 < why["told"] <= 1.0
    assert why["cost"] == pytest.approx(nearly_paid.cost_at(found.point[2]) - nearly_paid.cost_at(begun[2]))
    # Of those that are asked for together none is taken up twice.
    both = algorithm.ask(2, [], AskKey(20, 20))
    assert both[0].continues == found.continues != both[1].continues


def test_where_next_to_nothing_is_paid_yet_what_promises_most_is_begun():
    free = replace(GOING_ON, costs=np.array([*np.geomspace(1e-6, 1e-5, len(LEVELS.costs) - 1), 1.0]))
    algorithm, _ = believing_levels(free)
    (found,) = algorithm.ask(1, [], AskKey(20, 20))
    assert found.continues == 0
    without, _ = believing_levels(replace(free, continues=False))
    assert without.ask(1, [], AskKey(20, 20))[0].point.tolist() == found.point.tolist()


def test_where_evaluations_do_not_go_on_none_is_said_to():
    algorithm, _ = believing_levels(replace(LEVELS, costs=np.linspace(0.9, 1.0, len(LEVELS.costs))))
    assert algorithm._fidelity.begun is None
    assert algorithm.ask(1, [], AskKey(20, 20))[0].continues == 0
