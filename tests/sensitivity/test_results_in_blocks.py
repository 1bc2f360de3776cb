"""A model of results that come in blocks is of the function, without their offsets."""

from dataclasses import replace

import numpy as np
import pytest

from orchestrator.algorithms.base import Problem
from orchestrator.parameters.space import Space
from orchestrator.sensitivity.analysis import problem_of_one
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.unit_cube.domain import Domain

X = np.linspace(0.0, 1.0, 16)[:, None]
BRIGHT = np.arange(16) % 2 == 1
MEASURED = Measured(
    X,
    np.sin(3.0 * X[:, 0]) + np.where(BRIGHT, 1.0, 0.0),
    np.zeros(16),
    blocks=tuple("b" if bright else "a" for bright in BRIGHT),
)
PROBLEM = Problem(Domain.continuous(1), blocks=True)


def test_what_is_expected_is_smooth_where_every_other_result_is_of_a_brighter_plate() -> None:
    model = ResultsModel.fitted(PROBLEM, MEASURED)
    expected = model.expected(X) - model.expected(X[:1])
    assert expected == pytest.approx(np.sin(3.0 * X[:, 0]), abs=0.1)
    # Of a result of another plate as much less is known as plates differ.
    other = model.believed_of(PROBLEM, MEASURED.at(np.array([5]))).moments()[1][0]
    assert other > 0.3


def test_some_of_the_results_keep_their_blocks_and_other_quantities_have_none() -> None:
    assert MEASURED.at(np.array([0, 3, 4])).blocks == ("a", "b", "a")
    assert problem_of_one(PROBLEM, first=True).blocks
    assert not problem_of_one(PROBLEM, first=False).blocks


def test_offsets_are_told_from_what_describes_a_choice() -> None:
    numbers = {str(i): {"size": float(x), "age": float(i % 4)} for i, x in enumerate(X[:, 0])}
    domain = Space.from_description({"compound": {"type": "choice", "values": numbers}}).domain
    problem = Problem(domain, blocks=True)
    measured = replace(MEASURED, points=domain.listed)
    model = ResultsModel.fitted(problem, measured)
    other = model.believed_of(problem, measured.at(np.array([5]))).moments()[1][0]
    assert other > 0.3
