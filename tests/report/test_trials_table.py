"""Tables: the same for people, JSON and CSV, and CSV that can be read back as known results."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path

import pytest
import recorded_runs
from recorded_runs import SPEC, RecordedRun, always

from orchestrator.report.following.runs import FollowedRun, read_run
from orchestrator.report.tables.best import best_table
from orchestrator.report.tables.table import Format, Table
from orchestrator.report.tables.trials import in_state, trials_table
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import BlockBegan, ValuesAmended
from orchestrator.scheduler.event_parts import ValuedAnew
from orchestrator.spec.document.csv_table import read_csv
from orchestrator.spec.load import load_spec_text


@pytest.fixture
def run(tmp_path: Path) -> FollowedRun:
    recorded = RecordedRun().begin().settle(5, lambda trial: 10.0 / 3 / trial)
    return read_run(recorded.write(tmp_path / "logs" / "wing-1"))


def test_the_csv_holds_every_trial_exactly(run: FollowedRun):
    rows = list(csv.DictReader(io.StringIO(trials_table(run).written("csv"))))
    assert len(rows) == len(run.state.trials)
    assert float(rows[2]["drag"]) == 10.0 / 3 / 3
    assert (rows[2]["skin"], rows[2]["state"], rows[5]["drag"]) == ("carbon", "completed", "")


def test_with_semicolons_numbers_have_decimal_commas_and_other_cells_are_as_they_were(run: FollowedRun):
    text = trials_table(run).written("semicolons")
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), delimiter=";"))
    points = list(csv.DictReader(io.StringIO(trials_table(run).written("csv"))))
    assert text.startswith("\ufeff")
    assert float(rows[2]["drag"].replace(",", ".")) == 10.0 / 3 / 3
    assert "." not in rows[2]["drag"]
    assert [row["skin"] for row in rows] == [row["skin"] for row in points]
    assert [row["state"] for row in rows] == [row["state"] for row in points]


def test_of_a_run_that_was_killed_nobody_says_that_its_trials_run(run: FollowedRun):
    there, gone = (Counter(row[1] for row in trials_table(run, attended=held).rows) for held in (True, False))
    assert (there["running"], there["interrupted"]) == (2, 0)
    assert (gone["running"], gone["interrupted"], gone["completed"]) == (0, 2, 5)
    assert [len(in_state(run, "running", attended=held)) for held in (True, False)] == [2, 0]
    assert [trial.number for trial in in_state(run, "interrupted", attended=False)] == [6, 7]


def test_a_person_has_a_trial_still_where_the_run_was_killed(tmp_path: Path):
    recorded = RecordedRun(SPEC.replace('"wings:drag"', "person"))
    recorded.happen(ev.RunStarted(at=0.0, run="wing-1", wall=""))
    recorded.happen(ev.WorkerJoined(at=0.1, worker="person", slots=2, local=True)).answer_asks()
    run = read_run(recorded.write(tmp_path / "logs" / "wing-1"))
    assert [row[1] for row in trials_table(run, attended=False).rows] == ["running", "running"]
    assert run.view(attended=False).running_words == "2 running"


def test_which_block_a_trial_is_of_stands_in_the_table_however_it_was_said(tmp_path: Path):
    recorded = RecordedRun(SPEC.replace("parameters:", "blocks: plate\nparameters:")).begin(workers=1)
    recorded.settle(1, always(1.0)).happen(BlockBegan(at=recorded.at, block="7", request="b"))
    run = read_run(recorded.settle(2, always(1.0)).write(tmp_path / "logs" / "wing-1"))
    plates = [
        dict(zip(trials_table(run).columns, row, strict=True))["plate"] for row in trials_table(run).rows
    ]
    assert plates[:3] == [None, None, "7"]


def test_a_block_that_each_worker_has_of_its_own_stands_there_once(tmp_path: Path):
    spec = SPEC.replace("workers: {local: 2}", "blocks: plate\nworkers: {each: {plate: [7], PORT: [9]}}")
    recorded = RecordedRun(spec)
    recorded.happen(ev.RunStarted(at=0.0, run="wing-1", wall="2024-01-01T00:00:00"))
    own = {"plate": "7", "PORT": "9"}
    recorded.happen(ev.WorkerJoined(at=0.5, worker="local-1", slots=1, local=True, own=own))
    run = read_run(recorded.settle(1, always(1.0)).write(tmp_path / "logs" / "wing-1"))
    table = trials_table(run)
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert (row["plate"], row["PORT"], "run.plate" in row) == ("7", "9", False)


def test_a_curve_leaves_room_for_what_stands_behind_it_and_is_whole_for_programs():
    curve = [0.25] * 1_000
    table = Table(("trial", "curve", "parts", "worker"), [(1, curve, {"a": 1}, "lab")])
    assert table.written("table", 80).splitlines()[1] == '    1  [0.25, 0.25, 0.25, 0.2 …  {"a": 1}  lab'
    assert json.loads(table.written("json"))[0]["curve"] == curve


@pytest.mark.parametrize("heading", ["heat", "heat, inside", 'heat of the "fin"; outside'])
def test_with_semicolons_it_is_read_back_whatever_columns_are_called(heading: str):
    rows = [(0.5, "1,5", None, True), (-1e-17, 'a;b "c"', [1.5, 2], False)]
    text = Table((heading, "skin", "parts", "held"), rows).written("semicolons")
    table = read_csv(text.removeprefix("\ufeff"), "before.csv")
    assert table.header == (heading, "skin", "parts", "held")
    assert [cells for _, cells in table.rows] == [
        ("0,5", "1,5", "", "true"),
        ("-1e-17", 'a;b "c"', "[1.5, 2]", "false"),
    ]
    assert table.with_point("0,5") == "0.5"


@pytest.mark.parametrize("form", ["csv", "semicolons"])
def test_the_csv_is_a_file_of_known_results_for_the_next_run(run: FollowedRun, tmp_path: Path, form: Format):
    (tmp_path / "before.csv").write_text(trials_table(run).written(form))
    text = SPEC.replace("wings:drag", "math:sqrt") + "initial: {results: before.csv}\n"
    known = load_spec_text(text, "next.yaml", tmp_path).spec.initial.results
    assert [result.value for result in known] == [10.0 / 3 / trial for trial in range(1, 6)]


def test_and_so_is_what_each_factor_gave(run: FollowedRun, tmp_path: Path):
    for trial in run.state.trials.values():
        trial.factors = None if trial.value is None else (0.25 * trial.value, 0.75 * trial.value)
    (tmp_path / "before.csv").write_text(trials_table(run).written("csv"))
    halves = "factors: [[span, ribs], [sweep, skin]]\n"
    text = SPEC.replace("wings:drag", "math:sqrt") + halves + "initial: {results: before.csv}\n"
    known = load_spec_text(text, "next.yaml", tmp_path).spec.initial.results
    assert [sum(result.factors or ()) for result in known] == pytest.approx([10 / 3 / i for i in range(1, 6)])


@pytest.mark.parametrize(
    ("old", "new"), [("ribs", "value"), ("ribs", "variance"), ("name: drag", "name: state")]
)
def test_so_it_is_whatever_the_parameters_and_the_objective_are_called(
    tmp_path: Path, old: str, new: str, monkeypatch: pytest.MonkeyPatch
):
    made = recorded_runs.parameters

    def renamed(number: int) -> dict[str, object]:
        return {name.replace(old, new): told for name, told in made(number).items()}

    monkeypatch.setattr(recorded_runs, "parameters", renamed)
    spec = SPEC.replace(old, new)
    recorded = RecordedRun(spec).begin().settle(3, lambda trial: 10.0 / 3 / trial)
    run = read_run(recorded.write(tmp_path / "logs" / "wing-1"))
    (tmp_path / "before.csv").write_text(trials_table(run).written("csv"))
    text = spec.replace("wings:drag", "math:sqrt") + "initial: {results: before.csv}\n"
    known = load_spec_text(text, "next.yaml", tmp_path).spec.initial.results
    assert [result.value for result in known] == [10.0 / 3 / trial for trial in range(1, 4)]
    assert known[0].parameters == dict(run.state.trials[1].parameters)


def test_values_that_are_computed_anew_stand_beside_those_of_before(tmp_path: Path):
    recorded = RecordedRun().begin().settle(3, lambda trial: 10.0 * trial)
    before = trials_table(read_run(recorded.write(tmp_path / "before")))
    assert "value_before" not in before.columns
    anew = (ValuedAnew(trial=2, value=2.0), ValuedAnew(trial=3, value=None, message="invalid: none"))
    recorded.happen(ValuesAmended(at=recorded.at, objective={"value": "drag"}, anew=anew))
    recorded.happen(
        ValuesAmended(at=recorded.at, objective={"value": "drag"}, anew=(ValuedAnew(trial=2, value=3.0),))
    )
    table = trials_table(read_run(recorded.write(tmp_path / "after")))
    told = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert [(row["drag"], row["value_before"]) for row in told[:3]] == [
        (10.0, None),
        (3.0, 2.0),
        (None, 30.0),
    ]
    # Read back as known results, it is no value of another trial.
    (tmp_path / "known.csv").write_text(table.written("csv"))
    text = recorded.spec_text.replace("wings:drag", "math:sqrt") + "initial: {results: known.csv}\n"
    known = load_spec_text(text, "next.yaml", tmp_path).spec.initial.results
    assert [result.value for result in known[:3]] == [10.0, 3.0, None]
    assert not any("value_before" in result.outcomes for result in known)


def test_cells_with_line_ends_of_any_kind_are_read_back():
    notes = ["7 %\r8 %", "done\r\n", "done\n", "7 %\x0b8 %"]
    text = Table(("note", "drag"), [[note, 2.5] for note in notes]).written("csv")
    assert [cells[0] for _, cells in read_csv(text, "notes.csv").rows] == notes


def test_json_keeps_types_and_a_table_lines_up(run: FollowedRun):
    rows = json.loads(trials_table(run).written("json"))
    assert rows[0]["drag"] == 10.0 / 3
    assert rows[0]["ribs"] == 7
    lines = trials_table(run).written("table").splitlines()
    assert lines[1].index("completed") == lines[2].index("completed") == lines[0].index("state")


def test_columns_without_room_are_named_not_wrapped(run: FollowedRun):
    text = trials_table(run).written("table", width=60)
    assert all(len(line) <= 60 for line in text.splitlines()[:-1])
    assert text.splitlines()[-1].startswith("not shown, for want of room: ")
    assert "settled_s" in text.splitlines()[-1]


def test_what_only_models_see_of_a_candidate_is_left_out_before_what_is_set(tmp_path: Path):
    rows = "[{sweep: 20, ribs: 7, skin: foam}, {sweep: 30, ribs: 9, skin: carbon}]"
    candidates = f"candidates: {{table: {rows}, seen: [sweep, ribs]}}\nparameters:"
    spec = SPEC.replace("parameters:", candidates).replace('"wings:drag"', "person")
    spec = "\n".join(
        line for line in spec.splitlines() if not line.startswith(("  sweep:", "  ribs:", "  skin:"))
    )
    recorded = RecordedRun(spec)
    recorded.happen(ev.RunStarted(at=0.0, run="wing-1", wall=""))
    recorded.happen(ev.WorkerJoined(at=0.1, worker="person", slots=2, local=True)).answer_asks()
    table = trials_table(read_run(recorded.write(tmp_path / "logs" / "wing-1")))
    assert table.columns[3:7] == ("skin", "span", "sweep", "ribs")
    assert table.written("table", width=40).split("\n")[0].split() == [
        "trial",
        "state",
        "drag",
        "skin",
        "span",
        "(m)",
    ]


def test_a_long_text_is_left_out_before_what_stands_behind_it() -> None:
    told = Table(("trial", "note", "worker", "message"), [(1, "n" * 300, "local-1", "it fell")])
    assert told.written("table", width=80).splitlines() == [
        "trial  worker   message",
        "    1  local-1  it fell",
        "not shown, for want of room: note; whole with --format csv",
    ]
    assert told.written("table", width=15).splitlines()[0] == "trial  worker"


def test_what_an_evaluator_calls_a_column_is_shown_and_not_obeyed() -> None:
    told = Table(("trial", "\x1b[2Jlift\nmore"), [(1, 2.5)])
    assert told.written("table").splitlines() == ["trial   [2Jlift more", "    1            2.5"]
    assert told.written("table", width=6).splitlines()[-1].startswith("not shown, for want of room:  [2Jlift")
    assert json.loads(told.written("json")) == [{"trial": 1, "\x1b[2Jlift\nmore": 2.5}]


def test_a_parameter_may_be_named_as_one_of_our_columns(tmp_path: Path):
    spec = SPEC.replace("  span: ", "  trial: ")
    recorded = RecordedRun(spec)
    run = read_run(recorded.begin().write(tmp_path / "run"))
    columns = trials_table(run).columns
    assert len(set(columns)) == len(columns)
    assert "trial" in columns
    assert "run.trial" in columns


def test_what_a_trials_worker_had_of_its_own_stands_beside_it(tmp_path: Path):
    text = SPEC.replace("local: 2", "local: 2, each: {GPU: ['0,1', 2], ARM: [left, right]}")
    recorded = RecordedRun(text).begin(workers=2)
    recorded.happen(ev.WorkerJoined(at=0.6, worker="elsewhere", slots=1))
    table = trials_table(read_run(recorded.settle(3, always(1.0)).write(tmp_path / "wing-1")))
    worker = table.columns.index("worker")
    assert table.columns[worker + 1 : worker + 3] == ("GPU", "ARM")
    assert {tuple(row[worker : worker + 3]) for row in table.rows[:3]} == {
        ("local-1", "0,1", "left"),
        ("local-2", "2", "right"),
        ("elsewhere", None, None),
    }


def test_what_a_worker_elsewhere_told_of_its_slots_stands_there_too(tmp_path: Path):
    recorded = RecordedRun(SPEC).begin(workers=0)
    recorded.happen(ev.WorkerJoined(at=0.6, worker="far", slots=2)).answer_asks()
    for number, arm in ((1, "left"), (2, "right")):
        own = {"ARM": arm}
        recorded.happen(
            ev.ResultArrived(at=2.0, worker="far", lease=f"{number}.1", value=1.0, elapsed=1.0, own=own)
        )
    table = trials_table(read_run(recorded.write(tmp_path / "wing-1")))
    worker = table.columns.index("worker")
    assert table.columns[worker + 1] == "ARM"
    assert [row[worker : worker + 2] for row in table.rows[:2]] == [["far", "left"], ["far", "right"]]


def test_what_a_worker_had_is_never_read_back_as_a_variance(tmp_path: Path):
    text = SPEC.replace("local: 2", "local: 2, each: {variance: [5, 6]}")
    run = read_run(RecordedRun(text).begin(workers=2).settle(3, always(1.0)).write(tmp_path / "wing-1"))
    (tmp_path / "before.csv").write_text(trials_table(run).written("csv"))
    following = SPEC.replace("wings:drag", "math:sqrt") + "initial: {results: before.csv}\n"
    known = load_spec_text(following, "next.yaml", tmp_path).spec.initial.results
    assert [result.variance for result in known] == [None] * 3


def test_the_best_point_has_units(run: FollowedRun):
    rows = {row[0]: row[1:] for row in best_table(run).rows}
    assert rows["trial"] == [5, None]
    assert rows["span"] == [1.5, "m"]


def test_an_empty_table_is_still_a_table():
    table = Table(("a", "b"), [])
    assert table.written("csv") == "a,b\n"
    assert json.loads(table.written("json")) == []
    assert table.written("table") == "a  b\n"
    assert json.loads(table.as_object()) is None


def test_a_table_to_fill_in_has_columns_for_outcomes_before_there_are_any(tmp_path: Path):
    recorded = RecordedRun(f"{SPEC}outcomes: [heat]\nconstraints: [heat <= 80]\n").begin().answer_asks()
    table = trials_table(read_run(recorded.write(tmp_path / "wing-1")))
    assert "heat" in table.columns
    assert table.rows[0][table.columns.index("heat")] is None


def test_what_evaluators_wrote_is_shown_by_terminals_and_spreadsheets_and_not_obeyed(run: FollowedRun):
    run.state.trials[1].extras = {"=log": "@SUM(A1)", "note": "\x1b[2Jgone\x9b", "delta": "-1e3", "gap": -2.5}
    run.state.trials[1].message = '=HYPERLINK("http://a")\nsecond line'
    run.state.trials[1].parameters = {**run.state.trials[1].parameters, "skin": "-O2"}
    table = trials_table(run)
    row = next(csv.DictReader(io.StringIO(table.written("csv"), newline="")))
    assert (row["'=log"], row["note"], row["delta"], row["gap"]) == ("'@SUM(A1)", "[2Jgone", "-1e3", "-2.5")
    assert row["message"] == '\'=HYPERLINK("http://a")\nsecond line'
    # The spec's own texts have to come back as they are.
    assert row["skin"] == "-O2"
    told = table.written("json")
    assert json.loads(told)[0]["=log"] == "@SUM(A1)"
    assert json.loads(told)[0]["note"] == "\x1b[2Jgone\x9b"
    assert "\x9b" not in told
