"""Runs in real processes whose evaluations go on from what less close ones left: to their end, with what was
left removed, and killed."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from typing import Any

import pytest
from run_lab import RunLab, checked, spec, suggestions

from orchestrator.scheduler.state import State

COUNTED: Mapping[str, Any] = {
    "algorithm": {"name": "auto"},
    "objective": {"name": "height", "goal": "maximise", "noise": 0},
    "parameters": {"steps": {"type": "int", "bounds": [2, 16], "scale": "log"}},
    "fidelity": {"parameter": "steps", "cost": "steps", "continues": True},
    "initial": {"count": 4},
    "mode": "sequential",
}


def went_on(state: State) -> dict[int, bool]:
    """By the trials that were to go on from another whether they did; each did and cost what that says."""
    found = {}
    for number, trial in state.trials.items():
        steps, before = trial.parameters["steps"], state.trials.get(trial.suggested.continues)
        saved = 0
        if before is not None:
            assert {**before.parameters, "steps": steps} == trial.parameters
            saved = before.parameters["steps"]
            found[number] = trial.continued
        assert trial.cost == pytest.approx((steps - saved) / 16)
        assert trial.extras["done"] == steps - (saved if trial.continued else 0)
    return found


@pytest.mark.long
def test_only_the_difference_is_done_and_paid_and_all_of_it_where_what_was_left_is_gone(lab: RunLab) -> None:
    run = lab.run(spec("counts_on", **{**COUNTED, "budget": {"trials": None, "cost": 1.5}}))
    run.ends(0)
    state = checked(run.folder)
    found = went_on(state)
    assert found
    assert all(found.values())
    assert 1.5 <= state.tally.spent < 2.5
    shutil.rmtree(run.folder.path / "trials")
    path = str(run.folder.path)
    lab.says("amend", path, "--cost", "2.5", "--reason", "a closer look")
    resumed = lab.resume(run.folder)
    resumed.ends(0)
    later = {number: did for number, did in went_on(checked(run.folder)).items() if number not in found}
    lost = [number for number, did in later.items() if not did]
    assert lost, "some were to go on from what was removed"
    said = run.folder.path.joinpath("run.log").read_text()
    assert f"trial {lost[0]} began from nothing: local-1 does not have what trial" in said


@pytest.mark.long
def test_a_run_that_is_killed_and_resumed_goes_on_as_it_would_have(lab: RunLab) -> None:
    whole = spec("counts_on", options={"seconds": 0.05}, **{**COUNTED, "budget": {"trials": 16, "cost": 9}})
    killed, undisturbed = lab.run_killed(whole, asks=10), lab.run_to_its_end(whole)
    assert suggestions(killed) == suggestions(undisturbed)
    states = [checked(folder) for folder in (killed, undisturbed)]
    assert states[0].tally.spent == pytest.approx(states[1].tally.spent)
    assert went_on(states[0]) == went_on(states[1]) != {}
