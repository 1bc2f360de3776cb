"""What is known of parameters before anything was measured counts beside what was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from linear_fits import (
    ERRORS,
    NONE,
    SPACE,
    TRUTH,
    covariance,
    few_steps,
    fitted_to_truth,
    linear,
    model_of,
)

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.computed_objective import Misfit
from orchestrator.fit_targets import Target
from orchestrator.parameters.priors import knowing, prior_of_points
from orchestrator.parameters.space import Space
from orchestrator.sensitivity.calibration import Calibration, calibrated
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


def told_by(found: Calibration, space: Space) -> dict[str, Any]:
    """What a fit leaves plausible, as what another one knows beforehand."""
    drawn = marginals(space, found).draws
    return {name: {"draws": [draw[name] for draw in drawn]} for name in space.names}


def fitted_to(rows: list[int]) -> ComposedModel:
    """To some of the targets alone."""
    points = np.random.default_rng(0).random((14, 2))
    return model_of(SPACE, lambda x: linear(x)[:, rows], linear(TRUTH)[rows], ERRORS[rows], points)


def test_one_data_set_after_another_says_what_both_say_at_once_as_in_closed_form() -> None:
    first, second = fitted_to([0, 1]), fitted_to([2])
    known = told_by(calibrated(first.composing.problem, first, NONE, 800), SPACE)
    found = calibrated(knowing_of(second, SPACE, known), second, NONE)
    deviations = np.sqrt(np.diag(covariance()))
    drawn = found.points * [2.0, 1.0]
    assert (drawn.mean(axis=0) - TRUTH) / deviations == pytest.approx([0.0, 0.0], abs=0.15)
    assert np.cov(drawn.T) / np.outer(deviations, deviations) == pytest.approx(
        covariance() / np.outer(deviations, deviations), abs=0.15
    )


def bent(settings: np.ndarray) -> np.ndarray:
    """The first two say that b goes with the square of a; the third says what a is, roughly."""
    a, b = settings[:, 0], settings[:, 1]
    return np.column_stack([b - 0.7 * (a - 1.0) ** 2, 0.2 * a, 1.0 * a])


def test_of_a_banana_that_earlier_data_left_later_ones_take_the_right_end() -> None:
    grid = np.stack(np.meshgrid(np.linspace(0, 2, 201), np.linspace(0, 1, 201), indexing="ij"), -1)
    cells, measured, errors = grid.reshape(-1, 2), np.array([0.25, 0.2, 1.4]), np.array([0.04, 0.1, 0.15])

    def chi(rows: list[int]) -> np.ndarray:
        return np.asarray((((bent(cells) - measured) / errors)[:, rows] ** 2).sum(axis=1))

    earlier = np.exp(-0.5 * chi([0, 1]))
    left = cells[np.random.default_rng(3).choice(len(cells), 1000, p=earlier / earlier.sum())]
    known = {"a": {"draws": left[:, 0]}, "b": {"draws": left[:, 1]}}
    points = np.random.default_rng(2).random((12, 2))
    second = model_of(SPACE, lambda x: bent(x)[:, [2]], measured[[2]], errors[[2]], points)
    found = calibrated(knowing_of(second, SPACE, known), second, NONE).points * [2.0, 1.0]
    weights = np.exp(-0.5 * chi([0, 1, 2]))
    mean = np.average(cells, axis=0, weights=weights)
    exact = np.cov(cells.T, aweights=weights)
    deviations = np.sqrt(np.diag(exact))
    assert (found.mean(axis=0) - mean) / deviations == pytest.approx([0.0, 0.0], abs=0.2)
    assert np.sqrt(np.diag(np.cov(found.T))) / deviations == pytest.approx([1.0, 1.0], abs=0.2)
    assert np.corrcoef(found.T)[0, 1] == pytest.approx(exact[0, 1] / deviations.prod(), abs=0.1)
