"""From Python, too, an evaluation may go on from what one of the same settings left that did fewer steps."""

import pickle

import pytest
from quick_options import quick_options

from orchestrator import Optimiser, Plan, minimise
from orchestrator.errors import UsageError

BOX = {"x": (0.0, 1.0), "steps": {"type": "int", "bounds": [2, 16], "scale": "log"}}
GOING_ON = {"parameter": "steps", "cost": "steps", "continues": True}
QUICK = quick_options("auto", start_points=5, kernels=["matern-5/2"])
SAID = {"fidelity": GOING_ON, "noise": 0, "plan": Plan(cost=4.0), "options": QUICK}


def few_are_too_high(parameters):
    return (parameters["x"] - 0.3) ** 2 + 1.0 / parameters["steps"]


def told(optimiser, asked):
    optimiser.tell(asked.trial, few_are_too_high(asked.parameters))


def searched(optimiser, count):
    """So many trials of an optimiser, each told before the next is asked for."""
    trials = {}
    for _ in range(count):
        (asked,) = optimiser.ask()
        trials[asked.trial] = asked
        told(optimiser, asked)
    return trials


@pytest.fixture(scope="module")
def trials():
    return searched(Optimiser(BOX, goal="minimise", **SAID), 14)


def test_a_trial_says_from_which_it_goes_on_and_costs_the_difference(trials):
    went_on = [asked for asked in trials.values() if asked.continues is not None]
    assert went_on
    for asked in went_on:
        before = trials[asked.continues].parameters
        assert asked.parameters["x"] == before["x"]
        assert asked.cost == pytest.approx((asked.parameters["steps"] - before["steps"]) / 16)
        assert f"continues={asked.continues}" in repr(asked)
    fresh = [asked for asked in trials.values() if asked.continues is None]
    assert all(asked.cost == asked.parameters["steps"] / 16 for asked in fresh)
    assert not any("continues" in repr(asked) for asked in fresh)


def test_a_search_that_is_kept_and_one_that_is_pickled_go_on_as_they_would_have(trials, tmp_path):
    kept = Optimiser(BOX, goal="minimise", store=tmp_path / "search.jsonl", **SAID)
    begun = searched(kept, 9)
    (left,) = kept.ask()
    kept.close()
    again = Optimiser(BOX, goal="minimise", store=tmp_path / "search.jsonl", **SAID)
    (asked,) = again.ask()
    assert (asked.parameters, asked.continues, asked.cost) == (left.parameters, left.continues, left.cost)
    told(again, asked)
    again.close()
    copied = pickle.loads(pickle.dumps(Optimiser(BOX, goal="minimise", **SAID)))
    whole = {**begun, 10: asked}
    for number, other in searched(copied, 10).items():
        expected = trials[number]
        assert (other.parameters, other.continues) == (expected.parameters, expected.continues)
        assert (whole[number].parameters, whole[number].continues) == (other.parameters, other.continues)


def test_functions_are_not_told_what_to_go_on_from():
    with pytest.raises(UsageError, match="the function is not told what it goes on from"):
        minimise(few_are_too_high, BOX, cost=4, fidelity=GOING_ON)


def test_what_is_no_yes_or_no_is_refused():
    with pytest.raises(UsageError, match="whether it `continues`, True or False, got 'yes'"):
        Optimiser(BOX, fidelity={**GOING_ON, "continues": "yes"})


def test_what_is_asked_again_has_the_very_settings_that_it_goes_on_from(tmp_path):
    kept = Optimiser(BOX, goal="minimise", store=tmp_path / "search.jsonl", **SAID)
    searched(kept, 6)
    # As a person may have it tried: the grid of suggestions has no such number.
    begun = kept.attach({"x": 1 / 3 + 1e-11, "steps": 8})
    told(kept, begun)
    asked = next(one for one in kept.ask(4) if one.continues == begun.trial)
    kept.close()
    again = Optimiser(BOX, goal="minimise", store=tmp_path / "search.jsonl", **SAID)
    (same,) = (one for one in again.ask(4) if one.trial == asked.trial)
    assert same.parameters == asked.parameters
    assert same.parameters["x"] == begun.parameters["x"]
    again.close()


def test_results_have_the_very_settings_that_were_gone_on_from_and_what_is_held_stays_as_it_is():
    optimiser = Optimiser(BOX, goal="minimise", **SAID)
    trials = searched(optimiser, 9)
    for _ in range(3):
        (asked,) = optimiser.ask(held={"x": 0.3})
        assert asked.parameters["x"] == 0.3
        trials[asked.trial] = asked
        told(optimiser, asked)
    assert [row["x"] for row in optimiser.results()] == [one.parameters["x"] for one in trials.values()]
