"""Runs in real processes with several objectives, and what every command says of them afterwards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from run_lab import RunLab, checked, spec

GOALS = {"height": "maximise", "heat": "minimise", "mass": "minimise"}


def of_several(objectives: dict[str, str], **changes: Any) -> dict[str, Any]:
    """A spec of these objectives."""
    told: dict[str, Any] = {"algorithm": {"name": "sobol"}, "budget": {"trials": 16}} | changes
    return spec("traded", objective=None, objectives=objectives, **told)


def test_every_command_speaks_of_trade_offs(lab: RunLab) -> None:
    run = lab.run(of_several(GOALS))
    run.ends(0)
    state, path = checked(run.folder), str(run.folder.path)
    assert (state.tally.completed, state.found.best) == (16, None)
    count = len(state.found.front)
    assert count > 2
    said = lab.says("status", path)
    assert f"{count} trade-offs: height " in said
    told = json.loads(lab.says("status", path, "--format", "json"))
    assert (told["best"], told["why_no_best"], told["trade_offs"]) == (None, None, count)
    assert {one["trial"] for one in told["front"]} == {trial.number for trial in state.found.front}
    assert all(list(one["objectives"]) == list(GOALS) for one in told["front"])
    table = lab.says("best", path).splitlines()
    assert table[0].split() == ["trial", *GOALS, "x", "y"]
    heights = [float(row.split()[1]) for row in table[1:]]
    assert heights == sorted(heights, reverse=True)
    assert len(heights) == count
    rows = json.loads(lab.says("best", path, "--format", "json"))
    assert [row["trial"] for row in rows] == [int(row.split()[0]) for row in table[1:]]
    assert f"It is one of the {count} trade-offs" in lab.says("explain", path, str(rows[0]["trial"]))
    assert "trade-offs, by height, the best first" in report_of(lab, path)
    closed = json.loads(lab.said("watch", path, "--json").splitlines()[-1])
    assert [one["trial"] for one in closed["front"]] == [row["trial"] for row in rows]
    assert ", a new trade-off" in lab.said("watch", path)


def test_the_first_objective_may_be_returned_under_its_name(lab: RunLab) -> None:
    run = lab.run(of_several(GOALS) | {"evaluation": {"evaluator": "workloads_for_runs:traded_by_name"}})
    run.ends(0)
    state = checked(run.folder)
    assert (state.tally.completed, state.tally.failed) == (16, 0)
    for trial in state.trials.values():
        assert trial.value == trial.parameters["x"] + trial.parameters["y"]
        assert set(trial.extras) == {"heat", "mass"}


def test_no_trial_is_drawn_as_the_best_and_it_is_said_how_any_is(lab: RunLab) -> None:
    run = lab.run(of_several({"height": "maximise", "heat": "minimise"}, budget={"trials": 2}))
    run.ends(0)
    path, picture = str(run.folder.path), str(run.folder.path / "picture.svg")
    assert "--trial N draws any trade-off" in lab.says("report", path, "--picture", picture, code=1)
    assert "workloads_for_runs:traded has none" in lab.says(
        "report", path, "--picture", picture, "--trial", "2", code=1
    )
    assert "got 9" in lab.says("report", path, "--picture", picture, "--trial", "9", code=2)
    assert "beside --picture" in lab.says("report", path, "--trial", "2", code=2)


def test_a_run_in_which_nothing_new_is_traded_off_ends_and_says_so(lab: RunLab) -> None:
    run = lab.run(
        of_several({"height": "maximise", "mass": "maximise"}, budget={"trials": 200, "patience": 12})
    )
    run.ends(0)
    assert checked(run.folder).tally.completed < 200
    assert "no new trade-off in 12 trials" in lab.says("status", str(run.folder.path))


def test_where_nothing_satisfies_the_constraints_the_best_says_so(lab: RunLab) -> None:
    objectives = {"height": "maximise", "heat": "minimise"}
    run = lab.run(of_several(objectives, budget={"trials": 3}, constraints=["heat < 0"]))
    run.ends(0)
    path = str(run.folder.path)
    assert "expected a run with trade-offs" in lab.says("best", path, code=1)
    assert json.loads(lab.says("status", path, "--format", "json"))["why_no_best"] == "none satisfies"
    assert "There are none" in report_of(lab, path)


def report_of(lab: RunLab, path: str) -> str:
    """The page, written."""
    written = lab.says("report", path).splitlines()[-1]
    return Path(written).read_text(encoding="utf-8")
