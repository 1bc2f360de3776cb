"""From Python, too, settings are looked at by rungs, and minimise does so of functions that begin anew."""

import pickle

import pytest

from orchestrator import Optimiser, Plan, minimise
from orchestrator.algorithms import registry

BOX = {
    "rate": {"type": "float", "bounds": [0.001, 1.0], "scale": "log"},
    "kind": {"type": "choice", "values": ["plain", "nested"]},
    "epochs": {"type": "int", "bounds": [1, 9]},
}
GOES_ON = {"parameter": "epochs", "cost": "epochs", "continues": True}
ANEW = {"parameter": "epochs", "cost": "epochs"}

pytestmark = pytest.mark.parametrize("name", registry.BY_RUNGS)


def loss(parameters):
    rate = parameters["rate"] * (1.5 if parameters["kind"] == "nested" else 1.0)
    return 1.0 / (1.0 + rate * parameters["epochs"]) + 0.3 * rate**2


def said(name, **more):
    return {"algorithm": name, "goal": "minimise", "fidelity": GOES_ON, "noise": 0, **more}


def searched(optimiser, upto):
    """Trials until there are so many, each told before the next is asked for."""
    trials = {}
    for _ in range(upto):
        (asked,) = optimiser.ask()
        trials[asked.trial] = asked
        optimiser.tell(asked.trial, loss(asked.parameters))
    return trials


def test_a_trial_goes_on_from_one_of_the_same_settings_and_costs_the_difference(name):
    trials = searched(Optimiser(BOX, **said(name), plan=Plan(cost=9.0)), 30)
    went_on = [asked for asked in trials.values() if asked.continues is not None]
    assert len(went_on) > 5
    for asked in went_on:
        before = trials[asked.continues].parameters
        assert {**before, "epochs": 3 * before["epochs"]} == asked.parameters
        assert asked.cost == pytest.approx((asked.parameters["epochs"] - before["epochs"]) / 9)


def test_a_search_that_is_kept_and_one_that_is_pickled_ask_as_they_would_have(name, tmp_path):
    whole = searched(Optimiser(BOX, **said(name)), 24)
    kept = Optimiser(BOX, store=tmp_path / "search.jsonl", **said(name))
    searched(kept, 13)
    (left,) = kept.ask()
    kept.close()
    again = Optimiser(BOX, store=tmp_path / "search.jsonl", **said(name))
    (asked,) = again.ask()
    assert (asked.parameters, asked.continues, asked.cost) == (left.parameters, left.continues, left.cost)
    again.tell(asked.trial, loss(asked.parameters))
    resumed = searched(again, 10)
    again.close()
    optimiser = Optimiser(BOX, **said(name))
    searched(optimiser, 14)
    copied = searched(pickle.loads(pickle.dumps(optimiser)), 10)
    for number in range(15, 25):
        for other in (resumed[number], copied[number]):
            assert (other.parameters, other.continues) == (whole[number].parameters, whole[number].continues)


def test_the_best_is_one_of_full_fidelity_and_functions_that_begin_anew_are_minimised(name):
    searched_for = minimise(loss, BOX, algorithm=name, fidelity=ANEW, cost=8.0, noise=0)
    results = searched_for.results()
    looks = [result["epochs"] for result in results]
    assert {*looks} == {1, 3, 9}
    best = searched_for.best()
    assert best.value == min(result["value"] for result in results if result["epochs"] == 9)
    assert sum(looks) / 9 < 9.0


def test_what_is_attached_is_looked_at_more_closely_where_it_is_good(name):
    optimiser = Optimiser(BOX, **said(name))
    searched(optimiser, 2)
    good = {"rate": 0.6, "kind": "nested", "epochs": 1}
    trial = optimiser.attach(good).trial
    optimiser.tell(trial, 0.0)
    (asked,) = optimiser.ask()
    assert asked.parameters == {**good, "epochs": 3}
    assert asked.continues == trial
