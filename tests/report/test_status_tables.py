"""The status of a run, for people and for programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded_runs import SPEC, RecordedRun, always

from orchestrator.report.following.runs import FollowedRun, read_run
from orchestrator.report.following.standing import Standing, standing_of
from orchestrator.report.tables.status import status_table, status_words
from orchestrator.report.tables.table import Table
from orchestrator.scheduler import events as ev

HOLDER: dict[str, object] = {"host": "lab", "pid": 7}


@pytest.fixture
def run(tmp_path: Path) -> FollowedRun:
    recorded = RecordedRun().begin().settle(5, lambda trial: 10.0 / 3 / trial)
    return read_run(recorded.write(tmp_path / "logs" / "wing-1"))


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

    recorded.settle(1, always(None))
    words = status_words(Standing("wing-1", "logs/wing-1", recorded.view(), 0, 0), HOLDER)
    assert (
        "approve trial 1: span = 1.1 m, sweep = 20 deg, ribs = 7, skin = carbon; it failed: error: " in words
    )


def test_status_says_who_takes_nothing_more():
    recorded = RecordedRun().begin(workers=2).answer_asks()
    recorded.happen(ev.WorkerBeganDraining(at=9.0, worker="local-2"))
    words = status_words(Standing("wing-1", "logs/wing-1", recorded.view(), 0, 0), HOLDER)
    assert ["draining" in line for line in words.splitlines() if "local-" in line] == [False, True]


@pytest.mark.parametrize(
    ("workers", "last"), [(100, "local-100: idle; 0 done, 0 failed"), (1300, "and 1,200 more")]
)
def test_of_many_workers_status_says_how_many_it_leaves_out(workers: int, last: str):
    view = RecordedRun().begin(workers=workers).view()
    words = status_words(Standing("wing-1", "logs/wing-1", view, 0, 0), HOLDER)
    assert words.splitlines()[-1].strip() == last


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
    running = recorded.scheduler.state.crew.workers["person"].running
    running.update([running.popitem() for _ in range(len(running))])
    view = recorded.view()
    assert [one.trial for one in view.wanted.expected] == [1, 2, 3, 4, 5]
    words = status_words(Standing("wing-1", "logs/wing-1", view, 0, 0), HOLDER)
    assert (len(view.wanted.expected), view.wanted.in_all) == (5, 6)
    assert "        and 1 more: orchestrator trials logs/wing-1 --state running\n" in words


def test_of_many_that_wait_to_be_compared_the_first_are_shown_and_programs_are_given_all():
    by_comparison = SPEC.replace("{name: drag, goal: minimise}", "{name: comfort, told: by comparison}")
    recorded = RecordedRun(by_comparison).begin(workers=7).answer_asks()
    for one in list(recorded.evaluations):
        recorded.happen(ev.ResultArrived(at=9.0, worker=one.worker, lease=one.lease))
    now = Standing("wing-1", "logs/wing-1", recorded.view(), 0, 0)
    words = status_words(now, HOLDER)
    assert "compare trial 2: span" in words
    assert "        and 1 more: orchestrator status logs/wing-1 --format json\n" in words
    status = dict(zip(*_first(status_table(now, HOLDER)), strict=True))
    assert status["to_compare"] == [[number, 1] for number in range(2, 8)]


def test_of_a_plate_s_results_that_nobody_took_up_the_first_are_listed(run: FollowedRun):
    left = [f"trial {number} is to be recorded with 1" for number in range(1, 25)]
    words = status_words(standing_of(run, None), None, left)
    assert "        trial 5 is to be recorded with 1\n        and 19 more\n" in words
    assert "trial 6 is" not in words
    assert "trial 6 is" in status_words(standing_of(run, None), None, left[:6])


def _first(table: Table) -> tuple[tuple[str, ...], list[object]]:
    return table.columns, list(table.rows[0])


def test_sentences_below_a_table_keep_settings_in_one_piece() -> None:
    flags = ", ".join(["-fno-unroll-loops"] * 12)
    for width in (12, 30, 44):
        assert (
            Table(("seconds",), [[1.0]]).with_sentences([f"at {flags}"], width).count("-fno-unroll-loops")
            == 12
        )
