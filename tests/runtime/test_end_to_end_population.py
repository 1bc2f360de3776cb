"""Runs in real processes that train a population: to their end, killed, and with what was left removed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from run_lab import RunLab, checked, spec, suggestions

from orchestrator.report.seen.schedule import schedule_of
from orchestrator.scheduler.state import State

TRAINED: Mapping[str, Any] = {
    "objective": {"name": "loss", "goal": "minimise", "noise": 0},
    "parameters": {
        "rate": {"type": "float", "bounds": [0.001, 1], "scale": "log"},
        "epochs": {"type": "int", "bounds": [5, 20]},
    },
    "fidelity": {"parameter": "epochs", "cost": "epochs", "continues": True},
    "algorithm": {"name": "pb2", "options": {"population": 4, "pieces": 4}},
}


def loss_again(state: State, number: int) -> float:
    """What the schedule of a trial comes to where it is run from the beginning."""
    trial = state.trials[number]
    loss, done = 1.0, 0
    stretches = schedule_of(trial, state, "epochs")
    steps = [(one.parameters["rate"], one.until) for one in stretches]
    for rate, until in steps or [(trial.parameters["rate"], trial.parameters["epochs"])]:
        while done < until:
            loss, done = loss * (1.0 - 0.3 * rate * (1.0 - loss * done / 40.0)), done + 1
    return loss


@pytest.mark.long
def test_each_training_is_what_its_schedule_says_from_the_beginning(lab: RunLab) -> None:
    run = lab.run(spec("trained", **{**TRAINED, "mode": "asynchronous", "budget": {"trials": 20}}))
    run.ends(0)
    state = checked(run.folder)
    assert any(len(schedule_of(trial, state, "epochs")) > 1 for trial in state.trials.values())
    for trial in state.trials.values():
        assert trial.continued == (trial.parameters["epochs"] > 5)
        assert trial.value == pytest.approx(loss_again(state, trial.number))
        assert trial.cost == pytest.approx(0.25)
    assert state.found.best is not None
    assert state.found.best.parameters["epochs"] == 20


@pytest.mark.long
def test_a_run_that_is_killed_and_resumed_trains_as_it_would_have(lab: RunLab) -> None:
    said = {**TRAINED, "mode": "sequential", "budget": {"trials": 18}}
    whole = spec("trained", options={"seconds": 0.05}, **said)
    killed, undisturbed = lab.run_killed(whole, asks=11), lab.run_to_its_end(whole)
    assert suggestions(killed) == suggestions(undisturbed)
    states = [checked(folder) for folder in (killed, undisturbed)]
    went_on = [
        [(one.suggested.continues, one.continued) for one in state.trials.values()] for state in states
    ]
    assert went_on[0] == went_on[1]
    assert all(continued for continues, continued in went_on[0] if continues)
