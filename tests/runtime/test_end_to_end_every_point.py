"""Runs in real processes over a finite space: with exact values they end with the last point of it."""

from __future__ import annotations

from run_lab import RunLab, checked, spec

GRID = {"x": {"type": "int", "bounds": [0, 2]}, "y": {"type": "float", "bounds": [0.0, 1.0], "step": 0.5}}
EXACT = {"noise": 0}
ENDS = "every point was tried, and with `noise: 0` a second value at one tells nothing"


def test_a_run_with_exact_values_ends_once_every_point_was_tried(lab: RunLab) -> None:
    constraints = ["x + y <= 2.5"]
    grid = spec(
        objective=EXACT,
        parameters=GRID,
        constraints=constraints,
        workers={"local": 3},
        budget={"trials": 30},
    )
    run = lab.run(grid)
    run.ends(0)
    state = checked(run.folder)
    assert state.end.why == ENDS
    points = [(trial.parameters["x"], trial.parameters["y"]) for trial in state.trials.values()]
    assert sorted(points) == [(x, y) for x in (0, 1, 2) for y in (0.0, 0.5, 1.0) if x + y <= 2.5]
    folder = str(run.folder.path)
    assert ENDS in " ".join(lab.says("status", folder).split())
    lab.says("amend", folder, "--bounds", "x=-1,2")
    life = lab.resume(run.folder)
    life.ends(0)
    state = checked(run.folder)
    assert state.end.why == ENDS
    assert len(state.trials) == 11


def test_where_noise_is_unknown_points_are_tried_again_until_the_budget_is_spent(lab: RunLab) -> None:
    run = lab.run(spec(parameters=GRID, budget={"trials": 12}))
    run.ends(0)
    assert checked(run.folder).end.why == "every trial of the budget is settled"


def test_what_failed_was_tried(lab: RunLab) -> None:
    whole = spec("as_told", objective=EXACT, evaluation={"attempts": 1})
    whole["parameters"] = {"how": {"type": "choice", "values": ["well", "raises", "nan"]}}
    run = lab.run(whole)
    run.ends(0)
    state = checked(run.folder)
    assert (state.tally.completed, state.tally.failed, state.end.why) == (1, 2, ENDS)


def test_where_what_is_held_leaves_a_finite_part_it_ends_with_the_last_point_of_that(lab: RunLab) -> None:
    whole = spec(objective=EXACT, held={"heat": 0.5}, budget={"trials": 30}, workers={"local": 2})
    whole["parameters"] = {"x": GRID["x"], "heat": {"type": "float", "bounds": [0.0, 1.0]}}
    run = lab.run(whole)
    run.ends(0)
    state = checked(run.folder)
    assert state.end.why == ENDS.replace("point was", "point where heat = 0.5 was")
    assert sorted(trial.parameters["x"] for trial in state.trials.values()) == [0, 1, 2]
    lab.says("amend", str(run.folder.path), "--held", "heat=0.25")
    lab.resume(run.folder).ends(0)
    assert len(checked(run.folder).trials) == 6
