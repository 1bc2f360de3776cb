"""`explain` says what came of a trial, held against what was predicted, and its story."""

from __future__ import annotations

import sys

import pytest
import recorded_runs
from recorded_runs import SPEC, RecordedRun, always, explained, parameters

from orchestrator.report.explained.case import case_of
from orchestrator.report.explained.explain import words_of
from orchestrator.scheduler import events as ev


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (5.1, "what was expected: within one standard deviation (0.2 of one off)"),
        (4.2, "somewhat better than expected, by 1.6 standard deviations"),
        (6.5, "worse than expected, by 3.0 standard deviations"),
        (0.0, "far better than expected, by 10.0 standard deviations"),
        (504.9, "far worse than expected, by 999.8 standard deviations"),
        (sys.float_info.max, "far worse than expected, by over 1,000 standard deviations"),
    ],
)
def test_what_came_is_held_against_the_prediction(value: float, verdict: str):
    run = RecordedRun().begin().settle(1, always(value))
    assert verdict in explained(run, 1)


def test_the_sense_of_better_follows_the_goal():
    run = RecordedRun(SPEC.replace("minimise", "maximise")).begin().settle(1, always(4.2))
    assert "somewhat worse than expected" in explained(run, 1)


@pytest.mark.parametrize(("value", "side"), [(4.2, "lower"), (6.5, "higher")])
def test_beside_a_threshold_nothing_is_better_or_worse_than_expected(value: float, side: str):
    run = RecordedRun(SPEC.replace("goal: minimise", "threshold: 5")).begin().settle(1, always(value))
    assert f"{side} than expected" in explained(run, 1)


def test_known_noise_excuses_a_surprise():
    run = RecordedRun(SPEC.replace("goal: minimise", "goal: minimise, noise: 2.0"))
    assert "what was expected" in explained(run.begin().settle(1, always(6.5)), 1)


def test_noise_of_whose_square_there_is_no_number_excuses_any_surprise():
    run = RecordedRun(SPEC.replace("goal: minimise", "goal: minimise, noise: 1.0e+200"))
    assert "what was expected" in explained(run.begin().settle(1, always(0.0)), 1)


def test_noise_that_the_model_infers_excuses_a_surprise_and_is_said(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(recorded_runs.WHY, "noise", 2.0)
    words = explained(RecordedRun().begin().settle(1, always(6.5)), 1)
    assert "An evaluation's noise was taken for ± 2." in words
    assert "what was expected" in words
    assert "noise: " not in words


def test_what_came_beside_the_value_is_said_and_what_was_no_number_is_null():
    run = RecordedRun().begin().answer_asks()
    command = run.evaluations.popleft()
    run.happen(
        ev.ResultArrived(
            at=2.0,
            worker=command.worker,
            lease=command.lease,
            value=5.0,
            elapsed=1.0,
            extras={"lift": None, "stalled": True, "loads": [1.5, None]},
        )
    )
    words = explained(run, command.trial)
    assert "  lift: null\n  stalled: true\n  loads: [1.5, null]\n" in words


def test_a_failure_is_shown_whole_once_and_cannot_command_the_terminal():
    run = RecordedRun().begin(workers=1).settle(3, always(None))
    words = explained(run, 1)
    assert "It failed for good after 3 attempts" in words
    assert "File 'wings.py'" in words
    assert "deep inside" in words
    assert "\x1b" not in words
    story = words.split("Its story\n")[1].splitlines()
    assert sum("goes to local-1 as lease 1." in line for line in story) == 3
    assert story[-1].endswith("trial 1 is failed")


def test_the_story_is_of_this_trial_alone():
    run = RecordedRun().begin().settle(15, always(1.0))
    story = explained(run, 1).split("Its story\n")[1]
    assert "trial 1 is completed" in story
    assert "trial 11" not in story
    assert "lease 10.1" not in story


def test_the_story_says_why_a_trial_went_to_another_worker():
    run = RecordedRun().begin().answer_asks()
    held = {trial.worker: trial.number for trial in run.scheduler.state.unsettled.values() if trial.lease}
    run.happen(ev.WorkerLeft(at=3.0, worker="local-1", lost=True, reason="silent for 12 s"))
    story = explained(run, held["local-1"]).split("Its story\n")[1]
    assert "3.000 s  local-1 was lost: silent for 12 s\n" in story
    assert "local-1" not in explained(run, held["local-2"])


def test_a_worker_that_leaves_once_a_trial_is_over_has_no_part_in_its_story():
    run = RecordedRun().begin(workers=1).settle(1, always(1.0))
    run.happen(ev.WorkerLeft(at=run.scheduler.state.trials[1].settled_at, worker="local-1", lost=False))
    assert explained(run, 1).endswith("trial 1 is completed\n")


def test_it_is_said_what_its_worker_had_of_its_own():
    own = """local: 1, each: {GPU: ["0,1"], ARM: ["le\\aft"]}"""
    run = RecordedRun(SPEC.replace("local: 2", own))
    run.begin(workers=1).settle(1, always(1.0))
    assert "drag = 1, after 1.0 s on local-1 (GPU=0,1, ARM=le ft).\n" in explained(run, 1)
    assert "It runs on local-1 (GPU=0,1, ARM=le ft), attempt 1.\n" in explained(run, 2)


def test_it_is_said_what_a_worker_elsewhere_told_of_its_own():
    run = RecordedRun().begin(workers=0)
    run.happen(ev.WorkerJoined(at=0.5, worker="far", slots=1, own={"ARM": "left"})).settle(1, always(1.0))
    assert "after 1.0 s on far (ARM=left).\n" in explained(run, 1)
    assert "It runs on far (ARM=left), attempt 1.\n" in explained(run, 2)


def test_a_trial_that_was_refused_is_not_said_to_have_been_tried():
    run = RecordedRun(SPEC.replace("evaluation: {", "evaluation: {approval: true, ")).begin().answer_asks()
    words = explained(run.happen(ev.TrialRefused(at=2.0, trial=1, reason="too fast")), 1)
    assert "It was never begun:\n    refused: too fast\n" in words
    assert "0 attempts" not in words


def test_a_trial_that_waits_for_approval_is_said_to():
    run = RecordedRun(SPEC.replace("evaluation: {", "evaluation: {approval: true, ")).begin().answer_asks()
    assert "It waits for a worker, once it is approved.\n" in explained(run, 1)
    run.happen(ev.TrialApproved(at=2.0, trial=1)).settle(1, always(None))
    assert "It waits to be tried again, once it is approved.\n" in explained(run, 1)


def test_a_known_result_that_is_the_best_is_said_to_be_one_and_not_trial_0():
    known = ev.KnownResult(parameters=parameters(9), value=0.5)
    run = RecordedRun().happen(ev.RunStarted(at=0.0, run="wing-1", wall="", known=(known,)))
    run.happen(ev.WorkerJoined(at=0.5, worker="local-1", slots=1, local=True))
    words = explained(run.settle(1, always(3.0)), 1)
    assert "The best so far is 0.5, known from elsewhere." in words


def test_a_run_that_can_be_resumed_is_not_said_to_be_over():
    run = RecordedRun().begin(workers=1).settle(2, always(1.0))
    run.happen(ev.StopRequested(at=run.at, now=True, reason="stopped on request"))
    assert "The run has stopped: stopped on request." in explained(run, 1)


def test_on_a_terminal_lines_end_between_words_and_go_on_below_them():
    run = RecordedRun().begin(workers=1).settle(1, always(4.2))
    case = case_of(run.spec, run.scheduler.state.policy, run.events, 1)
    narrow, whole = words_of(case, 40), words_of(case)
    assert max(map(len, narrow.splitlines())) <= 40 < max(map(len, whole.splitlines()))
    assert narrow.split() == whole.split()
    story = narrow.split("Its story\n")[1].splitlines()
    behind = story[0].index("trial")
    assert {len(line) - len(line.lstrip()) for line in story if " s  " not in line} == {behind}
