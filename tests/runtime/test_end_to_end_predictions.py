"""What models of a real run's results expect at settings of one's choosing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from run_lab import RunLab, checked, spec

from orchestrator.sensitivity import held_out

HEATED = {"outcomes": ["heat"], "constraints": ["heat <= 50", "x + y <= 1.6"]}


def test_settings_are_asked_about_beside_the_best_point_and_so_are_the_trials_that_there_were(
    lab: RunLab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = lab.run(spec("heated", budget={"trials": 16}, **HEATED))
    run.ends(0)
    path, best = str(run.folder.path), checked(run.folder).found.best
    assert best is not None
    # By how much bounds are stretched is tested elsewhere, and takes fits.
    monkeypatch.setattr(held_out, "fifths_of", lambda *_: held_out.Fifths(1.0))
    told = json.loads(lab.says("predict", path, "x=0.25", "--format", "json"))
    (point,) = told["points"]
    assert (told["left_out"], told["best_trial"]) == (["y"], best.number)
    assert point["parameters"] == {"x": 0.25, "y": best.parameters["y"]}
    height, heat = point["predicted"]["height"], point["predicted"]["heat"]
    assert height["mean"] == pytest.approx(0.25 + best.parameters["y"], abs=0.1)
    assert heat["low"] < 25.0 < heat["high"] or heat["mean"] == pytest.approx(25.0, abs=0.5)
    assert point["satisfied"] > 0.9
    trials, predicted = tmp_path / "trials.csv", tmp_path / "predicted.csv"
    lab.says("export", path, "--output", str(trials))
    options = ("--points", str(trials), "--of", "height", "--format", "csv", "--output", str(predicted))
    lab.says("predict", path, *options)
    assert len(predicted.read_text().splitlines()) == len(trials.read_text().splitlines()) == 17
    wrong = lab.says("predict", path, "x=1.4", code=2)
    assert "settings:1:3: expected a number in [0, 1] for `x`, got 1.4\n  x=1.4\n    ^" in wrong
