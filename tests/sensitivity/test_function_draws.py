"""Functions drawn of what models believe: at each point as is believed there, and alike at near ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import qmc

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.sensitivity.function_draws import PLACES, Linked, drawn_functions
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.unit_cube.domain import Domain

NEAR = 1e-3


@pytest.fixture(scope="module")
def model() -> ResultsModel:
    """Of few results of a function that waves."""
    points = qmc.Sobol(1, seed=0).random(4)
    problem = Problem(Domain.continuous(1), noise=Noise("known", 0.0))
    return ResultsModel.fitted(problem, Measured(points, np.sin(9.0 * points[:, 0]), np.zeros(4), -1.0))


def test_at_each_point_they_are_spread_as_is_believed_there(model: ResultsModel) -> None:
    points = np.linspace(0.0, 1.0, 2 * PLACES)[:, None]
    drawn = drawn_functions(model, points, 2000, np.random.default_rng(0))
    believed = model.believed(points)
    assert drawn.mean(axis=0) == pytest.approx(model.expected(points), abs=1e-3)
    low, high = np.quantile(drawn, (0.16, 0.84), axis=0)
    width = believed.quantile(0.84) - believed.quantile(0.16)
    assert high - low == pytest.approx(width, rel=0.15, abs=1e-6)


def test_functions_are_smooth_and_pass_through_results(model: ResultsModel) -> None:
    points = np.random.default_rng(1).random((PLACES, 1))
    beside = drawn_functions(model, np.vstack([points, points + NEAR]), 64, np.random.default_rng(0))
    here, there = beside[:, :PLACES], beside[:, PLACES:]
    assert np.abs(there - here).max() < 0.1 * here.std(axis=0).max()


def test_they_reach_as_much_farther_as_results_that_models_have_not_seen_ask_for(model: ResultsModel) -> None:
    points = np.linspace(0.0, 1.0, 7)[:, None]
    drawn, wider = (
        drawn_functions(one, points, 32, np.random.default_rng(0))
        for one in (model, replace(model, stretch=3.0))
    )
    expected = model.expected(points)
    assert wider - expected == pytest.approx(3.0 * (drawn - expected), abs=1e-9)


def test_what_is_one_place_is_drawn_once() -> None:
    places = np.zeros((5, 1))
    linked = Linked.of(lambda X, Z: np.ones((len(X), len(Z))), places, np.ones(5))
    drawn = linked.drawn(3, np.random.default_rng(0))
    assert np.ptp(drawn, axis=1) == pytest.approx(np.zeros(3), abs=1e-7)
    assert drawn.std() > 0.0


def test_where_nothing_hangs_together_all_is_drawn_by_itself_however_wide() -> None:
    places = np.zeros((5, 1))
    with np.errstate(all="raise"):
        linked = Linked.of(lambda X, Z: np.zeros((len(X), len(Z))), places, np.full(5, 9.0))
    assert linked.rest == pytest.approx(np.full(5, 3.0))
