"""A run that is told of a related experiment goes on to the bit after it was killed, its table being gone."""

from __future__ import annotations

import json

import pytest
from run_lab import RunLab, answered, checked, spec, suggestions

TABLE = "x,value\n0.1,3\n0.35,9\n0.6,4\n0.85,1\n0.95,0.5\n2,7\n"
TOLD = {"algorithm": {"name": "auto"}, "mode": "sequential", "budget": {"trials": 8}}


@pytest.mark.long
def test_a_run_that_is_killed_and_resumed_suggests_what_it_would_have(lab: RunLab) -> None:
    whole = spec(**TOLD, initial={"related": "old.csv"})
    (lab.directory / "old.csv").write_text(TABLE, encoding="utf-8")
    life = lab.run(whole)
    answered(life, 6)
    life.kill()
    (lab.directory / "old.csv").unlink()
    lab.resume(life.folder).ends(0)
    killed = life.folder
    points = suggestions(lab.run_to_its_end(whole | {"initial": {"related": TABLE}}))
    assert points[0]["x"] == pytest.approx(0.35)
    assert suggestions(killed) == points
    assert checked(killed).tally.completed == 8
    assert "related 5 results of a related experiment" in lab.says("status", str(killed.path))
    assert "a related experiment was best" in lab.says("explain", str(killed.path), "1")


def test_a_status_says_how_many_rows_of_its_table_are_left_out(lab: RunLab) -> None:
    run = lab.run(spec(**TOLD | {"budget": {"trials": 1}}, initial={"related": TABLE}))
    run.ends(0)
    folder = str(run.folder.path)
    assert "5 results of a related experiment, 1 row left out" in lab.says("status", folder)
    assert json.loads(lab.says("status", folder, "--format", "json"))["related_rows_left_out"] == 1
