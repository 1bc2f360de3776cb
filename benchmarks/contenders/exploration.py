"""Runs after which a model is to know all of a function: how far it is off, of whosever points.

Notation: D parameters, n evaluations.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun, search
from benchmarks.functions.exploration import EXPLORED, Values
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.sensitivity.measured import Measured
from orchestrator.unit_cube.domain import Domain

PARTS = (4, 2, 1)
"""A model is judged after a quarter of the evaluations, after half, and after all of them."""
LOG_OF_PLACES = 11
"""To base 2, of how many places it is judged at."""


@dataclass(frozen=True)
class Run(SearchRun[SearchJob, float]):
    """What came of a job: values are the errors of the model after each of `PARTS` of the evaluations."""

    def error(self, evaluations: int) -> float:
        """After so many."""
        return self.values[PARTS.index(EXPLORED[self.job.function].evaluations // evaluations)]


def run(job: SearchJob) -> Run:
    """A search for the least value, as far as the algorithm is one, whose values are exact."""
    function = EXPLORED[job.function]
    values = function.of_seed(job.seed)
    problem = Problem(
        Domain.continuous(function.dimension), job.seed, noise=EXACT, trials=function.evaluations
    )
    points = np.empty((function.evaluations, function.dimension))

    def evaluate(trial: int, point: FloatArray) -> tuple[Observation, float]:
        points[trial] = point
        value = float(values(point[None, :])[0])
        return Observation(trial, point, -value), value

    told, seconds = search(registry.build(job.algorithm, problem), function.evaluations, evaluate)
    after = [function.evaluations // part for part in PARTS]
    errors = tuple(error_of_model(problem, values, points[:n], np.array(told[:n])) for n in after)
    return Run(job, errors, seconds)


def error_of_model(problem: Problem, function: Values, points: FloatArray, told: FloatArray) -> float:
    """The root of the mean square of what the mixture of `auto`, fitted to (n,) values ``told`` of (n, D)
    points, is off all over the unit cube, as a part of the function's deviation.
    """
    # Not above: whoever reads the help need not load models.
    from scipy.stats import qmc

    from orchestrator.sensitivity.results_model import ResultsModel

    model = ResultsModel.fitted(problem, Measured(points, told, np.zeros(len(told)), -1.0))
    rng = stream(problem.seed, "exploration judged")
    places = qmc.Sobol(points.shape[1], seed=rng).random_base2(LOG_OF_PLACES)
    truth = function(places)
    return float(np.sqrt(np.mean((model.expected(places) - truth) ** 2)) / truth.std())
