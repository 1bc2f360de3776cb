"""Runs in real processes whose parameters are held: from the start, elsewhere later on, and let go."""

from __future__ import annotations

import json
import signal

import pytest
from run_lab import RunLab, checked, eventually, spec, suggestions

from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.amendment_events import HeldAmended
from orchestrator.scheduler.events import ResultArrived
from orchestrator.scheduler.transitions import TrialState

PARAMETERS = {"batch": {"type": "choice", "values": ["march", "april", "may"]}}
MARCH = {"batch": "march", "x": 0.5, "y": 0.5, "value": 1e3}


def amend(lab: RunLab, folder: RunFolder, *options: str, code: int = 0) -> str:
    return lab.says("amend", str(folder.path), *options, code=code)


def batches(folder: RunFolder) -> list[str]:
    return [trial.parameters["batch"] for trial in checked(folder).trials.values()]


def test_a_run_that_is_held_elsewhere_while_it_goes_on_keeps_to_it_through_a_kill(lab: RunLab) -> None:
    run = lab.run(
        spec(
            "gated",
            options={"folder": str(lab.directory)},
            parameters=PARAMETERS,
            held={"batch": "april"},
            initial={"results": [MARCH], "points": [{"x": 0.9, "y": 0.5}]},
            mode="sequential",
            budget={"trials": 3, "target": 900},
        )
    )
    folder = run.folder
    eventually((lab.directory / "1.1").exists)
    words = amend(lab, folder, "--held", "batch=may", "--trials", "6", "--by", "ada")
    assert "running trials elsewhere, which may finish: 1" in words
    # Answered when it is on disk, so nobody can take it back.
    run.kill()
    assert [(event.held, event.by) for event in run.of(HeldAmended)] == [({"batch": "may"}, "ada")]
    assert "to have it chosen again: --free batch" in amend(lab, folder, "--held", "batch=none", code=2)
    (lab.directory / "open").touch()
    lab.resume(folder).ends(0)
    state = checked(folder)
    # Its worker died with the orchestrator, and elsewhere it is not tried again.
    assert (state.trials[1].state, state.budgeted) == (TrialState.ABANDONED, 6)
    assert batches(folder) == ["april"] + ["may"] * 6
    assert state.end.why == "every trial of the budget is settled"
    path = str(folder.path)
    assert "batch = april and is held at may" in lab.says("trials", path)
    assert "held    batch = may\n" in lab.says("status", path)
    told = json.loads(lab.says("status", path, "--format", "json"))
    assert (told["parameters_held"], told["best_parameters"]["batch"]) == ({"batch": "may"}, "may")
    assert "Held then: batch = may" in lab.says("explain", path, "3")


@pytest.mark.long
def test_the_same_amendments_give_the_same_points_whoever_is_killed(lab: RunLab) -> None:
    begun = lab.run_to_its_end(
        spec(
            "slow",
            options={"seconds": 0.01},
            parameters=PARAMETERS,
            held={"batch": "april"},
            algorithm={"name": "gp-ucb"},
            mode="sequential",
            budget={"trials": 6},
            initial={"count": 4},
        )
    )

    def lived(kill_at: int | None) -> list[object]:
        folder = lab.copy_of(begun, f"killed at {kill_at}")
        amend(lab, folder, "--held", "batch=may", "--trials", "8")
        life = lab.resume(folder)
        if kill_at is not None:
            life.await_events(ResultArrived, kill_at)
            life.signal(signal.SIGKILL)
            life.process.wait()
            life = lab.resume(folder)
        life.ends(0)
        assert batches(folder) == ["april"] * 6 + ["may"] * 2
        amend(lab, folder, "--free", "batch", "--trials", "9")
        lab.resume(folder).ends(0)
        return list(suggestions(folder))

    assert lived(None) == lived(7)
