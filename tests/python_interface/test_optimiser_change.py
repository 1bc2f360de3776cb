"""An Optimiser of a machine whose settings take time to change."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from orchestrator import Optimiser, Plan
from orchestrator.errors import UsageError
from orchestrator.python_interface.answers import Asked
from orchestrator.report.following.run_so_far import run_so_far
from orchestrator.report.searches.kept_search import KeptSearch

PARAMETERS = {
    "oven": {"type": "float", "bounds": (0, 1), "change": "20 min"},
    "nozzle": {"type": "choice", "values": ["a", "b"], "change": 7200},
    "knob": (0, 1),
}
EVALUATION_S = 300.0
OF_EI = {"algorithm": "gp-ei", "options": {"start_points": 4}, "noise": 0.0}


def begun(**more: object) -> Optimiser:
    return Optimiser(PARAMETERS, goal="maximise", seed=3, **{**OF_EI, **more})  # type: ignore[arg-type]


def tell(optimiser: Optimiser, one: Asked) -> None:
    place = one.parameters
    value = -((place["oven"] - 0.3) ** 2) - (place["knob"] - 0.7) ** 2 + 0.1 * (place["nozzle"] == "b")
    optimiser.tell(
        one.trial, value, seconds=EVALUATION_S + sum(one.why.get("change", {}).get("takes", {}).values())
    )


def searched(optimiser: Optimiser, trials: int) -> list[Asked]:
    found = []
    for _ in range(trials):
        found += optimiser.ask()
        tell(optimiser, found[-1])
    return found


def changed(found: list[Asked], name: str) -> int:
    return len({one.parameters[name] for one in found})


def test_what_is_slow_to_change_stays_for_a_while_and_what_is_not_does_not() -> None:
    found = searched(begun(), 14)
    assert changed(found, "knob") == 14
    assert 1 < changed(found, "oven") < 7
    assert found[1].why["change"]["spared"].keys() <= {"oven", "nozzle"}


def test_without_it_all_of_them_change() -> None:
    free = {**PARAMETERS, "oven": (0, 1), "nozzle": {"type": "choice", "values": ["a", "b"]}}
    found = searched(Optimiser(free, goal="maximise", seed=3, **OF_EI), 8)  # type: ignore[arg-type]
    assert changed(found, "oven") == 8
    assert all("change" not in one.why for one in found)


def test_where_nobody_says_what_evaluations_take_points_are_chosen_as_ever() -> None:
    optimiser = begun()
    found = []
    for _ in range(3):
        found += optimiser.ask()
        optimiser.tell(found[-1].trial, 0.0)
    assert changed(found, "oven") == 3


def test_a_search_goes_on_in_its_file_as_if_it_had_not_ended(tmp_path: Path) -> None:
    whole = [one.parameters for one in searched(begun(), 9)]
    store = tmp_path / "search.jsonl"
    for count in (5, 4):
        optimiser = begun(store=store)
        part = [one.parameters for one in searched(optimiser, count)]
        optimiser.close()
        whole, first = whole[count:], whole[:count]
        assert part == first


def test_its_file_tells_what_each_trial_changed_also_those_of_the_callers_own(tmp_path: Path) -> None:
    optimiser = begun(store=tmp_path / "search.jsonl")
    first, own = (
        optimiser.attach({"oven": oven, "nozzle": nozzle, "knob": 0.5})
        for oven, nozzle in ((0.25, "a"), (0.5, "b"))
    )
    tell(optimiser, first)
    tell(optimiser, own)
    tell(optimiser, optimiser.ask()[0])
    optimiser.close()
    trials = run_so_far(KeptSearch.open(tmp_path / "search.jsonl")).state.trials
    assert [dict(one.changed) for one in trials.values()] == [{}, {"oven": 1200.0, "nozzle": 7200.0}, {}]


def test_a_pickled_one_asks_as_this_one() -> None:
    optimiser = begun()
    searched(optimiser, 6)
    again = pickle.loads(pickle.dumps(optimiser))
    assert again.ask()[0].parameters == optimiser.ask()[0].parameters


def test_trials_come_one_after_the_other() -> None:
    optimiser = begun()
    with pytest.raises(
        UsageError, match="expected one trial after the other where parameters have a `change`"
    ):
        optimiser.ask(2)
    optimiser.ask()
    with pytest.raises(UsageError, match="got trial 1 pending"):
        optimiser.ask()
    with pytest.raises(UsageError, match="expected a plan of one trial after the other"):
        begun(plan=Plan(trials=9, parallel=2))


def test_an_algorithm_has_to_hold_what_stays() -> None:
    with pytest.raises(UsageError, match="expected an algorithm that holds parameters"):
        begun(algorithm="soo", options=None)
