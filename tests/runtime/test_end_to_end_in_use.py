"""Runs in real processes of a design for conditions that vary in use: told of at the end, and killed."""

from __future__ import annotations

from typing import Any

import pytest
from run_lab import RunLab, checked, spec, suggestions

VARYING: dict[str, Any] = {
    "parameters": {
        "x": {"type": "float", "bounds": [0, 1]},
        "y": {"type": "float", "bounds": [0, 1], "in_use": {"mean": 0.4, "deviation": 0.2}},
    },
    "objective": {"name": "value", "goal": "maximise", "over": "average", "noise": 0},
    "algorithm": {"name": "auto"},
}
OVER = "best on average over what varies in use, as believed"


def test_the_design_alone_is_told_of_and_no_trial_is_the_best(lab: RunLab) -> None:
    # One after the other, so that models are waited for however slow the machine is.
    run = lab.run(spec("quick", mode="sequential", budget={"trials": 6}, **VARYING))
    run.ends(0)
    state = checked(run.folder)
    assert state.tally.completed == 6
    assert state.found.best is None
    path = str(run.folder.path)
    best = lab.says("best", path)
    assert OVER in best
    assert "\nx" in best
    assert "\ny" not in best
    assert OVER.removeprefix("best ") in lab.says("status", path)
    predicted = lab.says("predict", path, "x=0.5")
    assert "on average over what varies in use, by the models of the search; told y as well" in predicted
    assert "y =" not in predicted
    words = lab.says("explain", path, "6")
    assert "of the variance of what that design is worth over them" in words
    assert "what is predicted is of its conditions alone" in words


@pytest.mark.long
def test_a_run_that_is_killed_and_resumed_suggests_what_it_would_have(lab: RunLab) -> None:
    whole = spec("slow", options={"seconds": 0.05}, mode="sequential", budget={"trials": 8}, **VARYING)
    killed, undisturbed = lab.run_killed(whole, asks=6), lab.run_to_its_end(whole)
    assert suggestions(killed) == suggestions(undisturbed)
