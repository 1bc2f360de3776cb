"""Limits that are relative to today's settings, from Python: the first trial, and what it has."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from orchestrator import Optimiser, cli, minimise
from orchestrator.algorithms.base import Algorithm
from orchestrator.errors import OrchestratorError, SpecError, UsageError
from orchestrator.scheduler.amendment_events import ResultsAdded
from orchestrator.scheduler.reference_events import ReferenceMeasured

SPACE: dict[str, Any] = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
TODAY = {"x": 0.3, "y": 0.1}
RELATIVE = ["heat <= 1.05 * reference(heat)"]
LIMIT = 1.05 * (1.0 + 0.3 - 0.2 * 0.1)


def oven(settings: Any) -> dict[str, float]:
    x, y = settings["x"], settings["y"]
    return {"value": (x - 0.9) ** 2 + y, "heat": 1.0 + x - 0.2 * y}


def relative(**more: Any) -> Optimiser:
    told = {"goal": "minimise", "outcomes": ["heat"], "constraints": RELATIVE, "reference": TODAY, "seed": 2}
    return Optimiser(SPACE, **{**told, **more})


def asked_and_told(search: Optimiser, until: int) -> list[dict[str, Any]]:
    seen = []
    while search.told < until:
        (one,) = search.ask()
        seen.append(dict(one.parameters))
        search.tell(one.trial, oven(one.parameters))
    return seen


def test_it_is_the_first_trial_and_then_all_is_as_with_the_number_itself() -> None:
    few = {"start_points": 4, "refit_every": 50}
    search = relative(options=few)
    plain = relative(options=few, constraints=[f"heat <= {LIMIT!r}"], reference=None)
    first = plain.attach(TODAY)
    plain.tell(first.trial, oven(TODAY))
    asked = asked_and_told(search, 6)
    assert asked[0] == TODAY
    assert asked[1:] == asked_and_told(plain, 6)
    assert search.best() == plain.best()


def test_what_is_told_before_it_is_no_best_and_is_judged_once_it_is() -> None:
    search = relative(algorithm="random")
    first, *others = search.ask(4)
    for one in others:
        search.tell(one.trial, {"value": -1.0 * one.trial, "heat": 1.2 + 0.05 * one.trial})
    with pytest.raises(OrchestratorError, match="`heat` of that has not been told"):
        search.best()
    search.tell(first.trial, {"value": 5.0, "heat": 1.3})
    assert search.best().trial == 3
    search.tell(search.attach(TODAY).trial, {"value": 5.0, "heat": 1.4})
    assert search.best().trial == 4


def test_what_is_learned_of_the_same_settings_counts_too_and_so_does_a_value_among_objectives() -> None:
    search = Optimiser(
        SPACE,
        goal="minimise",
        objectives={"heat": "minimise"},
        constraints=["value <= 0.5 * reference(value)"],
        reference=TODAY,
    )
    search.learn({"x": 0.5, "y": 0.0}, 2.0, outcomes={"heat": 1.0})
    assert not search.front()
    search.learn(TODAY, 5.0, outcomes={"heat": 1.3})
    assert [one.value for one in search.front()] == [2.0]


def test_a_file_goes_on_with_what_was_known_of_it(tmp_path: Path) -> None:
    straight = asked_and_told(relative(), 7)
    store = tmp_path / "oven.jsonl"
    with_a_break = []
    for until in (0, 4, 7):
        search = relative(store=store)
        with_a_break += asked_and_told(search, until)
        search.close()
    assert with_a_break == straight
    with pytest.raises(OrchestratorError, match="reference"):
        relative(store=store, reference={"x": 0.4, "y": 0.1})


def test_what_is_learned_at_once_is_judged_anew_once_and_comes_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{**TODAY, "value": 2.0, "heat": 1.2 + 0.1 * number} for number in range(4)]
    rows += [{"x": 0.5, "y": 0.1, "value": 1.0, "heat": heat} for heat in (1.4, 1.5)]
    one_by_one = relative(algorithm="random")
    for row in rows:
        one_by_one.learn_all([row])
    begun, built = list[Optimiser](), Optimiser._built

    def counted(search: Optimiser) -> Algorithm:
        begun.append(search)
        return built(search)

    monkeypatch.setattr(Optimiser, "_built", counted)
    store = tmp_path / "oven.jsonl"
    search = relative(algorithm="random", store=store)
    search.learn_all(rows)
    best = search.best()
    search.close()
    again = relative(algorithm="random", store=store)
    assert best == again.best() == one_by_one.best()
    assert begun == [search, again]
    again.close()


def test_a_pickled_one_knows_what_was_known_and_is_another() -> None:
    search = relative()
    asked_and_told(search, 2)
    copied = pickle.loads(pickle.dumps(search))
    copied.tell(copied.attach(TODAY).trial, {"value": 1.0, "heat": 9.0})
    assert asked_and_told(search, 4) == asked_and_told(relative(), 4)[2:]


def test_what_is_being_pickled_learns_nothing_from_the_one_that_goes_on() -> None:
    search = relative(algorithm="random")
    (first,) = search.ask()
    kept = search.__getstate__()
    search.tell(first.trial, oven(TODAY))
    assert not kept["_reading"].levels


def test_a_whole_search_begins_with_it_and_a_point_may_be_the_same_again() -> None:
    search = minimise(
        oven,
        SPACE,
        5,
        outcomes=["heat"],
        constraints=RELATIVE,
        reference=TODAY,
        points=[TODAY],
        algorithm="random",
    )
    rows = list(search.results())
    assert [(row["x"], row["y"]) for row in rows[:2]] == [(0.3, 0.1)] * 2
    assert len(rows) == 5


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"reference": None}, 'from Python `reference={"x": 0.3}`, got none'),
        ({"reference": {"x": 0.3}}, "a `reference` is of all parameters"),
        ({"reference": {"x": 0.3, "y": 7}}, "expected a number in"),
        ({"reference": 3}, "expected parameters as a mapping"),
        ({"reference_times": 0}, "expected `reference_times` from 1 to 1,000, got 0"),
        ({"reference_times": 2.0}, "expected `reference_times` from 1 to 1,000, got 2.0"),
        ({"reference": None, "constraints": [], "reference_times": 2}, "to be evaluated so often, got none"),
        ({"clock": "y"}, "expected no limits relative to the reference beside `clock`"),
        ({"fidelity": {"parameter": "y", "cost": "y + 1"}}, "expected a reference at full fidelity"),
    ],
)
def test_what_is_wrong_is_refused_in_a_sentence(more: dict[str, Any], sentence: str) -> None:
    with pytest.raises((SpecError, UsageError)) as caught:
        relative(**more)
    assert sentence in str(caught.value)


def test_it_is_without_what_does_not_count_there_and_what_follows_from_the_others(tmp_path: Path) -> None:
    space = {
        **SPACE,
        "fan": {"type": "choice", "values": ["off", "on"]},
        "speed": {"type": "float", "bounds": [1, 9], "when": {"fan": "on"}},
        "rest": {"type": "computed", "value": "1 - x"},
    }
    told = {"outcomes": ["heat"], "constraints": RELATIVE, "algorithm": "random"}
    today = {**TODAY, "fan": "off"}
    for _ in range(2):
        search = Optimiser(space, **told, reference=today, store=tmp_path / "oven.jsonl")
        (one,) = search.ask()
        assert one.parameters == {**today, "rest": 0.7}
        search.close()


def test_a_page_and_a_status_of_it_are_those_of_a_run(tmp_path: Path) -> None:
    from orchestrator.report.searches.kept_search import KeptSearch

    search = relative(store=tmp_path / "oven.jsonl", algorithm="random")
    asked_and_told(search, 5)
    search.close()
    kept = KeptSearch.open(tmp_path / "oven.jsonl")
    kinds = [type(event).__name__ for event in kept.run_events()]
    assert kinds.count("ReferenceMeasured") == 1
    assert kept.spec.initial.reference == TODAY


def test_what_is_said_of_a_file_is_for_who_searches_from_python(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "oven.jsonl")
    search = relative(store=store, algorithm="random")
    first, other = search.ask(2)
    search.abandon(first.trial)
    search.tell(other.trial, oven(other.parameters))
    search.close()
    assert cli.main(["status", store]) == cli.main(["explain", store, "1"]) == 0
    said = capsys.readouterr().out
    assert "came to nothing, or is forgotten; in its program `attach` has its settings tried again\n" in said
    assert "It is the reference, which is tried first: the best is measured against it." in said
    assert "chose it" not in said
    assert "orchestrator amend" not in said


def test_what_is_learned_at_once_is_read_at_once_from_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from orchestrator.report.searches.kept_search import KeptSearch

    monkeypatch.setattr("time.time", lambda: 1.7e9)
    search = relative(store=tmp_path / "oven.jsonl", algorithm="random")
    asked_and_told(search, 1)
    search.learn_all([{**TODAY, "value": 2.0, "heat": 1.2 + 0.1 * number} for number in range(4)])
    search.close()
    events = list(KeptSearch.open(tmp_path / "oven.jsonl").run_events())
    assert [len(event.results) for event in events if isinstance(event, ResultsAdded)] == [4]
    assert sum(isinstance(event, ReferenceMeasured) for event in events) == 2


def test_the_reference_is_believed_to_satisfy_what_is_relative_to_it() -> None:
    search = relative(algorithm="random", constraints=["heat <= reference(heat)"])
    for off in (0.02, -0.01, 0.03, -0.03, 0.01, -0.02):
        (one,) = search.ask()
        told = oven(one.parameters)
        search.tell(one.trial, {**told, "heat": told["heat"] + off})
    assert [one.satisfied for one in search.predict([TODAY])] == [1.0]
    assert search.predict([{"x": 0.95, "y": 0.1}])[0].satisfied < 0.1


def test_it_is_asked_for_as_often_as_is_said_and_the_limit_is_relative_to_the_mean(tmp_path: Path) -> None:
    store = tmp_path / "oven.jsonl"
    told = {"algorithm": "random", "reference_times": 3, "store": store}
    search = relative(**told)
    first, second = search.ask(2)
    search.tell(first.trial, {"value": 5.0, "heat": 1.0})
    search.tell(second.trial, {"value": 5.0, "heat": 2.0})
    search.close()
    search = relative(**told)
    third, other = search.ask(2)
    assert [dict(one.parameters) for one in (first, second, third)] == [TODAY] * 3
    assert dict(other.parameters) != TODAY
    search.tell(other.trial, {"value": 0.0, "heat": 1.6})
    assert search.best().value == 5.0  # below 1.05 times 1.5
    search.tell(third.trial, {"value": 5.0, "heat": 1.8})
    assert search.best().value == 0.0  # below 1.05 times 1.6
    search.close()
    with pytest.raises(OrchestratorError, match="reference_times"):
        relative(**{**told, "reference_times": 2})


def test_a_whole_search_evaluates_it_so_often_and_its_points_besides(tmp_path: Path) -> None:
    from orchestrator.report.searches.kept_search import KeptSearch

    store = tmp_path / "oven.jsonl"
    told = {"outcomes": ["heat"], "constraints": RELATIVE, "reference": TODAY, "reference_times": 2}
    for trials in (1, 4):
        search = minimise(oven, SPACE, trials, points=[TODAY], algorithm="random", store=store, **told)
        search.close()
    assert [row["x"] == 0.3 for row in search.results()] == [True, True, True, False]
    kept = KeptSearch.open(store)
    assert kept.spec.initial.reference_times == 2
    (suggested,) = [list(kept.run_events())]
    sources = [one.why.get("source") for event in suggested for one in getattr(event, "suggestions", ())]
    assert sources.count("reference") == 2


def test_it_may_be_asked_how_likely_a_limit_relative_to_it_is_broken() -> None:
    search, prior = relative(algorithm="random"), {"x": {"mean": 0.4, "deviation": 0.1}}
    first, *others = search.ask(6)
    for one in others:
        search.tell(one.trial, oven(one.parameters))
    with pytest.raises(UsageError, match=r"expected `reference\(heat\)` to be measured before this is asked"):
        search.spread({"y": 0.1}, prior=prior, limits=["heat <= 1.1 * reference(heat)"])
    search.tell(first.trial, oven(TODAY))
    limits = ["heat <= 1.1 * reference(heat)", f"heat <= {1.1 * oven(TODAY)['heat']!r}"]
    found = search.spread({"y": 0.1}, prior=prior, limits=limits, outcomes=["heat"])
    assert [one.limit for one in found.limits] == limits
    assert found.limits[0].broken == found.limits[1].broken > 0.0
