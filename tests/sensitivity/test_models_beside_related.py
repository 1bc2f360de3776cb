"""What models expect that know of a related experiment: it counts as far as results bear it out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from orchestrator.algorithms.base import Noise, Problem, RelatedResults
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.analysis import analyse, problem_of_one
from orchestrator.sensitivity.believed_together import Drawn
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.unit_cube.domain import Domain

POINTS = np.random.default_rng(4).random((40, 2))
HERE = np.random.default_rng(2).random((7, 2))
ELSEWHERE = np.random.default_rng(9).random((30, 2))


def waves(points: FloatArray) -> FloatArray:
    """More to one side, in waves along the other."""
    return np.asarray(np.sin(9.0 * points[:, 0]) + points[:, 1])


ALIKE = RelatedResults(POINTS, 20.0 - 3.0 * waves(POINTS))
OTHER = RelatedResults(POINTS, np.random.default_rng(1).standard_normal(40))
ALONE = Problem(Domain.continuous(2), noise=Noise("known", 0.0))
# Low values are good, so that goodness is the other way round.
MEASURED = Measured(HERE, waves(HERE), np.zeros(7), sign=-1.0)


def missed(model: ResultsModel) -> float:
    return float(np.sqrt(np.mean((model.expected(ELSEWHERE) - waves(ELSEWHERE)) ** 2)))


@pytest.fixture(scope="module")
def knowing() -> ResultsModel:
    return ResultsModel.fitted(replace(ALONE, related=(ALIKE,)), MEASURED)


@pytest.fixture(scope="module")
def alone() -> ResultsModel:
    return ResultsModel.fitted(ALONE, MEASURED)


def test_what_is_alike_says_what_to_expect_where_nothing_was_measured(
    knowing: ResultsModel, alone: ResultsModel
) -> None:
    assert any(name.startswith("related ") for name in knowing.hypotheses)
    assert missed(knowing) < 0.5 * missed(alone)
    _, sure = knowing.predicted(ELSEWHERE)
    _, unsure = alone.predicted(ELSEWHERE)
    assert np.median(sure) < np.median(unsure)


def test_differences_are_believed_by_it_too(knowing: ResultsModel, alone: ResultsModel) -> None:
    pair = np.array([[0.17, 0.5], [0.52, 0.5]])
    truth = float(np.diff(waves(pair))[0])
    known, unknown = (model.together(pair) for model in (knowing, alone))
    low, high = known.expected()
    assert high - low == pytest.approx(truth, abs=0.3)
    normals = np.random.default_rng(0).standard_normal((200, 2))
    drawn = (one.drawn(normals).values for one in (known, unknown))
    sure, unsure = (
        Drawn(one.weights, values[:, :, 1] - values[:, :, 0]).deviation()
        for one, values in zip((known, unknown), drawn, strict=True)
    )
    assert sure < unsure


def test_what_is_otherwise_is_hardly_believed() -> None:
    told = Measured(POINTS[:14], waves(POINTS[:14]), np.zeros(14), sign=-1.0)
    misled = ResultsModel.fitted(replace(ALONE, related=(OTHER,)), told)
    assert missed(misled) < 1.5 * missed(ResultsModel.fitted(ALONE, told))


def test_which_parameters_matter_is_said_by_what_it_found(knowing: ResultsModel) -> None:
    found = analyse(ALONE, ("x", "y"), MEASURED, HERE[0], lambda *_: knowing)
    # Of the variance of the waves sin(9 x) has 0.45, and y a twelfth.
    assert found.influences["x"].alone > 2.0 * found.influences["y"].alone


def test_what_was_found_of_it_is_not_looked_for_again(knowing: ResultsModel) -> None:
    found = replace(knowing, standing=Standing(related=knowing.standing.related))
    problem = replace(ALONE, related=(ALIKE,))
    again = ResultsModel.fitted(problem, MEASURED, found)
    assert np.array_equal(again.expected(ELSEWHERE), knowing.expected(ELSEWHERE))
    other = ResultsModel.fitted(replace(problem, related=(OTHER,)), MEASURED, found)
    assert other.standing.related == found.standing.related


def test_of_outcomes_it_says_nothing() -> None:
    problem = replace(ALONE, related=(ALIKE,))
    assert problem_of_one(problem, first=True).related == (ALIKE,)
    assert problem_of_one(problem, first=False).related == ()
