"""How closely an evaluation looks follows from what that tells of full fidelity, and what it costs."""

from dataclasses import replace

import numpy as np
import pytest
from fidelity_stories import LEVELS, alike, believing, biased, problem, searched, unlike

from orchestrator.algorithms.base import Observation, Suggestion
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.fidelity_chooser import FidelityChooser
from orchestrator.unit_cube.fidelity_levels import Levels

NOWHERE = np.empty((0, 3))


def chosen_level(found):
    return int(np.abs(LEVELS.positions - found.point[2]).argmin())


def at_full(x, y):
    return Suggestion(np.array([x, y, 1.0]))


def test_where_less_fidelity_tells_nearly_all_the_cheapest_is_chosen():
    algorithm = believing(alike)
    found = algorithm._fidelity.lowered(at_full(0.41, 0.63), algorithm._learned.belief, NOWHERE)
    assert chosen_level(found) == 0
    assert found.why["fidelity"]["told"] > 0.5
    assert found.why["fidelity"]["cost"] == LEVELS.costs[0]


def test_where_it_tells_nothing_full_fidelity_is():
    algorithm = believing(unlike)
    chosen = at_full(0.41, 0.63)
    assert algorithm._fidelity.lowered(chosen, algorithm._learned.belief, NOWHERE) is chosen


def test_where_it_costs_nearly_as_much_full_fidelity_is():
    algorithm = believing(alike)
    dear = replace(LEVELS, costs=np.linspace(0.95, 1.0, len(LEVELS.costs)))
    chooser = replace(algorithm._fidelity, levels=dear)
    chosen = at_full(0.41, 0.63)
    assert chooser.lowered(chosen, algorithm._learned.belief, NOWHERE) is chosen


def test_what_runs_is_counted_on_and_not_asked_for_again():
    algorithm = believing(alike)
    chooser, belief = algorithm._fidelity, algorithm._learned.belief
    first = chooser.lowered(at_full(0.41, 0.63), belief, NOWHERE)
    running = first.point[None, :]
    second = chooser.lowered(at_full(0.41, 0.63), belief, running)
    assert second.point.tolist() != first.point.tolist()
    levels = np.tile(at_full(0.41, 0.63).point, (len(LEVELS.positions), 1))
    levels[:, 2] = LEVELS.positions
    alone, beside = (chooser.told(levels, belief, r) for r in (NOWHERE, running))
    # What the first tells is known by then, as far as anybody can know what it will be.
    assert beside[0] < 0.1 * alone[0]


def test_what_a_value_tells_of_full_fidelity_is_a_part_and_full_fidelity_itself_tells_most():
    algorithm = believing(biased)
    candidates = np.tile([0.41, 0.63, 1.0], (len(LEVELS.positions), 1))
    candidates[:, 2] = LEVELS.positions
    told = algorithm._fidelity.told(candidates, algorithm._learned.belief, NOWHERE)
    assert ((told >= 0.0) & (told <= 1.0)).all()
    assert told.argmax() == len(told) - 1
    # To the bit what they were: nothing is learned while fidelities are compared.
    assert np.array_equal(told, algorithm._fidelity.told(candidates, algorithm._learned.belief, NOWHERE))


@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_a_value_with_noise_that_is_known_tells_as_much_less_as_it_hides(noise):
    algorithm = believing(alike, noise)
    candidates = np.tile([0.41, 0.63, 1.0], (len(LEVELS.positions), 1))
    candidates[:, 2] = LEVELS.positions
    X, belief, told = algorithm._problem.domain.embed(candidates), algorithm._learned.belief, []
    for member in belief.members:
        gp = member.posterior
        half = gp.half_solve(gp.covariance.matrix(gp.inputs, X))
        left = gp.covariance.matrix(X) - half.T @ half
        hidden = gp.noise_variance + (noise / member.scale.scale) ** 2
        told.append(left[-1] ** 2 / ((np.diagonal(left) + hidden) * left[-1, -1]))
    assert all(member.scale.warp is None for member in belief.members)
    expected = belief.weights @ np.array(told)
    found = algorithm._fidelity.told(candidates, belief, NOWHERE)
    assert found == pytest.approx(expected, rel=1e-5)
    assert bool(found[-1] > 0.999) == (noise == 0.0)


def choice_after(points, trials, budget=None):
    levels = replace(LEVELS, budget=budget)
    history = History(problem(levels).domain, fidelity=levels)
    for trial, point in zip(trials, points, strict=True):
        history.tell(Observation(trial, np.array(point), 0.0))
    return FidelityChooser(problem(levels), history, levels)


def test_cheap_trials_cost_no_more_than_those_at_full_fidelity_and_one_more():
    cheap, full = [0.2, 0.3, 0.0], [0.2, 0.3, 1.0]
    share = float(LEVELS.costs[0])
    few = round(1.0 / share) - 1
    assert not choice_after([cheap] * few, range(1, few + 1)).is_owed(NOWHERE)
    owed = choice_after([cheap] * (few + 2), range(1, few + 3))
    assert owed.is_owed(NOWHERE)
    assert not owed.is_owed(np.array([full])), "one that runs counts"
    known = choice_after([cheap] * 100, range(0, -100, -1))
    assert not known.is_owed(NOWHERE), "what was known before cost nothing"


@pytest.mark.parametrize(("spent", "ending"), [(7, False), (9, True), (10, False), (11, False)])
def test_the_last_of_a_budget_is_for_full_fidelity(spent, ending):
    choice = choice_after([[0.1, 0.1, 1.0]] * spent, range(1, spent + 1), budget=10.0)
    assert choice.is_ending(NOWHERE, 0.1) is ending
    assert not choice_after([[0.1, 0.1, 1.0]] * spent, range(1, spent + 1)).is_ending(NOWHERE, 0.1)


def learning(seconds_of, count=12):
    """A chooser that was granted costs in proportion, of results that took so long by their share."""
    granted = replace(LEVELS, costs=np.linspace(0.1, 1.0, len(LEVELS.costs)), budget=10.0, learned=True)
    history = History(problem(granted).domain, fidelity=granted)
    chooser = FidelityChooser.of(problem(granted), history)
    for trial, point in enumerate(problem(granted).domain.sample(count, np.random.default_rng(2)), start=1):
        taken = seconds_of(float(granted.costs_of(point[None, :])[0]))
        told = Observation(trial, point, 0.0, seconds=taken, cost=0.5)
        history.tell(told)
        chooser.learn(told)
    return chooser


def test_costs_that_are_learned_are_what_is_weighed():
    algorithm = believing(alike)
    belief, chosen = algorithm._learned.belief, at_full(0.41, 0.63)
    cheap = replace(algorithm._fidelity, learned=learning(lambda share: 60.0 * share**2).learned)
    assert cheap.priced.costs[0] == pytest.approx(0.01, rel=0.5)
    found = cheap.lowered(chosen, belief, NOWHERE)
    assert found.why["fidelity"]["cost"] == cheap.priced.costs[0]
    assert found.why["fidelity"]["evaluations"] == 12
    dear = replace(algorithm._fidelity, learned=learning(lambda _: 60.0).learned)
    assert dear.lowered(chosen, belief, NOWHERE) is chosen


def test_what_failed_or_was_stopped_says_nothing_of_costs():
    chooser = learning(lambda share: 60.0 * share)
    before = chooser.priced.costs.tolist()
    chooser.learn(Observation(13, np.array([0.1, 0.1, 1.0]), None, seconds=0.01))
    chooser.learn(Observation(14, np.array([0.1, 0.1, 1.0]), 1.0, foreseen=True, variance=1.0, seconds=0.01))
    assert chooser.priced.costs.tolist() == before


def test_the_budget_is_counted_as_it_was_when_trials_were_asked_for_and_what_is_owed_as_it_is_known_now():
    chooser = learning(lambda share: 60.0 * share**2)
    assert chooser.learned.counted == 6.0
    running = np.array([[0.1, 0.1, 1.0]] * 3)
    assert not chooser.is_ending(running[:2], 0.1)
    assert chooser.is_ending(running, 0.1)


def test_it_is_said_what_a_look_costs_where_that_is_learned():
    (known,) = learning(lambda share: 60.0 * share).notes
    assert (
        "of 12 results it is known how long they took, at full fidelity about 60 s, and the cheapest" in known
    )
    (unknown,) = learning(lambda _: None).notes
    assert unknown.startswith("what a look costs is to be learned")
    assert believing(alike)._fidelity.notes == []


def test_while_fidelity_is_held_it_is_left_as_it_is():
    algorithm = believing(biased)
    held = Suggestion(np.array([0.4, 0.6, LEVELS.positions[3]]))
    assert algorithm._fidelity.lowered(held, algorithm._learned.belief, NOWHERE) is held


def test_no_level_is_tried_that_breaks_what_ties_parameters():
    """Of a problem where x may be large only where fidelity is full."""
    trials, ties = searched(biased, budget=6.0, tied=True)
    assert all(ties(point) for point, _ in trials)
    assert any(point[2] < 1.0 for point, _ in trials)


def test_levels_need_not_be_many():
    two = Levels(2, np.array([0.25, 0.75]), np.array([0.1, 1.0]), 8.0)
    trials, _ = searched(biased, budget=8.0, levels=two)
    assert {float(point[2]) for point, _ in trials} == {0.25, 0.75}
