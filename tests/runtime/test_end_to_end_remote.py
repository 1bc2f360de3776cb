"""Workers that dial in from elsewhere: they come, go, stop, and outlive their orchestrator."""

from __future__ import annotations

import os
import signal

from run_lab import BRISK, IMPATIENT, RunLab, checked, eventually, is_alive, joined, spec

from benchmarks.running.free_port import free_port
from orchestrator.scheduler.events import ResultArrived, WorkerBeganDraining, WorkerJoined, WorkerLeft


def test_a_worker_joins_works_and_leaves_and_another_takes_over(lab: RunLab) -> None:
    # The third waits, so that a first worker that is told to leave late has not done all of it.
    for number in (1, 2):
        (lab.directory / f"open-{number}").touch()
    gate = {"folder": str(lab.directory)}
    run = lab.run(spec("gated", options=gate, workers={"local": 0}, budget={"trials": 8}))
    first = lab.worker(run.opened()["address"], "first", "gated")
    run.await_events(ResultArrived, 2)
    first.signal(signal.SIGTERM)
    run.await_events(WorkerBeganDraining)
    (lab.directory / "open").touch()
    first.ends(0)
    left = run.await_events(WorkerLeft)[0]
    assert (left.worker, left.lost) == ("first", False)
    second = lab.worker(run.opened()["address"], "second", "gated")
    run.ends(0)
    second.ends(0)
    state = checked(run.folder)
    assert state.tally.completed == 8
    assert all(trial.attempts.failed == 0 for trial in state.trials.values())


def test_a_worker_that_drains_finishes_what_it_has_and_what_waits_waits_for_another(lab: RunLab) -> None:
    run = lab.run(
        spec(
            "gated",
            options={"folder": str(lab.directory)},
            workers={"local": 0},
            budget={"trials": 3},
            evaluation={"attempts": 1},
        ),
        BRISK,
    )
    first = lab.worker(run.opened()["address"], "first", "gated", "--slots", "2")
    eventually(lambda: (lab.directory / "1.1").exists() and (lab.directory / "2.1").exists())
    first.signal(signal.SIGTERM)
    run.await_events(WorkerBeganDraining)
    (lab.directory / "open-2").touch()
    run.await_events(ResultArrived)
    second = lab.worker(run.opened()["address"], "second", "gated")
    eventually((lab.directory / "3.1").exists)
    (lab.directory / "open").touch()
    run.ends(0)
    first.ends(0)
    second.ends(0)
    state = checked(run.folder)
    assert state.tally.completed == 3
    assert all((trial.attempts.given, trial.attempts.failed) == (1, 0) for trial in state.trials.values())
    assert not any(event.lost for event in run.of(WorkerLeft))


def test_a_worker_that_offers_something_else_is_told_so_and_ends(lab: RunLab) -> None:
    run = lab.run(spec(workers={"local": 0}, budget={"trials": 1}))
    stranger = lab.worker(run.opened()["address"], "stranger", "slow")
    stranger.ends(2)
    assert "workloads_for_runs:quick" in stranger.said
    lab.worker(run.opened()["address"], "good").ends(0)
    run.ends(0)
    assert [event.worker for event in run.of(WorkerJoined)] == ["good"]


def test_a_worker_stopped_for_a_moment_is_not_missed(lab: RunLab) -> None:
    run = lab.run(
        spec("gated", options={"folder": str(lab.directory)}, workers={"local": 0}, budget={"trials": 1}),
        BRISK,
    )
    worker = lab.worker(run.opened()["address"], "w", "gated")
    eventually((lab.directory / "1.1").exists)
    worker.signal(signal.SIGSTOP)
    (lab.directory / "open").touch()
    worker.signal(signal.SIGCONT)
    run.ends(0)
    assert checked(run.folder).trials[1].attempts.given == 1


def test_a_worker_stopped_for_long_is_given_up_and_takes_its_trial_up_again(lab: RunLab) -> None:
    run = lab.run(
        spec("gated", options={"folder": str(lab.directory)}, workers={"local": 0}, budget={"trials": 1}),
        IMPATIENT,
    )
    worker = lab.worker(run.opened()["address"], "w", "gated")
    eventually((lab.directory / "1.1").exists)
    worker.signal(signal.SIGSTOP)
    lost = run.await_events(WorkerLeft)[0]
    assert lost.lost
    assert "silent" in lost.reason
    worker.signal(signal.SIGCONT)
    again = joined(run, 2)[1]
    assert again.held == ("1.1",)
    (lab.directory / "open").touch()
    run.ends(0)
    trial = checked(run.folder).trials[1]
    assert (trial.attempts.given, trial.attempts.failed) == (1, 1)


def test_a_stopped_worker_s_trial_is_another_s_meanwhile_and_counts_once(lab: RunLab) -> None:
    run = lab.run(
        spec("gated", options={"folder": str(lab.directory)}, workers={"local": 0}, budget={"trials": 1}),
        IMPATIENT,
    )
    stopped = lab.worker(run.opened()["address"], "stopped", "gated")
    eventually((lab.directory / "1.1").exists)
    stopped.signal(signal.SIGSTOP)
    lab.worker(run.opened()["address"], "other", "gated")
    eventually((lab.directory / "1.2").exists)
    called_off = int((lab.directory / "1.1").read_text())
    stopped.signal(signal.SIGCONT)
    run.await_events(WorkerJoined, 3)
    # Until then whichever of the two is sooner counts, which is right and not what is asked here.
    eventually(lambda: not is_alive(called_off))
    (lab.directory / "open").touch()
    run.ends(0)
    state = checked(run.folder)
    assert (state.tally.completed, state.trials[1].attempts.given) == (1, 2)
    assert len([event for event in run.of(ResultArrived) if event.lease == "1.2"]) == 1


def test_a_result_computed_while_the_orchestrator_was_dead_counts_when_it_is_back(lab: RunLab) -> None:
    """With a single attempt: to call the lease lost before the result is heard would lose the trial."""
    whole = spec(
        "gated",
        options={"folder": str(lab.directory)},
        workers={"local": 0, "listen": f"tcp://127.0.0.1:{free_port()}"},
        budget={"trials": 2},
        evaluation={"attempts": 1},
    )
    run = lab.run(whole, BRISK)
    worker = lab.worker(run.opened()["address"], "w", "gated")
    eventually((lab.directory / "1.1").exists)
    run.kill()
    (lab.directory / "open").touch()
    eventually(lambda: (lab.directory / "w" / "outbox.jsonl").stat().st_size > 0)
    again = lab.resume(run.folder, BRISK)
    again.ends(0)
    worker.ends(0)
    state = checked(run.folder)
    assert (state.tally.completed, state.tally.failed) == (2, 0)
    assert state.trials[1].attempts.given == 1


def test_a_successor_delivers_what_a_killed_worker_had_computed(lab: RunLab) -> None:
    whole = spec(
        "gated",
        options={"folder": str(lab.directory)},
        workers={"local": 0, "listen": f"tcp://127.0.0.1:{free_port()}"},
        budget={"trials": 1},
        evaluation={"attempts": 1},
    )
    run = lab.run(whole, BRISK)
    worker = lab.worker(run.opened()["address"], "w", "gated")
    eventually((lab.directory / "1.1").exists)
    run.signal(signal.SIGSTOP)
    (lab.directory / "open").touch()
    eventually(lambda: (lab.directory / "w" / "outbox.jsonl").stat().st_size > 0)
    worker.kill()
    run.kill()
    again = lab.resume(run.folder, BRISK)
    lab.worker(again.opened()["address"], "w", "gated").ends(0)
    again.ends(0)
    assert checked(run.folder).tally.completed == 1


def test_an_evaluation_that_still_runs_is_gone_on_with_by_the_next_orchestrator(lab: RunLab) -> None:
    whole = spec(
        "gated",
        options={"folder": str(lab.directory)},
        workers={"local": 0, "listen": f"tcp://127.0.0.1:{free_port()}"},
        budget={"trials": 1},
    )
    run = lab.run(whole, BRISK)
    lab.worker(run.opened()["address"], "w", "gated")
    eventually((lab.directory / "1.1").exists)
    run.kill()
    again = lab.resume(run.folder, BRISK)
    assert joined(again, 2)[1].held == ("1.1",)
    (lab.directory / "open").touch()
    again.ends(0)
    assert checked(run.folder).trials[1].attempts.given == 1
    assert sorted(path for path in os.listdir(lab.directory) if path.startswith("1.")) == ["1.1"]
