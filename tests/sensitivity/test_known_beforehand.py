"""What is known of parameters before anything was measured counts beside what was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from linear_fits import (
    NONE,
    SPACE,
    TRUTH,
    covariance,
    few_steps,
    fitted_to_truth,
    model_of,
)

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.computed_objective import Misfit
from orchestrator.fit_targets import Target
from orchestrator.parameters.priors import knowing, prior_of_points
from orchestrator.parameters.space import Space
from orchestrator.sensitivity.calibration import calibrated
from orchestrator.sensitivity.composed import ComposedModel, Composing
from orchestrator.sensitivity.marginals import marginals
from orchestrator.values.candidates import Candidates

KNOWN = {"a": {"mean": 1.15, "deviation": 0.06}}


@pytest.fixture(autouse=True, scope="module")
def _few_steps() -> Iterator[None]:
    with few_steps():
        yield


@pytest.fixture(scope="module")
def model() -> ComposedModel:
    return fitted_to_truth()


def knowing_of(model: ComposedModel, space: Space, known: dict[str, Any]) -> Problem:
    return replace(model.composing.problem, beforehand=prior_of_points(knowing(space, known)))


def test_what_is_known_beforehand_counts_beside_the_targets_as_in_closed_form(model: ComposedModel) -> None:
    found = calibrated(knowing_of(model, SPACE, KNOWN), model, NONE)
    precision = np.linalg.inv(covariance())
    together = np.linalg.inv(precision + np.diag([0.06**-2, 0.0]))
    mean = together @ (precision @ TRUTH + [1.15 * 0.06**-2, 0.0])
    deviations = np.sqrt(np.diag(together))
    for points in (found.points, found.of_means):
        drawn = points * [2.0, 1.0]
        assert (drawn.mean(axis=0) - mean) / deviations == pytest.approx([0.0, 0.0], abs=0.15)
        assert np.cov(drawn.T) / np.outer(deviations, deviations) == pytest.approx(
            together / np.outer(deviations, deviations), abs=0.15
        )


def test_where_targets_say_nothing_what_was_known_is_what_is_plausible() -> None:
    space = Space.from_description(
        {
            "a": (0.0, 2.0),
            "n": {"type": "int", "bounds": [1, 6]},
            "rate": {"type": "float", "bounds": [0.01, 100.0], "scale": "log"},
            "kind": {"type": "choice", "values": ["x", "y", "z"]},
        }
    )
    points = space.domain.sample(20, np.random.default_rng(3))
    problem = Problem(
        space.domain, noise=Noise("known", 0.0), composite=Misfit({"y": Target(1.0, 0.1)}, -1.0, 4)
    )
    fit = problem.composite
    assert isinstance(fit, Misfit)
    model = ComposedModel.fitted(Composing(problem, fit, points, 2.0 * points[:, :1], -1.0))
    known = {
        "n": {"mean": 5, "deviation": 0.8},
        "rate": {"mean": 0.3, "factor": 2.0},
        "kind": {"chances": [0.7, 0.3, 0.0]},
    }
    found = calibrated(knowing_of(model, space, known), model, np.zeros((0, 4)))
    _, n, rate, kind = marginals(space, found).each
    assert rate.interval is not None
    assert n.interval is not None
    assert (n.interval.low, n.interval.median, n.interval.high) == (4, 5, 6)
    logs = np.log2(np.array([rate.interval.low, rate.interval.median, rate.interval.high]) / 0.3)
    assert logs == pytest.approx([-1.0, 0.0, 1.0], abs=0.2)
    assert kind.chances["x"] == pytest.approx(0.7, abs=0.08)
    assert "z" not in kind.chances


def test_of_candidates_each_counts_by_what_is_known_of_it() -> None:
    a = np.linspace(0.0, 2.0, 41)
    space = Space.from_description({"a": (0.0, 2.0)}, candidates=Candidates.of({"a": a.tolist()}))
    points = np.array([space.encode({"a": value}) for value in a[::8].tolist()])
    model = model_of(space, lambda told: told, np.array([1.0]), np.array([0.2]), points)
    found = calibrated(
        knowing_of(model, space, {"a": {"mean": 1.4, "deviation": 0.2}}), model, np.zeros((0, 1))
    )
    told = marginals(space, found).each[0].interval
    assert told is not None
    assert told.median == pytest.approx(1.2, abs=0.06)
    assert told.high - told.low == pytest.approx(2.0 * 0.2 / np.sqrt(2.0), abs=0.11)
