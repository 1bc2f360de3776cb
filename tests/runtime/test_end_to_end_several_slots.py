"""Evaluations that take several slots of their worker, in whole runs that are killed and go on."""

from __future__ import annotations

from typing import Any

import pytest
from run_lab import BRISK, RunLab, checked, eventually, joined, spec

from benchmarks.running.free_port import free_port
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.scheduler.events import ResultArrived
from orchestrator.scheduler.transitions import TrialState

BY_PLACE = "ceil(1 + 2 * x)"
"""1 to 3 of them."""


def on_arms(lab: RunLab, **changes: Any) -> dict[str, Any]:
    return spec(
        "gated_on_an_arm",
        options={"folder": str(lab.directory)},
        **{"evaluation": {"slots": BY_PLACE}, **changes},
    )


def taken(trial: Any) -> int:
    return 2 if trial.parameters["x"] <= 0.5 else 3


@pytest.mark.long
def test_a_run_that_is_killed_and_resumed_never_begins_more_than_there_is_room_for(lab: RunLab) -> None:
    workers = {"local": 5, "each": {"ARM_PORT": ["a", "b", "c", "d", "e"]}}
    run = lab.run(on_arms(lab, workers=workers, budget={"trials": 5}), BRISK)
    (lab.directory / "open-1").touch()
    run.await_events(ResultArrived)
    eventually((lab.directory / "2.1").exists)
    run.kill()
    (lab.directory / "open").touch()
    run = lab.resume(run.folder, BRISK)
    run.ends(0)
    state = checked(run.folder)
    assert (state.tally.completed, state.tally.failed) == (5, 0)
    for trial in state.trials.values():
        assert trial.slots == taken(trial)
        assert len(trial.own["ARM_PORT"].split(",")) == trial.slots
        assert trial.extras["port"] == trial.own["ARM_PORT"]
    replay = Replay.of(run.folder)
    for event in replay.reader:
        replay.scheduler.handle(event)
        for worker in replay.scheduler.state.crew.workers.values():
            assert (worker.slots, worker.taken <= 5) == (5, True)


def test_a_worker_elsewhere_outlives_its_orchestrator_with_the_slots_that_it_holds(lab: RunLab) -> None:
    listen = {"local": 0, "listen": f"tcp://127.0.0.1:{free_port()}"}
    told = spec(
        "gated",
        options={"folder": str(lab.directory)},
        evaluation={"slots": BY_PLACE},
        workers=listen,
        budget={"trials": 4},
    )
    run = lab.run(told, BRISK)
    far = lab.worker(run.opened()["address"], "far", "gated", "--slots", "4")
    eventually((lab.directory / "1.1").exists)
    run.kill()
    run = lab.resume(run.folder, BRISK)
    assert joined(run, 2)[-1].held
    (lab.directory / "open").touch()
    run.ends(0)
    far.ends(0)
    state = checked(run.folder)
    assert [trial.state for trial in state.trials.values()] == [TrialState.COMPLETED] * 4
    assert state.trials[1].attempts.given == 1


def test_what_this_machine_cannot_hold_has_failed_and_the_run_goes_on(lab: RunLab) -> None:
    run = lab.run(spec(evaluation={"slots": BY_PLACE}, workers={"local": 2}, budget={"trials": 6}))
    run.ends(0)
    state = checked(run.folder)
    too_large = [trial for trial in state.trials.values() if trial.parameters["x"] > 0.5]
    assert too_large
    assert {(trial.state, trial.attempts.given, trial.message) for trial in too_large} == {
        (TrialState.FAILED, 0, "it takes 3 slots, and this machine has 2")
    }
    assert state.tally.completed == 6 - len(too_large)
