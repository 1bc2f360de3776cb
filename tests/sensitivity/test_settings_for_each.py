"""What is said of a condition beside its best settings: what is expected of them, and which trial near by."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.parameters.in_use import conditions_in_use
from orchestrator.parameters.space import Space
from orchestrator.report.models.settings_for_each import _over_the_range
from orchestrator.sensitivity import held_out
from orchestrator.sensitivity.analysis import problem_of_one
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.sensitivity.settings_for_each import SettingsForEach
from orchestrator.unit_cube.even_points import even_points
from orchestrator.values.over import Over

SPACE = Space.from_description(
    {"x": (0.0, 1.0), "load": {"type": "float", "bounds": [0, 1], "in_use": "evenly"}}
)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_a_trial_near_by_is_chosen_by_its_settings_and_not_for_an_easier_condition(
    sign: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_out, "fifths_of", lambda *_: held_out.Fifths(1.0))
    problem = Problem(
        SPACE.domain, 0, noise=Noise("known", 0.0), in_use=conditions_in_use(SPACE, Over(each=True))
    )
    points = even_points(SPACE.domain, 16, np.random.default_rng(0))
    badness = np.square(points[:, 0] - points[:, 1]) + 10.0 * points[:, 1]
    model = SettingsForEach(problem, Measured(points, -sign * badness, np.zeros(16), sign), np.empty((0, 2)))
    # The first has a better value, as its load is less.
    assert model.best_of(np.array([[0.1, 0.45], [0.5, 0.5], [0.8, 0.5]]), {1: 0.5}) == 1


def test_the_best_is_seen_on_the_scales_on_which_results_are_likelier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(held_out, "fifths_of", lambda *_: held_out.Fifths(1.0))
    space = Space.from_description(
        {"x": (1e-4, 1.0), "load": {"type": "float", "bounds": [0, 1], "in_use": "evenly"}}
    )
    in_use = conditions_in_use(space, Over(each=True))
    problem = Problem(space.domain, 0, noise=Noise("known", 0.0), in_use=in_use)
    points = even_points(space.domain, 16, np.random.default_rng(0))
    points[:, 0] **= 3
    values = np.square(np.log10(1e-4 + points[:, 0]) + 2.0) + points[:, 1]
    measured = Measured(points, values, np.zeros(16), -1.0)
    best = SettingsForEach(problem, measured, np.empty((0, 2))).best({1: 0.5})
    assert best is not None
    model = ResultsModel.fitted(problem_of_one(problem, first=True), measured)
    assert model.scales
    (mean,), _ = model.predicted(best.point[None, :])
    assert best.predicted.mean == mean
    # Where the value is least, in a decade in which hardly any setting would lie by chance.
    assert abs(np.log10(1e-4 + best.point[0]) + 2.0) < 0.05
    assert best.point[1] == 0.5


def test_conditions_that_come_round_are_as_many_as_asked_and_none_twice() -> None:
    wind = {"type": "float", "bounds": [0, 360], "periodic": True, "in_use": "evenly"}
    space = Space.from_description({"x": (0.0, 1.0), "wind": wind})
    problem = Problem(space.domain, 0, in_use=conditions_in_use(space, Over(each=True)))
    conditions = _over_the_range(space, problem, 4, ())
    assert conditions == [{"wind": 0.0}, {"wind": 90.0}, {"wind": 180.0}, {"wind": 270.0}]
