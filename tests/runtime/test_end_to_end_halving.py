"""Runs in real processes that look at settings by rungs: to their end, and killed on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from run_lab import RunLab, checked, spec, suggestions

BY_RUNGS: Mapping[str, Any] = {
    "objective": {"name": "loss", "goal": "minimise", "noise": 0},
    "parameters": {
        "rate": {"type": "float", "bounds": [0.001, 1], "scale": "log"},
        "epochs": {"type": "int", "bounds": [1, 9]},
    },
    "fidelity": {"parameter": "epochs", "cost": "epochs", "continues": True},
    "algorithm": {"name": "asha"},
}


@pytest.mark.long
def test_of_several_workers_each_looks_more_closely_at_what_waits_and_none_twice(lab: RunLab) -> None:
    said = {**BY_RUNGS, "mode": "asynchronous", "workers": {"local": 4}, "budget": {"cost": 4, "trials": 90}}
    run = lab.run(spec("trained", **said))
    run.ends(0)
    state = checked(run.folder)
    went_on = [trial for trial in state.trials.values() if trial.suggested.continues]
    assert went_on
    assert max(Counter(trial.suggested.continues for trial in went_on).values()) == 1
    for trial in went_on:
        before = state.trials[trial.suggested.continues]
        assert trial.parameters == {**before.parameters, "epochs": 3 * before.parameters["epochs"]}
        assert trial.continued
    assert state.found.best is not None
    assert state.found.best.parameters["epochs"] == 9


@pytest.mark.long
def test_a_run_that_is_killed_and_resumed_looks_as_it_would_have(lab: RunLab) -> None:
    said = {**BY_RUNGS, "mode": "sequential", "budget": {"trials": 20}}
    whole = spec("trained", options={"seconds": 0.05}, **said)
    killed, undisturbed = lab.run_killed(whole, asks=12), lab.run_to_its_end(whole)
    assert suggestions(killed) == suggestions(undisturbed)
    states = [checked(folder) for folder in (killed, undisturbed)]
    went_on = [[one.suggested.continues for one in state.trials.values()] for state in states]
    assert went_on[0] == went_on[1]
    assert any(went_on[0])
