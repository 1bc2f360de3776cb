"""Runs in real processes whose parameters take steps or have ordered values: resumed, amended, reported."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from run_lab import RunLab, checked, spec, suggestions

from orchestrator.sensitivity import held_out

PARAMETERS = {
    "x": {"type": "float", "bounds": [0, 1], "step": 0.1},
    "y": {"type": "ordered", "values": [0.0625, 0.125, 0.25, 0.5, 1], "scale": "log"},
    "mesh": {"type": "ordered", "values": ["coarse", "medium", "fine"]},
    "n": {"type": "int", "bounds": [8, 64], "step": 8, "when": {"mesh": ["medium", "fine"]}, "otherwise": 8},
}
STEPS = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
# The objective of these runs takes x and y.
PROGRAM = (
    "import json, sys; x, y, n = map(float, sys.argv[1:4]);"
    "print(json.dumps({'value': -(x - 0.3) ** 2 - (y - 0.25) ** 2 - (sys.argv[4] != 'medium')"
    " - (n - 24) ** 2 / 1e4, 'given': sys.argv[1]}))"
)
COMMAND = ["python", "-c", PROGRAM, "{x}", "{y}", "{n}", "{mesh}"]


def stepped(**changes: Any) -> dict[str, Any]:
    return spec(
        evaluation={"evaluator": None, "options": None},
        **{"algorithm": {"name": "gp-ei"}, "mode": "sequential", "initial": {"count": 5}, **changes},
    ) | {"parameters": PARAMETERS, "evaluation": {"command": COMMAND, "output": "json"}}


def are_of_them(points: Iterable[Mapping[str, Any]], values: list[float], steps: list[float]) -> bool:
    return all(point["x"] in steps and point["y"] in values for point in points)


@pytest.mark.long
@pytest.mark.usefixtures("fits_remembered")
def test_a_run_that_is_killed_and_resumed_suggests_what_it_would_have_as_clean_decimals(
    lab: RunLab, monkeypatch: pytest.MonkeyPatch
) -> None:
    # By how much bounds are stretched is tested elsewhere, and takes fits.
    monkeypatch.setattr(held_out, "fifths_of", lambda *_: held_out.Fifths(1.0))
    whole = stepped(budget={"trials": 8}, constraints=["x + y <= 1.2"])
    killed, undisturbed = lab.run_killed(whole, asks=6), lab.run_to_its_end(whole)
    points = suggestions(undisturbed)
    assert suggestions(killed) == points
    assert are_of_them(points, PARAMETERS["y"]["values"], STEPS)  # type: ignore[arg-type]
    assert all(("n" in point) == (point["mesh"] != "coarse") for point in points)
    assert all(point["x"] + point["y"] <= 1.2 for point in points)
    state = checked(undisturbed)
    assert (state.tally.completed, state.tally.failed) == (8, 0)
    path = str(undisturbed.path)
    lab.says("report", path, "--sensitivity")
    page = (undisturbed.path / "report.html").read_text()
    assert "y (log)" in page
    assert "coarse" in page
    assert '"mesh"' in json.dumps(json.loads(lab.says("sensitivity", path, "--format", "json")))


def test_bounds_are_amended_on_the_steps_and_between_values_and_widened_again(lab: RunLab) -> None:
    run = lab.run(stepped(budget={"trials": 6}))
    run.ends(0)
    path = str(run.folder.path)
    refused = lab.says("amend", path, "--bounds", "x=0.25,0.6", code=2)
    assert "expected bounds that keep to its steps of 0.1 from 0, as 0.2,0.6" in refused
    assert "two of its values" in lab.says("amend", path, "--bounds", "y=0.2,0.5", code=2)
    assert "got `mesh`, which is ordered" in lab.says("amend", path, "--bounds", "mesh=1,2", code=2)
    lab.says("amend", path, "--bounds", "x=0.2,1.2", "--bounds", "y=0.25,0.5", "--trials", "8")
    lab.resume(run.folder).ends(0)
    assert are_of_them(suggestions(run.folder)[6:], [0.25, 0.5], [*STEPS[2:], 1.1, 1.2])
    lab.says("amend", path, "--bounds", "y=0.0625,1", "--trials", "10")
    told = lab.says("amend", path, "--result", "x=0.30000000000000004,y=0.0625,mesh=coarse,value=-2")
    assert "1 known result is added" in told
    told = lab.says("amend", path, "--result", "x=0.33,y=0.2,mesh=medium,n=22.5,value=9")
    assert "the known result lies between the values of `x in steps of 0.1`" in told
    lab.resume(run.folder).ends(0)
    state = checked(run.folder)
    assert (state.tally.completed, state.tally.known) == (10, 2)
    known = [trial for trial in state.observed if trial.number < 1]
    assert [trial.parameters["x"] for trial in known] == [0.3, 0.33]
    assert known[1].broken == ("x in steps of 0.1", "y in its listed values", "n in steps of 8")
    assert state.found.best is not None
    assert state.found.best.number > 0
    assert "x" in lab.says("sensitivity", path)
