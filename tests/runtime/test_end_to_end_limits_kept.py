"""Runs in real processes whose trials are all to keep a limit: two at a time, killed, and broken by hand."""

from __future__ import annotations

from typing import Any

import pytest
from run_lab import RunLab, checked, spec, suggestions

KEPT = "probability(heat <= 50) >= 0.99"
HEATED: dict[str, Any] = {
    "outcomes": ["heat"],
    "constraints": [KEPT],
    "algorithm": {"name": "auto"},
    "initial": {"points": [{"x": 0.1, "y": 0.2}]},
}


def test_every_trial_keeps_it_and_all_say_so(lab: RunLab) -> None:
    # One after the other, so that models are waited for however slow the machine is.
    run = lab.run(spec("heated", mode="sequential", budget={"trials": 6}, **HEATED))
    run.ends(0)
    state = checked(run.folder)
    assert state.tally.completed == 6
    assert all(trial.extras["heat"] <= 50 for trial in state.trials.values())
    path = str(run.folder.path)
    assert "every trial so far has kept `heat <= 50`" in lab.says("status", path)
    words = lab.says("explain", path, "6")
    assert "That it would keep `heat <= 50` was held to be 99." in words
    assert "it has to be 99.00 % at least" in words


def test_a_beginning_that_breaks_it_ends_the_run_and_is_told(lab: RunLab) -> None:
    hot = HEATED | {"initial": {"points": [{"x": 0.9, "y": 0.2}]}}
    run = lab.run(spec("heated", budget={"trials": 6}, **hot))
    run.ends(0)
    state = checked(run.folder)
    assert list(state.trials) == [1]
    assert state.end.why == f"no other point is known to be sure enough to keep `{KEPT}`"
    path = str(run.folder.path)
    assert "trial 1 broke `heat <= 50`, which every trial is to keep" in lab.says("status", path)
    assert "Broke `heat <= 50`, which every trial is to keep" in lab.says("explain", path, "1")


@pytest.mark.long
def test_a_run_that_is_killed_and_resumed_suggests_what_it_would_have(lab: RunLab) -> None:
    whole = spec("heated", options={"seconds": 0.05}, mode="sequential", budget={"trials": 7}, **HEATED)
    killed, undisturbed = lab.run_killed(whole, asks=4), lab.run_to_its_end(whole)
    assert suggestions(killed) == suggestions(undisturbed)
