"""Runs in real processes whose parameters are tied to one another: to their end, killed, and amended."""

from __future__ import annotations

import pytest
from run_lab import RunLab, checked, spec, suggestions

from orchestrator.runtime.folder.run_folder import RunFolder

TIED = {"constraints": ["x + y <= 1", "x < y"]}


def kept(folder: RunFolder) -> bool:
    return all(p["x"] + p["y"] <= 1 and p["x"] < p["y"] for p in suggestions(folder))


def test_a_model_that_is_refitted_in_a_fork_keeps_to_them(lab: RunLab) -> None:
    model = {"algorithm": {"name": "gp-ei"}, "initial": {"count": 5}}
    run = lab.run(spec(workers={"local": 2}, budget={"trials": 14}, **model, **TIED))
    run.ends(0)
    state = checked(run.folder)
    assert (state.tally.completed, state.tally.failed) == (14, 0)
    assert any(trial.suggested.mean is not None for trial in state.trials.values())
    assert kept(run.folder)


@pytest.mark.long
def test_a_run_that_is_killed_and_resumed_suggests_what_it_would_have(lab: RunLab) -> None:
    whole = spec(
        "slow",
        options={"seconds": 0.05},
        algorithm={"name": "gp-ei"},
        mode="sequential",
        budget={"trials": 9},
        initial={"count": 5},
        **TIED,
    )
    killed = lab.run_killed(whole, asks=7)
    assert kept(killed)
    assert suggestions(killed) == suggestions(lab.run_to_its_end(whole))


def test_what_is_known_from_outside_is_told_to_the_model_and_is_neither_the_best_nor_the_target(
    lab: RunLab,
) -> None:
    (lab.directory / "known.csv").write_text("x,y,height\n0.9,0.8,7\n0.1,0.2,0.01\n")
    run = lab.run(spec(budget={"trials": 4, "target": 6.5}, initial={"results": "known.csv"}, **TIED))
    run.ends(0)
    state = checked(run.folder)
    assert (state.tally.completed, state.tally.known) == (4, 2)
    outside, inside = state.observed[:2]
    assert (outside.value, outside.broken) == (7.0, ("x + y <= 1", "x < y"))
    assert (inside.value, inside.broken) == (0.01, ())
    assert state.found.best is not outside
    assert kept(run.folder)
    shown = lab.says("status", str(run.folder.path))
    assert "best" in shown
    assert " 7" not in shown.split("best", 1)[1].splitlines()[0]


def test_bounds_are_amended_within_the_constraints(lab: RunLab) -> None:
    run = lab.run(spec(budget={"trials": 4}, **TIED))
    run.ends(0)
    path = str(run.folder.path)
    refused = lab.says("amend", path, "--bounds", "x=0.9,1", "--bounds", "y=0.9,1", code=2)
    assert "no point within the bounds was found that satisfies `x + y <= 1`, `x < y`" in refused
    lab.says("amend", path, "--bounds", "y=0.5,3", "--trials", "12")
    told = lab.says("amend", path, "--result", "x=0.8,y=0.9,value=5")
    assert "the known result does not satisfy the constraints" in told
    lab.resume(run.folder).ends(0)
    state = checked(run.folder)
    assert (state.tally.completed, state.tally.known) == (12, 1)
    assert state.found.best is not None
    assert state.found.best.number >= 1
    assert state.found.best.value is not None
    assert state.found.best.value < 5
    later = suggestions(run.folder)[4:]
    assert all(p["x"] + p["y"] <= 1 and p["x"] < p["y"] and p["y"] >= 0.5 for p in later)
