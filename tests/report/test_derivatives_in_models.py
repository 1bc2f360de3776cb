"""Derivatives that trials of a run brought reach the models that predict, compare and say what matters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from traded_off_runs import gave
from varied_runs import LONG, VariedRun, mass

from orchestrator.report.following.runs import read_run
from orchestrator.report.models.measured_results import measured_of, trials_with
from orchestrator.spec.build import build_space

STEEP = LONG.replace("goal: minimise}", "goal: minimise, derivatives: [span, sweep]}").replace(
    "bounds: [1.0, 9.0], unit: m", "bounds: [1.0, 9.0], scale: log, unit: m"
)


def test_they_are_by_the_cube_s_coordinates_and_of_the_objective_alone(tmp_path: Path) -> None:
    run = VariedRun(STEEP)
    run.begin()
    spans = []
    for trial in range(4):
        run.answer_asks()
        parameters = dict(run.evaluations[0].parameters)
        spans.append(parameters["span"])
        both = {"span": -100.0 / parameters["span"] ** 2, "sweep": 0.2}
        told = both if trial else {"sweep": 0.2}
        gave(run, 100.0 / parameters["span"], {"derivatives": told, "mass": mass(parameters)})
    followed = read_run(run.write(tmp_path / "logs" / "wing-1"))
    space = build_space(followed.spec)
    found = measured_of(followed, space, "drag", trials_with(followed, "drag")).derivatives
    assert found is not None
    by_span = [np.nan, *(-100.0 / span * np.log(9.0) for span in spans[1:])]
    assert found[:, 0] == pytest.approx(by_span, nan_ok=True)
    assert found[:, 1] == pytest.approx([8.0] * 4)
    assert np.isnan(found[:, 2:]).all()
    assert measured_of(followed, space, "mass", trials_with(followed, "mass")).derivatives is None
