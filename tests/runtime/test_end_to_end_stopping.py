"""Runs that are stopped: once, to finish what runs; twice, at once; and resumed."""

from __future__ import annotations

import fcntl
import os
import signal
import termios
from typing import Any

import pytest
from run_lab import Life, RunLab, answered, checked, eventually, spec

from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.events import FailureArrived, ResultArrived, StopRequested, SuggestionsMade
from orchestrator.scheduler.transitions import TrialState


def gated(lab: RunLab, **changes: object) -> dict[str, object]:
    return spec("gated", options={"folder": str(lab.directory)}, **changes)


@pytest.mark.parametrize(
    "number",
    [signal.SIGINT, signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.long)],
    ids=lambda number: number.name,
)
def test_a_signal_lets_what_runs_finish_and_the_run_can_be_resumed(lab: RunLab, number: int) -> None:
    run = lab.run(gated(lab, budget={"trials": 4}))
    eventually((lab.directory / "1.1").exists)
    run.signal(number)
    run.await_events(StopRequested)
    (lab.directory / "open").touch()
    run.ends(130)
    assert lab.processes() == []
    state = checked(run.folder)
    assert (state.tally.completed, state.end.why) == (1, "stopped on request")
    lab.resume(run.folder).ends(0)
    assert checked(run.folder).tally.completed == 4
    assert not (lab.directory / "1.2").exists()


def test_a_run_by_hand_waits_for_nobody_when_it_is_stopped_and_says_so(lab: RunLab) -> None:
    evaluation = {"evaluator": "person", "options": {}}
    run = lab.run(spec(evaluation=evaluation, budget={"trials": 2}))
    run.await_events(SuggestionsMade)
    run.signal(signal.SIGINT)
    run.ends(130)
    assert "SIGINT: stopping now" in run.said
    assert "when what runs has finished" not in run.said


def gated_command(lab: RunLab, **more: Any) -> tuple[Life, RunFolder]:
    """A run of two trials from the command line, and its folder: its first evaluation waits."""
    path = lab.write(gated(lab, budget={"trials": 2}))
    life = lab.command("run", str(path), "--logs", str(lab.logs), **more)
    (journal,) = eventually(lambda: list(lab.logs.glob("probe-*/journal.jsonl")))
    life.given_folder = journal.parent
    eventually((lab.directory / "1.1").exists)
    return life, RunFolder(journal.parent)


def test_a_terminal_that_is_closed_lets_what_runs_finish_however_often_it_is_said(lab: RunLab) -> None:
    """By the kernel, and by the shell that was told so itself: that is no second wish."""
    terminal, its_end = os.openpty()
    life, folder = gated_command(
        lab,
        **{"stdout": its_end, "stderr": its_end, "start_new_session": True},
        preexec_fn=lambda: fcntl.ioctl(1, termios.TIOCSCTTY, 0),
    )
    os.close(its_end)
    os.close(terminal)
    life.await_events(StopRequested)
    life.signal(signal.SIGHUP)
    (lab.directory / "open").touch()
    life.ends(130)
    assert lab.processes() == []
    state = checked(folder)
    assert (state.tally.completed, state.end.why) == (1, "stopped on request")
    assert state.trials[1].attempts.given == 1
    lab.resume(folder).ends(0)
    assert checked(folder).tally.completed == 2


def test_under_nohup_a_terminal_that_is_closed_is_of_no_concern(lab: RunLab) -> None:
    life, folder = gated_command(lab, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    life.signal(signal.SIGHUP)
    (lab.directory / "open").touch()
    life.ends(0)
    assert life.of(StopRequested) == []
    assert checked(folder).tally.completed == 2


def test_a_second_signal_stops_at_once_and_costs_the_trial_no_attempt(lab: RunLab) -> None:
    run = lab.run(gated(lab, budget={"trials": 2}, evaluation={"attempts": 1}))
    eventually((lab.directory / "1.1").exists)
    run.signal(signal.SIGINT)
    run.await_events(StopRequested)
    run.signal(signal.SIGINT)
    run.ends(130)
    assert lab.processes() == []
    trial = checked(run.folder).trials[1]
    assert (trial.state, trial.attempts.failed) == (TrialState.QUEUED, 0)
    (lab.directory / "open").touch()
    again = lab.resume(run.folder)
    again.ends(0)
    assert checked(run.folder).tally.completed == 2
    assert len(again.of(ResultArrived)) == 2


def test_a_third_signal_says_and_changes_nothing_more(lab: RunLab) -> None:
    """The run is held up by its worker, which is as one that has not heard yet that it is to end."""
    run = lab.run(gated(lab, budget={"trials": 2}))
    eventually((lab.directory / "1.1").exists)
    (worker,) = lab.processes("evaluators.worker")
    os.kill(worker, signal.SIGSTOP)
    for said in (1, 2):
        run.signal(signal.SIGINT)
        run.await_events(StopRequested, said)
    eventually(lambda: "stopping now" in run.said)
    run.signal(signal.SIGINT)
    run.signal(signal.SIGTERM)
    run.ends(130)
    assert run.said.count("stopping now") == 1
    assert len(run.of(StopRequested)) == 2


def test_a_run_that_is_stopped_before_anything_succeeded_was_interrupted_and_did_not_fail(
    lab: RunLab,
) -> None:
    told = {"folder": str(lab.directory)}
    run = lab.run(spec("gated_after_a_failure", options=told, evaluation={"attempts": 1}))
    run.await_events(FailureArrived)
    run.signal(signal.SIGINT)
    run.await_events(StopRequested)
    run.signal(signal.SIGINT)
    run.ends(130)
    assert checked(run.folder).tally.failed == 1


def test_a_run_is_stopped_while_it_waits_for_a_first_worker(lab: RunLab) -> None:
    run = lab.run(spec(workers={"local": 0}))
    answered(run)
    run.signal(signal.SIGINT)
    run.ends(130)
    assert [trial.state for trial in checked(run.folder).trials.values()] == [TrialState.QUEUED]


def test_a_run_that_ended_as_it_was_meant_to_has_nothing_to_resume(lab: RunLab) -> None:
    run = lab.run(spec(budget={"trials": 1}))
    run.ends(0)
    before = run.folder.journal.read_bytes()
    lab.resume(run.folder).ends(0)
    assert run.folder.journal.read_bytes() == before


def signalled(lab: RunLab, moment: str, number: signal.Signals) -> Life:
    """A run of one trial, to which a signal comes at a moment."""
    path = lab.write(spec(budget={"trials": 1}))
    return lab.signalled_command(moment, number, "run", str(path), "--plain", "--logs", str(lab.logs))


@pytest.mark.parametrize(
    "number",
    [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)],
    ids=lambda number: number.name,
)
def test_signals_that_come_when_the_run_has_ended_do_not_keep_its_result_from_being_said(
    lab: RunLab, number: signal.Signals
) -> None:
    run = signalled(lab, "with-any-default", number)
    run.ends(0)
    assert "Best: height = " in run.said
    assert "interrupted" not in run.said
    assert "Traceback" not in run.said


def test_a_signal_that_comes_before_the_first_event_is_safe_stops_the_run_in_order(lab: RunLab) -> None:
    run = signalled(lab, "before-the-first-event", signal.SIGTERM)
    run.ends(130)
    assert "SIGTERM: stopping when what runs has finished" in run.said
    assert "orchestrator resume" in run.said
    (folder,) = lab.logs.glob("probe-*/")
    assert checked(RunFolder(folder)).end.why == "stopped on request"
