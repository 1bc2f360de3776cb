"""A search from Python that a file keeps answers the commands that a run answers."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from orchestrator import Optimiser, Plan, minimise
from orchestrator.cli import main
from orchestrator.command_line.arguments import command_parser
from orchestrator.report.following.run_so_far import run_so_far
from orchestrator.report.models.measured_results import measured_of, trials_with
from orchestrator.report.searches.kept_search import KeptSearch
from orchestrator.search_files.beginning import TAKEN_BY, is_search_file
from orchestrator.spec.build import build_space
from orchestrator.system.checked_lines import Record, checked_line

PARAMETERS = {
    "x": (0.0, 1.0),
    "kind": {"type": "choice", "values": ["relu", None, (1, 2)]},
    "steps": {"type": "float", "bounds": [0, 2], "step": 0.5},
    "depth": {"type": "int", "bounds": [1, 9], "when": {"kind": "relu"}, "otherwise": 0},
    "double": {"type": "computed", "value": "2 * x"},
    "folder": {"type": "fixed", "value": ["a", "b"]},
}
Told = Callable[..., str]


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Told:
    """What a command says that is refused."""

    def command(*words: object) -> str:
        assert main([str(word) for word in words]) in (1, 2)
        return capsys.readouterr().err

    return command


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "search.jsonl"


def bowl(parameters: dict[str, Any]) -> float:
    return float((parameters["x"] - 0.3) ** 2 + parameters["steps"])


def searched(store: Path, trials: int = 8, **terms: Any) -> Optimiser:
    found = minimise(bowl, PARAMETERS, trials, algorithm="random", store=store, **terms)
    found.close()
    return found


def rows(csv_text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_text)))


def test_the_best_point_is_that_which_python_tells(store: Path, told: Told) -> None:
    best = searched(store).best()
    row = json.loads(told("best", store, "--format", "json"))
    assert (row["trial"], row["value"], row["x"]) == (best.trial, best.value, best.parameters["x"])


def test_trials_are_those_that_were_told_with_names_for_values_that_no_spec_can_have(
    store: Path, told: Told
) -> None:
    found = searched(store)
    table = rows(told("export", store))
    assert [float(row["value"]) for row in table] == [row["value"] for row in found.results()]
    names = {"relu": "relu", None: "none", (1, 2): "[1, 2]"}
    assert [row["kind"] for row in table] == [names[row["kind"]] for row in found.results()]
    assert all((row["depth"] == "") == (row["kind"] != "relu") for row in table)


def test_status_says_how_far_it_is_of_what_was_planned(store: Path, told: Told) -> None:
    searched(store)
    assert "8 of 8 settled" in told("status", store)
    searched(store, 10)
    status = json.loads(told("status", store, "--format", "json"))
    assert (status["state"], status["completed"], status["budget_trials"]) == ("ended", 10, 10)


def test_what_its_trials_were_planned_to_cost_is_said(store: Path, told: Told) -> None:
    levels = {"x": (0.0, 1.0), "cells": {"type": "ordered", "values": [1, 4]}}
    fidelity = {"parameter": "cells", "cost": "cells / 4"}
    terms = {"algorithm": "auto", "options": {"start_points": 30}, "fidelity": fidelity, "store": store}
    found = minimise(lambda p: p["x"], levels, cost=3, **terms)
    status = json.loads(told("status", store, "--format", "json"))
    assert (status["state"], status["budget_trials"], status["budget_cost"]) == ("ended", None, 3.0)
    assert status["cost"] == found.spent >= 3.0
    assert "cost: 3.0" in Path(told("report", store).strip()).read_text()
    minimise(lambda p: p["x"], levels, cost=5, trials=40, **terms)
    status = json.loads(told("status", store, "--format", "json"))
    assert (status["budget_trials"], status["budget_cost"]) == (40, 5.0)
    more = Optimiser(levels, goal="minimise", **terms)
    more.tell(more.ask()[0].trial, 0.5)
    more.close()
    assert json.loads(told("status", store, "--format", "json"))["budget_cost"] is None


def test_the_best_trials_of_a_page_have_seconds_where_somebody_told_them(store: Path, told: Told) -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, goal="minimise", algorithm="random", store=store)
    optimiser.tell(optimiser.ask()[0].trial, 1.0)
    assert "seconds</th>" not in Path(told("report", store).strip()).read_text()
    optimiser.tell(optimiser.ask()[0].trial, 2.0, seconds=0.5)
    assert "seconds</th>" in Path(told("report", store).strip()).read_text()


def test_one_that_a_program_has_open_is_seen_as_it_stands(store: Path, told: Told) -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random", store=store)
    first, second = optimiser.ask(2)
    optimiser.tell(first.trial, 1.0)
    status = json.loads(told("status", store, "--format", "json"))
    assert (status["state"], status["running"], status["completed"]) == ("running", 1, 1)
    optimiser.close()
    status = json.loads(told("status", store, "--format", "json"))
    assert (status["state"], status["running"], status["waiting"]) == ("interrupted", 0, 1)
    explained = told("explain", store, second.trial)
    assert "begun again where its program is run again" in explained
    assert explained.endswith(" left\n")


def test_a_line_that_is_half_written_has_not_happened_yet(store: Path, told: Told) -> None:
    searched(store)
    whole = store.read_bytes()
    store.write_bytes(whole[:-20])
    assert json.loads(told("status", store, "--format", "json"))["completed"] == 7
    assert store.read_bytes() == whole[:-20]


def as_written_before(store: Path) -> None:
    """What a version wrote that told neither when things happened, nor when parameters count."""
    lines = [json.loads(line) for line in store.read_bytes().splitlines()]
    for line in lines:
        for name in ("trials", "when") if line["event"] == "Opened" else ("at",):
            line["data"].pop(name, None)
    encoded = (Record(line["n"], line["event"], Raw(json.dumps(line["data"]).encode())) for line in lines)
    store.write_bytes(b"".join(map(checked_line, encoded)))


def test_files_of_before_are_shown_but_for_when_things_happened(
    store: Path, tmp_path: Path, told: Told, refused: Told
) -> None:
    found = minimise(lambda p: p["x"], {"x": (0.0, 1.0)}, 3, algorithm="random", store=store)
    found.close()
    as_written_before(store)
    status = json.loads(told("status", store, "--format", "json"))
    assert (status["state"], status["completed"], status["elapsed_s"]) == ("at rest", 3, 0.0)
    assert status["best"] == found.best().value
    conditional = tmp_path / "conditional.jsonl"
    searched(conditional, 2)
    as_written_before(conditional)
    assert "run its program once more" in refused("status", conditional)
    searched(conditional, 3)
    assert "3 of 3 settled" in told("status", conditional)


def test_what_failed_was_abandoned_attached_or_learned_is_told_apart(store: Path, told: Told) -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random", store=store, plan=Plan(trials=3))
    optimiser.learn({"x": 0.5}, 9.0)
    failed, abandoned = optimiser.ask(2)
    optimiser.tell(failed.trial, None)
    optimiser.abandon(abandoned.trial)
    optimiser.tell(optimiser.attach({"x": 0.25}).trial, 1.0, seconds=2.5)
    optimiser.close()
    states = [(row["state"], row["x"], row["seconds"]) for row in rows(told("export", store))[1:]]
    assert states[1] == ("completed", "0.25", "2.5")
    assert [row["state"] for row in rows(told("export", store))] == ["failed", "abandoned", "completed"]
    assert "attached it" in told("explain", store, 3)
    assert json.loads(told("best", store, "--format", "json"))["value"] == 9.0


def test_why_an_evaluation_failed_is_kept_and_told(store: Path, told: Told) -> None:
    def brittle(parameters: dict[str, Any]) -> float | None:
        calls.append(parameters)
        if len(calls) == 2:
            raise ValueError("the solver\ndiverged")
        return None if len(calls) == 3 else 1.0

    calls: list[dict[str, Any]] = []
    with pytest.warns(RuntimeWarning, match="trial 2 failed: ValueError"):
        minimise(brittle, {"x": (0.0, 1.0)}, 4, algorithm="random", store=store)
    optimiser = Optimiser({"x": (0.0, 1.0)}, goal="minimise", algorithm="random", store=store)
    (asked,) = optimiser.ask()
    optimiser.tell(asked.trial, None, reason="the pump " + 300 * "x")
    optimiser.close()
    messages = [row["message"].removeprefix("error: ") for row in rows(told("export", store))]
    assert messages[:4] == ["", "ValueError: the solver diverged", "it returned None", ""]
    assert messages[4].startswith("the pump xxx")
    assert len(messages[4]) <= 200
    assert "the solver diverged" in told("explain", store, 2)


def test_what_came_with_a_failure_is_kept_and_told(store: Path, told: Told) -> None:
    with_pump = Optimiser({"x": (0.0, 1.0)}, store=store)
    (asked,) = with_pump.ask()
    with_pump.tell(asked.trial, {"value": None, "pump": "leaks", "flow": 3.5}, reason="no pressure")
    with_pump.close()
    (row,) = rows(told("export", store, "--format", "csv"))
    assert (row["state"], row["pump"], row["flow"]) == ("failed", "leaks", "3.5")
    assert "pump: leaks" in told("explain", store, 1)


def test_what_must_hold_for_one_value_of_a_choice_is_no_equality(store: Path) -> None:
    texts = ['kind == "relu" or x <= 0.5', "x + y == 1"]
    parameters = PARAMETERS | {"y": (0.0, 1.0)}
    Optimiser(parameters, algorithm="random", store=store, constraints=texts).close()
    assert KeptSearch.open(store).spec.constraints == texts[:1]


def test_constraints_and_further_objectives_make_the_same_front(store: Path, told: Told) -> None:
    optimiser = Optimiser(
        {"x": (0.0, 1.0), "y": (0.0, 1.0)},
        algorithm="sobol",
        outcomes=["lift"],
        objectives={"cost": "minimise"},
        constraints=["lift >= 0.4", "x + y <= 1.5"],
        store=store,
    )
    for asked in optimiser.ask(8):
        x, y = asked.parameters["x"], asked.parameters["y"]
        optimiser.tell(asked.trial, x, outcomes={"lift": y, "cost": x * y})
    optimiser.close()
    front = json.loads(told("best", store, "--format", "json"))
    assert sorted(row["trial"] for row in front) == sorted(best.trial for best in optimiser.front())


def test_blocks_and_a_clock_are_known(store: Path, tmp_path: Path, told: Told, refused: Told) -> None:
    plates = Optimiser({"ph": (4.0, 9.0)}, blocks=True, store=store)
    for plate, asked in enumerate(plates.ask(2)):
        plates.tell(asked.trial, 1.0, block=plate)
    plates.close()
    assert [row["block"] for row in rows(told("export", store))] == ["0", "1"]
    terms = {"clock": "hours", "algorithm": "gp-ei", "store": tmp_path / "drifts.jsonl"}
    warm = Optimiser({"hours": (0.0, 48.0), "heat": (100.0, 200.0)}, **terms)
    for hours in (0.0, 1.5):
        (asked,) = warm.ask(held={"hours": hours})
        warm.tell(asked.trial, asked.parameters["heat"])
    warm.close()
    assert [float(row["hours"]) for row in rows(told("export", terms["store"]))] == [0.0, 1.5]
    assert "may be otherwise now; in its program `recommend(held=...)` has" in refused("best", terms["store"])
    assert "Held then: hours = 1.5" in told("explain", terms["store"], 2)


def test_of_conditions_in_use_the_file_says_what_a_design_is_to_be_best_over(tmp_path: Path) -> None:
    windy = {"type": "float", "bounds": (0, 20), "in_use": "evenly"}
    store = tmp_path / "worst.jsonl"
    Optimiser({"angle": (0, 30), "wind": windy}, over={"worst": 0.2}, store=store)
    assert run_so_far(KeptSearch.open(store)).spec.objective.over == {"worst": 0.2}


def test_of_conditions_in_use_it_is_said_who_has_the_best_design(
    store: Path, told: Told, refused: Told
) -> None:
    windy = {"type": "float", "bounds": (0, 20), "in_use": "evenly"}
    rotor = Optimiser({"angle": (0.0, 30.0), "wind": windy}, store=store)
    (asked,) = rotor.ask()
    rotor.tell(asked.trial, 1.0)
    rotor.close()
    has_it = "each trial is of one condition; in its program `recommend()` has the design"
    assert has_it in refused("best", store)
    assert has_it in " ".join(told("status", store).split())
    told("report", store)
    assert has_it in store.with_name("search-report.html").read_text()


def plates_told(store: Path, *, known: int) -> Optimiser:
    """Of which some are known from elsewhere; the second plate is bright, so that its values are no best."""
    plates = Optimiser({"ph": (0.0, 1.0)}, options={"start_points": 4}, blocks=True, store=store)
    for number in range(18):
        plate, ph = (("1", number / 8), ("2", 0.6 + (number - 9) / 20))[number // 9]
        value = math.sin(3.0 * ph) + {"1": 0.0, "2": 0.5}[plate]
        if number < known:
            plates.learn({"ph": ph}, value, block=plate)
        else:
            plates.tell(plates.attach({"ph": ph}).trial, value, block=plate)
    return plates


@pytest.mark.parametrize("known", [3, 18])
def test_what_is_believed_best_without_offsets_is_that_which_python_told(
    known: int, store: Path, told: Told
) -> None:
    plates = plates_told(store, known=known)
    best = plates.best()
    assert best.believed is not None
    assert best.believed.trial != best.trial or known == 18
    row = json.loads(told("best", store, "--format", "json"))
    assert row["value"] == best.value
    assert row["believed_best"] == pytest.approx(best.believed.predicted.mean)
    assert row["believed_best_parameters"] == best.believed.parameters
    status = json.loads(told("status", store, "--format", "json"))
    for plate, offset in plates.insight().offsets.items():
        assert status["offsets"][plate] == pytest.approx([offset.mean, offset.deviation])
    lines = store.read_bytes()
    assert plates.best() == best
    # What is known already is not written again.
    assert store.read_bytes() == lines
    plates.close()
    assert plates.best() == best
    assert "offsets:" in Path(told("report", store).strip()).read_text()
    again = Optimiser({"ph": (0.0, 1.0)}, options={"start_points": 4}, blocks=True, store=store)
    assert again.best() == best
    again.close()


def test_models_are_of_what_was_told(store: Path) -> None:
    found = searched(store)
    run = run_so_far(KeptSearch.open(store))
    space = build_space(run.spec)
    measured = measured_of(run, space, "value", trials_with(run, "value"))
    assert list(measured.values) == [row["value"] for row in found.results()]
    assert measured.sign == -1.0


def test_its_page_has_what_that_of_a_run_has(store: Path, told: Told) -> None:
    searched(store)
    path = Path(told("report", store).strip())
    assert path == store.with_name("search-report.html")
    page = path.read_text()
    for part in ("from Python", "The best so far", "The best trials", "The problem", "<svg"):
        assert part in page


def test_where_results_show_no_noise_it_is_said_how_a_program_sees_whether_there_is_any(
    store: Path, told: Told
) -> None:
    minimise(lambda point: float(point["x"]), {"x": (0.0, 1.0)}, 6, algorithm="sobol", store=store).close()
    flowing = " ".join(told("compare", store, "--against", "1").split())
    assert "see if they do: have an Optimiser of this file attach the parameters of each" in flowing
    assert "amend" not in flowing


@pytest.mark.parametrize(
    "words",
    [
        ("amend", "--pause"),
        ("resume",),
        ("watch",),
        ("fsck",),
        ("approve", 1),
        ("run",),
        ("validate",),
        ("try",),
        ("doctor",),
    ],
)
def test_what_makes_no_sense_of_a_search_says_what_to_do(words: Any, store: Path, refused: Told) -> None:
    searched(store, 1)
    command, *others = words
    said = refused(command, store, *others)
    assert "goes on where that is run again" in said
    assert f"orchestrator status {store}; it is taken by `status`, `trials`," in said


def test_the_commands_that_are_said_to_take_a_search_are_those_whose_help_says_so() -> None:
    helped = {name: parser.format_help() for name, parser in command_parser([])[1].items()}
    taking = {name for name, text in helped.items() if re.search(r"search(es)?\s+from\s+Python", text)}
    assert taking == set(TAKEN_BY)


@pytest.mark.parametrize(("held", "said"), [("", "an empty file"), ("x,y\n", "another file")])
def test_a_file_of_no_search_is_told_from_a_run_that_is_not_there(
    held: str, said: str, tmp_path: Path, refused: Told
) -> None:
    (tmp_path / "results").write_text(held)
    assert f"or the file of a search from Python, got {tmp_path}/results, {said}" in refused(
        "status", tmp_path / "results"
    )


def test_a_pipe_is_no_search_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert not is_search_file(tmp_path / "pipe")
