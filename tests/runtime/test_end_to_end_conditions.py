"""Runs in real processes with parameters that do not always count: to their end, killed, amended."""

from __future__ import annotations

import csv
import io

import pytest
from run_lab import RunLab, checked, spec, suggestions

BRANCHES = {
    "parameters": {
        "kind": {"type": "choice", "values": ["flat", "hill"]},
        "x": {"type": "float", "bounds": [0, 1], "when": {"kind": "hill"}},
        "y": {"type": "float", "bounds": [0, 1], "when": "x > 0.5", "otherwise": -1},
    },
    "algorithm": {"name": "auto"},
    "initial": {"count": 6, "points": [{"kind": "flat", "x": 0.7}, {"kind": "hill", "x": 0.2}]},
}


def branched(**changes: object) -> dict:
    # Those of `spec` are always there.
    whole = spec(
        "branched", **{name: part for name, part in (BRANCHES | changes).items() if name != "parameters"}
    )
    return whole | {"parameters": BRANCHES["parameters"]}


def test_an_evaluation_is_given_what_counts_and_what_the_rest_is_otherwise(lab: RunLab) -> None:
    run = lab.run(branched(budget={"trials": 10}))
    run.ends(0)
    state = checked(run.folder)
    # The evaluator raises for anything else.
    assert (state.tally.completed, state.tally.failed) == (10, 0)
    assert [state.trials[number].parameters for number in (1, 2)] == [
        {"kind": "flat"},
        {"kind": "hill", "x": 0.2},
    ]
    assert sum("x" not in trial.parameters for trial in state.trials.values()) == 1, "flat is one point"
    assert state.found.best is not None
    assert state.found.best.parameters["kind"] == "hill"
    path = str(run.folder.path)
    rows = list(csv.DictReader(io.StringIO(lab.says("export", path, "--format", "csv"))))
    assert (rows[0]["kind"], rows[0]["x"], rows[0]["y"]) == ("flat", "", "")
    assert "x = " not in lab.says("explain", path, "1")
    lab.says("report", path)
    assert "None" not in (run.folder.path / "report.html").read_text()


def test_what_a_run_exported_is_known_to_the_next(lab: RunLab) -> None:
    run = lab.run(branched(budget={"trials": 8}))
    run.ends(0)
    (lab.directory / "known.csv").write_text(lab.says("export", str(run.folder.path), "--format", "csv"))
    again = lab.run(branched(budget={"trials": 2}, initial={"results": "known.csv"}))
    again.ends(0)
    known = [trial for trial in checked(again.folder).observed if trial.number < 1]
    told = checked(run.folder).observed
    assert [(t.parameters, t.value) for t in known] == [(t.parameters, t.value) for t in told]


@pytest.mark.long
def test_a_run_that_is_killed_and_resumed_suggests_what_it_would_have(lab: RunLab) -> None:
    whole = branched(mode="sequential", budget={"trials": 10})
    slow = whole | {"evaluation": whole["evaluation"] | {"options": {"seconds": 0.05}}}
    assert suggestions(lab.run_killed(slow, asks=7)) == suggestions(lab.run_to_its_end(whole))


def test_amended_bounds_leave_out_nothing_of_which_the_parameter_does_not_count(lab: RunLab) -> None:
    run = lab.run(branched(budget={"trials": 8}))
    run.ends(0)
    path = str(run.folder.path)
    lab.says("amend", path, "--bounds", "x=0,0.75", "--trials", "10", "--result", "kind=flat,value=1")
    lab.resume(run.folder).ends(0)
    state = checked(run.folder)
    assert state.tally.completed == 10
    assert all(trial.parameters.get("x", 0.0) <= 0.75 for trial in list(state.trials.values())[8:])
    assert state.counts(state.trials[1])
    lab.says("fsck", path)
