"""Runs in real processes that try what is listed: each row once, to the last, and killed between."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_lab import RunLab, checked, spec, suggestions

ROWS = [{"x": i / 10, "y": (7 * i % 10) / 10, "tube": f"T{i}"} for i in range(10)]
LISTED = {"candidates": ROWS, "budget": {"trials": 30}}


def test_a_run_ends_once_every_row_was_tried_by_one_worker_or_another(lab: RunLab) -> None:
    run = lab.run(spec(workers={"local": 3}, **LISTED))
    run.ends(0)
    state = checked(run.folder)
    assert state.end.why == "every candidate was tried"
    assert sorted(trial.parameters["tube"] for trial in state.trials.values()) == [f"T{i}" for i in range(10)]


@pytest.mark.long
def test_a_run_that_is_killed_and_resumed_suggests_what_it_would_have(lab: RunLab) -> None:
    whole = spec(
        "slow",
        options={"seconds": 0.05},
        algorithm={"name": "gp-ei"},
        mode="sequential",
        initial={"count": 4},
        **LISTED,
    )
    killed = lab.run_killed(whole, asks=6)
    assert len(suggestions(killed)) == 10
    assert suggestions(killed) == suggestions(lab.run_to_its_end(whole))


def test_a_point_to_try_is_a_row_that_is_left(lab: RunLab) -> None:
    run = lab.run(spec(candidates=ROWS, budget={"trials": 2}))
    run.ends(0)
    tried = {trial.parameters["tube"] for trial in checked(run.folder).trials.values()}
    left = sorted({row["tube"] for row in ROWS} - tried)
    folder = str(run.folder.path)
    said = lab.says("amend", folder, "--try", f"tube={min(tried)}", code=2)
    assert "expected a candidate that is not tried yet" in said
    said = lab.says("amend", folder, "--try", "x=0.11,y=0.7", code=2)
    assert "the nearest has x = 0.1, y = 0.7, tube = 'T1'" in said
    lab.says("amend", folder, "--trials", "3", "--try", f"tube={left[0]}")
    life = lab.resume(run.folder)
    life.ends(0)
    assert {trial.parameters["tube"] for trial in checked(run.folder).trials.values()} == {*tried, left[0]}


@pytest.mark.usefixtures("fits_remembered", "stretched_to_twice")
def test_a_candidate_is_compared_by_its_name_alone_and_nothing_of_it_is_as_in_the_best(lab: RunLab) -> None:
    run = lab.run(spec(candidates=ROWS, budget={"trials": 5}))
    run.ends(0)
    said = lab.says("compare", str(run.folder.path), "tube=T7", "--against", "3")
    assert "tube=T7: at x = 0.7, y = 0.9, tube = T7." in said
    assert "as in the best" not in said


@pytest.mark.usefixtures("fits_remembered", "stretched_to_twice")
def test_what_is_expected_of_a_candidate_is_told_with_its_name(lab: RunLab) -> None:
    run = lab.run(spec(candidates=ROWS, budget={"trials": 7}))
    run.ends(0)
    folder, state = str(run.folder.path), checked(run.folder)
    assert state.found.best is not None
    best = state.found.best.parameters
    by_name = lab.says("predict", folder, "tube=T3")
    assert "at x = 0.3, y = 0.1, tube = T3." in " ".join(by_name.split())
    assert lab.says("predict", folder, "x=0.3", "y=0.1") == by_name
    assert f"x = {best['x']}, y = {best['y']}, tube = {best['tube']}." in lab.says("predict", folder)
    elsewhere = lab.says("predict", folder, "x=0.33")
    assert "it is none of the candidates" in elsewhere
    assert "tube" not in elsewhere


def test_rows_that_an_amended_constraint_leaves_out_are_tried_no_more(lab: RunLab) -> None:
    run = lab.run(spec(candidates=ROWS, budget={"trials": 2}))
    run.ends(0)
    lab.says("amend", str(run.folder.path), "--trials", "30", "--constraint", "x <= 0.45")
    life = lab.resume(run.folder)
    life.ends(0)
    state = checked(run.folder)
    assert state.end.why == "every candidate was tried"
    later = [trial.parameters for trial in state.trials.values() if trial.number > 2]
    assert all(one["x"] <= 0.45 for one in later)
    left_out = [trial for trial in state.trials.values() if trial.parameters["x"] > 0.45]
    assert len(state.trials) == 5 + len(left_out)


def test_rows_that_are_added_are_tried_though_the_run_had_ended_with_the_last_one(
    lab: RunLab, tmp_path: Path
) -> None:
    run = lab.run(spec(candidates=ROWS[:4], budget={"trials": 30}))
    run.ends(0)
    folder, more = str(run.folder.path), tmp_path / "more.csv"
    lines = [",".join(str(value) for value in row.values()) for row in ROWS[2:7]]
    more.write_text("\n".join(["x,y,tube", *lines]) + "\n", encoding="utf-8")
    assert "rows are among the candidates already" in lab.says("amend", folder, "--candidates", str(more))
    life = lab.resume(run.folder)
    life.ends(0)
    state = checked(run.folder)
    assert state.end.why == "every candidate was tried"
    assert sorted(trial.parameters["tube"] for trial in state.trials.values()) == [f"T{i}" for i in range(7)]
    assert "3 more candidates than the spec lists" in lab.says("status", folder)
    said = lab.says("amend", folder, "--candidates", str(more), code=2)
    assert "expected rows that are not among the candidates yet, got none" in said
