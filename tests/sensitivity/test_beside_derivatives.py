"""What is believed of results that brought derivatives: by hypotheses that believe them, or do not."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.analysis import problem_of_one
from orchestrator.sensitivity.beside_derivatives import ByDerivatives
from orchestrator.sensitivity.held_out import checked
from orchestrator.sensitivity.kept_models import KeptModels
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.surrogates.posteriors.with_derivatives import DerivativeGP
from orchestrator.unit_cube.domain import Domain

STEEPNESS = np.array([1.0, 4.0, 2.0])
PROBLEM = Problem(Domain.continuous(3), seed=2, noise=Noise("known", 0.0), derivatives=(0, 1, 2))
ALONE = replace(PROBLEM, derivatives=())
ELSEWHERE = np.random.default_rng(8).random((60, 3))


def bent(points: FloatArray) -> FloatArray:
    """(n,) values, to be lowest: no paraboloid, nor a sum of parts."""
    x, y, z = (points - 0.4).T
    return np.asarray(10.0 + x**2 + 4.0 * (y - x) ** 2 + np.cos(3.0 * z * (1.0 + x)))


def slopes(points: FloatArray) -> FloatArray:
    """(n, 3), by differences."""
    h = 1e-6 * np.eye(3)
    return np.stack([(bent(points + step) - bent(points - step)) / 2e-6 for step in h], axis=1)


def measured(factor: float = 1.0, count: int = 9) -> Measured:
    points = np.random.default_rng(5).random((count, 3))
    told = factor * slopes(points)
    told[2, 1], told[4] = np.nan, np.nan
    return Measured(points, bent(points), np.zeros(count), -1.0, derivatives=told)


def missed(model: ResultsModel) -> float:
    return float(np.sqrt(np.mean((model.expected(ELSEWHERE) - bent(ELSEWHERE)) ** 2)))


@pytest.fixture(scope="module")
def model() -> ResultsModel:
    return checked(PROBLEM, measured())


@pytest.fixture(scope="module")
def alone() -> ResultsModel:
    return ResultsModel.fitted(ALONE, measured())


def test_what_is_expected_elsewhere_is_nearer_by_far(model: ResultsModel, alone: ResultsModel) -> None:
    assert missed(model) < 0.5 * missed(alone)
    assert next(iter(model.hypotheses)).endswith("with derivatives")
    assert sum(model.hypotheses.values()) == pytest.approx(1.0)


def test_bounds_are_as_wide_as_results_that_were_left_out_ask_for(model: ResultsModel) -> None:
    believed = model.believed(ELSEWHERE)
    within = (believed.quantile(0.05) <= bent(ELSEWHERE)) & (bent(ELSEWHERE) <= believed.quantile(0.95))
    assert within.mean() > 0.8
    assert believed.moments()[0] == pytest.approx(model.expected(ELSEWHERE), rel=1e-9)


def test_what_is_predicted_of_a_result_has_not_seen_its_derivatives(model: ResultsModel) -> None:
    leader, left_out = model.belief.leader, model.left_out()
    assert isinstance(leader, ByDerivatives)
    own, data = leader.hypothesis.hyperparameters, leader.data
    kernel = own.kernel(leader.hypothesis.family, data.aspects)
    noise = data.noise_variances(kernel, own.noise_variance, own.ratio)
    for result in (0, 2, 4):
        others = data.results != result
        process = DerivativeGP(kernel)
        process.append(data.rows[others], data.y[others], noise[others])
        expected = -leader.scale.undo(process.mean_at(measured().points[[result]]))
        assert left_out.predicted[result] == pytest.approx(float(expected[0]), rel=1e-5)
    assert left_out.values == pytest.approx(measured().values)


def test_what_is_believed_of_points_together_is_what_is_believed_of_each(model: ResultsModel) -> None:
    together, each = model.together(ELSEWHERE[:3]), model.believed(ELSEWHERE[:3])
    for covariance, deviations in zip(together.covariances, each.deviations, strict=True):
        assert np.sqrt(np.diagonal(covariance)) == pytest.approx(deviations, rel=1e-3, abs=1e-5)


def test_derivatives_of_the_wrong_sign_change_little(alone: ResultsModel) -> None:
    wrong = ResultsModel.fitted(PROBLEM, measured(factor=-1.0))
    assert missed(wrong) < 1.5 * missed(alone)


def test_results_about_an_optimum_do_not_have_derivatives_disbelieved() -> None:
    apart = [[0.243, 0.925], [0.365, 0.072], [0.811, 0.749], [0.802, 0.0], [0.0, 0.55]]
    points = np.array([*apart, *6 * [[0.3, 0.0]]])
    points[5:, 0] += [1.5e-3, -1e-4, 3e-6, 3e-7, -7e-7, -1e-9]
    off = points[:, 0] - 0.3
    told = np.column_stack([2.0 * off, np.ones(len(off))])
    bowl = Measured(points, off**2 + points[:, 1], np.zeros(len(off)), -1.0, derivatives=told)
    problem = Problem(Domain.continuous(2), derivatives=(0, 1))
    assert isinstance(ResultsModel.fitted(problem, bowl).belief.leader, ByDerivatives)


def test_an_outcome_and_results_that_brought_none_are_modelled_as_ever(alone: ResultsModel) -> None:
    assert problem_of_one(PROBLEM, first=False).derivatives == ()
    none = replace(measured(), derivatives=np.full((9, 3), np.nan))
    assert ResultsModel.fitted(PROBLEM, none).hypotheses == alone.hypotheses


def test_models_are_kept_for_the_same_derivatives_alone_and_across_a_pickle() -> None:
    kept, few = KeptModels(), measured(count=5)
    found = kept.fitted(PROBLEM, few)
    again = pickle.loads(pickle.dumps(kept))
    assert again.fitted(PROBLEM, few).expected(ELSEWHERE).tolist() == found.expected(ELSEWHERE).tolist()
    assert kept.fitted(PROBLEM, replace(few, derivatives=None)) is not found
