"""Runs in real processes whose best point drifts: the time is told, recorded, and goes on between lives."""

from __future__ import annotations

import json
import time
from datetime import datetime, timedelta

import pytest
from run_lab import RunLab, checked, spec

from orchestrator.scheduler.events import RunResumed, RunStarted
from orchestrator.scheduler.transitions import TrialState

SECONDS = {"t": {"type": "float", "bounds": [0, 3600], "unit": "s"}}


def test_every_trial_has_the_time_at_which_it_was_handed_out_and_the_best_is_that_of_now(lab: RunLab) -> None:
    clocked = spec(
        parameters=SECONDS,
        clock="t",
        mode="sequential",
        algorithm={"name": "auto"},
        initial={"count": 4},
        budget={"trials": 9},
    )
    run = lab.run(clocked)
    run.ends(0)
    state = checked(run.folder)
    for trial in state.trials.values():
        assert trial.parameters["t"] == pytest.approx(trial.started_at, abs=1e-5)
    folder = str(run.folder.path)
    now = json.loads(lab.says("best", folder, "--format", "json"))
    assert now["t"] == pytest.approx(state.at, abs=0.5)
    assert "best now, as believed" in lab.says("best", folder)
    assert "now, as believed" in lab.says("status", folder)
    assert "Held then: t = " in lab.says("explain", folder, "8")


def test_the_clock_goes_on_while_nobody_works_on_the_run(lab: RunLab) -> None:
    run = lab.run(spec(parameters=SECONDS, clock="t", mode="sequential", budget={"trials": 2}))
    run.ends(0)
    (started,) = run.of(RunStarted)
    assert datetime.fromisoformat(started.wall) > datetime.now().astimezone() - timedelta(hours=1)
    time.sleep(2.0)
    assert "which is the clock" in lab.says("amend", str(run.folder.path), "--held", "t=5", code=2)
    refused = lab.says("amend", str(run.folder.path), "--patience", "3", code=2)
    assert "no `patience` beside `clock`: no trial is the best" in refused
    lab.says("amend", str(run.folder.path), "--trials", "4", "--try", "x=0.5,y=0.5")
    lab.resume(run.folder).ends(0)
    (resumed,) = run.of(RunResumed)
    state = checked(run.folder)
    assert resumed.unattended_s >= 1.5
    third = state.trials[3]
    assert third.state is TrialState.COMPLETED
    assert third.started_at is not None
    assert third.parameters["t"] == pytest.approx(third.started_at + resumed.unattended_s, abs=1e-5)
