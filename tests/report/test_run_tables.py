"""Tables: the same for people, JSON and CSV, and CSV that can be read back as known results."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
import recorded_runs
from recorded_runs import SPEC, RecordedRun, always

from orchestrator.errors import UsageError
from orchestrator.report.best_tables import best_table
from orchestrator.report.run_tables import status_table, status_words, trials_table
from orchestrator.report.runs import FollowedRun, find_run, read_run
from orchestrator.report.standing import Standing, standing_of
from orchestrator.report.tables import Table
from orchestrator.runtime.run_folder import RunFolder
from orchestrator.scheduler import events as ev
from orchestrator.spec.csv_table import read_csv
from orchestrator.spec.load import load_spec_text

HOLDER: dict[str, object] = {"host": "lab", "pid": 7}


@pytest.fixture
def run(tmp_path: Path) -> FollowedRun:
    recorded = RecordedRun().begin().settle(5, lambda trial: 10.0 / 3 / trial)
    return read_run(recorded.write(tmp_path / "logs" / "wing-1"))


def test_the_csv_holds_every_trial_exactly(run: FollowedRun):
    rows = list(csv.DictReader(io.StringIO(trials_table(run).written("csv"))))
    assert len(rows) == len(run.state.trials)
    assert float(rows[2]["drag"]) == 10.0 / 3 / 3
    assert (rows[2]["skin"], rows[2]["state"], rows[5]["drag"]) == ("carbon", "completed", "")


def test_the_csv_is_a_file_of_known_results_for_the_next_run(run: FollowedRun, tmp_path: Path):
    (tmp_path / "before.csv").write_text(trials_table(run).written("csv"))
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


def test_status_of_a_run_that_nobody_works_on_says_how_to_go_on(run: FollowedRun):
    status = dict(zip(*_first(status_table(standing_of(run, None), None)), strict=True))
    assert (status["state"], status["completed"], status["workers"]) == ("interrupted", 5, 0)
    assert "orchestrator resume" in status["activity"]


def test_status_of_a_run_in_another_process_names_it(run: FollowedRun):
    holder: dict[str, object] = {"host": "lab", "pid": 7}
    words = status_words(standing_of(run, holder), holder)
    assert "running, by process 7 on lab" in words
    assert "5 of 20 settled: 5 completed, 0 failed; 2 running" in words
    assert "local-1: trial" in words


def test_status_shows_the_settings_of_trials_that_wait_for_approval():
    spec = SPEC.replace('evaluator: "wings:drag"', 'approval: true, evaluator: "wings:drag"')
    recorded = RecordedRun(spec).begin().answer_asks()
    words = status_words(Standing("wing-1", "logs/wing-1", recorded.view(), 0, 0), HOLDER)
    assert "approve trial 1: span = 1.1 m, sweep = 20 deg, ribs = 7, skin = carbon\n" in words
    assert "        trial 2: span = 1.2 m, sweep = 20 deg" in words

    recorded.happen(ev.TrialApproved(at=3.0, trial=1))
    words = status_words(Standing("wing-1", "logs/wing-1", recorded.view(), 0, 0), HOLDER)
    assert "trial 1: span" not in words
    assert "approve trial 2: span" in words


def test_status_says_who_takes_nothing_more():
    recorded = RecordedRun().begin(workers=2).answer_asks()
    recorded.happen(ev.WorkerBeganDraining(at=9.0, worker="local-2"))
    words = status_words(Standing("wing-1", "logs/wing-1", recorded.view(), 0, 0), HOLDER)
    assert ["draining" in line for line in words.splitlines() if "local-" in line] == [False, True]


def test_where_nothing_waits_for_approval_status_does_not_speak_of_it(run: FollowedRun):
    assert "approve" not in status_words(standing_of(run, HOLDER), HOLDER)


def test_status_shows_a_person_the_settings_to_try():
    recorded = RecordedRun(SPEC.replace('evaluator: "wings:drag"', "evaluator: person")).begin(workers=0)
    recorded.happen(ev.WorkerJoined(at=0.5, worker="person", slots=1)).answer_asks()
    words = status_words(Standing("wing-1", "logs/wing-1", recorded.view(), 0, 0), HOLDER)
    assert "record  trial 1: span = 1.1 m, sweep = 20 deg, ribs = 7, skin = carbon\n" in words
    assert " more: " not in words


def test_of_a_plate_s_settings_the_first_are_shown_and_where_the_others_are_said():
    recorded = RecordedRun(SPEC.replace('evaluator: "wings:drag"', "evaluator: person")).begin(workers=0)
    recorded.happen(ev.WorkerJoined(at=0.5, worker="person", slots=6)).answer_asks()
    running = recorded.scheduler.state.workers["person"].running
    running.update([running.popitem() for _ in range(len(running))])
    view = recorded.view()
    assert [one.trial for one in view.expected] == [1, 2, 3, 4, 5]
    words = status_words(Standing("wing-1", "logs/wing-1", view, 0, 0), HOLDER)
    assert (len(view.expected), view.expected_in_all) == (5, 6)
    assert "        and 1 more: orchestrator trials logs/wing-1 --state running\n" in words


def test_of_a_plate_s_results_that_nobody_took_up_the_first_are_listed(run: FollowedRun):
    left = [f"trial {number} is to be recorded with 1" for number in range(1, 25)]
    words = status_words(standing_of(run, None), None, left)
    assert "        trial 5 is to be recorded with 1\n        and 19 more\n" in words
    assert "trial 6 is" not in words
    assert "trial 6 is" in status_words(standing_of(run, None), None, left[:6])


def test_a_table_to_fill_in_has_columns_for_outcomes_before_there_are_any(tmp_path: Path):
    recorded = RecordedRun(f"{SPEC}outcomes: [heat]\nconstraints: [heat <= 80]\n").begin().answer_asks()
    table = trials_table(read_run(recorded.write(tmp_path / "wing-1")))
    assert "heat" in table.columns
    assert table.rows[0][table.columns.index("heat")] is None


def _first(table: Table) -> tuple[tuple[str, ...], list[object]]:
    return table.columns, list(table.rows[0])


def test_a_run_is_followed_as_its_journal_grows(tmp_path: Path):
    recorded = RecordedRun().begin().settle(2, always(1.0))
    folder = recorded.write(tmp_path / "run")
    run = FollowedRun.open(folder)
    assert len(run.catch_up()) == len(recorded.events)
    assert run.catch_up() == []
    more = ev.ResultArrived(at=99.0, worker="local-1", lease="3.1", value=0.25)
    from orchestrator.runtime.journal import encode_line

    line = encode_line(len(recorded.events) + 1, more)
    with folder.journal.open("ab") as journal:
        journal.write(line[:40])
        journal.flush()
        assert run.catch_up() == []
        journal.write(line[40:])
    assert run.catch_up() == [more]
    assert run.state.best.value == 0.25


class TestFindingARun:
    def test_by_folder_by_name_and_the_latest(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        import os

        monkeypatch.chdir(tmp_path)
        logs = Path("logs")
        for age, name in [(100, "wing-1"), (50, "wing-2")]:
            folder = RecordedRun().begin().write(logs / name)
            written = folder.journal.stat().st_mtime - age
            os.utime(folder.journal, (written, written))
        assert find_run(None, logs).name == "wing-2"
        assert find_run("wing-1", logs).path == logs / "wing-1"
        assert find_run("logs/wing-1/", logs) == RunFolder(Path("logs/wing-1"))

    def test_what_is_not_there_is_said_with_what_may_be_meant(self, tmp_path: Path):
        RecordedRun().begin().write(tmp_path / "wing-1")
        with pytest.raises(UsageError, match=r"did you mean `wing-1`"):
            find_run("wng-1", tmp_path)
        with pytest.raises(UsageError, match="found none"):
            find_run(None, tmp_path / "elsewhere")
        with pytest.raises(UsageError, match=r"with spec.yaml and journal.jsonl"):
            find_run(str(tmp_path), tmp_path)

    @pytest.mark.parametrize("named", ["w" * 300, None])
    def test_a_folder_that_cannot_be_looked_into_is_no_bug_of_ours(self, tmp_path: Path, named: str | None):
        logs = tmp_path if named else tmp_path / ("w" * 300)
        with pytest.raises(UsageError, match="File name too long"):
            find_run(named, logs)


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
