"""Runs in real processes whose evaluations may look less closely for less: to their end, and killed."""

from __future__ import annotations

import json

import pytest
from run_lab import RunLab, checked, spec, suggestions

CELLS = {"type": "int", "bounds": [2, 16], "scale": "log"}
LOOKED_AT = {
    "algorithm": {"name": "auto"},
    "parameters": {"cells": CELLS},
    "fidelity": {"parameter": "cells", "cost": "cells ** 2"},
    "initial": {"count": 6},
    "mode": "sequential",
}


def test_the_best_is_at_full_fidelity_and_the_budget_is_what_trials_cost(lab: RunLab) -> None:
    point = {"x": 0.1, "y": 0.1, "cells": 8}
    initial = {"count": 6, "points": [point]}
    run = lab.run(
        spec("looked_at", **{**LOOKED_AT, "initial": initial, "budget": {"trials": None, "cost": 4}})
    )
    run.ends(0)
    state = checked(run.folder)
    assert state.end.why == "the trials have cost what the budget pays for"
    assert 4.0 <= state.tally.spent < 5.0
    for trial in state.trials.values():
        cells = trial.parameters["cells"]
        assert trial.cost == pytest.approx((cells / 16) ** 2)
        assert state.may_be_best(trial) == (cells == 16)
    assert state.trials[1].cost == 0.25
    assert len(state.trials) > 4, "some looked less closely"
    assert state.found.best is not None
    assert state.found.best.parameters["cells"] == 16
    path = str(run.folder.path)
    told = json.loads(lab.says("status", path, "--format", "json"))
    assert (told["budget_cost"], told["cost"]) == (4.0, state.tally.spent)
    assert "not at full fidelity" in lab.says("trials", path, "--format", "csv")


@pytest.mark.long
def test_a_run_that_is_killed_and_resumed_suggests_what_it_would_have(lab: RunLab) -> None:
    whole = spec("looked_at", options={"seconds": 0.05}, **{**LOOKED_AT, "budget": {"trials": 10, "cost": 9}})
    killed, undisturbed = lab.run_killed(whole, asks=8), lab.run_to_its_end(whole)
    assert suggestions(killed) == suggestions(undisturbed)
    spent = [checked(folder).tally.spent for folder in (killed, undisturbed)]
    assert spent[0] == pytest.approx(spent[1])
