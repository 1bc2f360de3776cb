"""Runs after which it is to be known where a function is above a threshold, of whosever points.

Notation: D parameters, n evaluations.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace

import numpy as np

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun, search
from benchmarks.functions.boundaries import BOUNDARIES, BoundaryFunction
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.sensitivity.measured import Measured
from orchestrator.unit_cube.domain import Domain

TOLD = "told the threshold"
CONTENDERS = (TOLD, "explore", "sobol", "random", "auto")
PARTS = (4, 2, 1)
"""A model is judged after a quarter of the evaluations, after half, and after all."""
SHOWN = (2, 1)
"""After which of them whose points tell most is shown: before, most are the start design still."""
LOG_OF_PLACES = 11
"""To base 2, of how many places it is judged at."""


@dataclass(frozen=True)
class Judged:
    """Which share of the domain a model puts on the ``wrong`` side, and expects to (``expected``); which lies
    above in ``truth``, and between which bounds it says so. All in [0, 1].
    """

    wrong: float
    expected: float
    truth: float
    low: float
    high: float


@dataclass(frozen=True)
class Run(SearchRun[SearchJob, tuple[float, ...]]):
    """What came of a job: values are what was judged after each of `PARTS` of the evaluations, or of `SHOWN`
    alone.
    """

    @property
    def judged(self) -> list[Judged]:
        """The same by names."""
        return [Judged(*own) for own in self.values]

    def wrong(self, evaluations: int) -> float:
        """After so many, one of those `SHOWN`."""
        part = SHOWN.index(BOUNDARIES[self.job.function].evaluations // evaluations)
        return self.judged[part - len(SHOWN)].wrong


def run(job: SearchJob) -> Run:
    """From the start design that the algorithm has; values are exact, and told to be."""
    function = BOUNDARIES[job.function]
    domain, count = Domain.continuous(function.dimension), function.evaluations
    problem = Problem(domain, job.seed, noise=EXACT, trials=count)
    points = np.empty((count, function.dimension))

    def evaluate(trial: int, point: FloatArray) -> tuple[Observation, float]:
        points[trial] = point
        value = float(function.value(point[None, :])[0])
        return Observation(trial, point, value), value

    told_it = job.algorithm == TOLD
    own = replace(problem, threshold=function.threshold) if told_it else problem
    algorithm = registry.build("explore" if told_it else job.algorithm, own)
    told, seconds = search(algorithm, count, evaluate)
    after = [count // part for part in PARTS]
    values = tuple(astuple(judged(problem, function, points[:n], np.array(told[:n]))) for n in after)
    return Run(job, values, seconds)


def judged(problem: Problem, function: BoundaryFunction, points: FloatArray, told: FloatArray) -> Judged:
    """The mixture of `auto`, fitted to (n,) values ``told`` of (n, D) points, all over the unit cube."""
    # Not above: whoever reads the help need not load models.
    from scipy.stats import qmc

    from orchestrator.algorithms.mixture.belief import MixtureBelief
    from orchestrator.algorithms.mixture.crossing_survey import CrossingSurvey
    from orchestrator.sensitivity.results_model import ResultsModel

    model = ResultsModel.fitted(problem, Measured(points, told, np.zeros(len(told))))
    rng = stream(problem.seed, "boundaries judged")
    belief = model.belief
    assert isinstance(belief, MixtureBelief), "no derivatives are told"
    places = qmc.Sobol(points.shape[1], seed=rng).random_base2(LOG_OF_PLACES)
    above = function.value(places) > function.threshold
    shares = np.full(len(places), 1.0 / len(places))
    X = model.domain.embed(places)
    wrong = (CrossingSurvey(belief, X, shares, function.threshold, len(told)).chances > 0.5) != above
    few = 512
    even = np.full(few, 1.0 / few)
    found = CrossingSurvey(belief, X[:few], even, function.threshold, len(told)).crossing(rng)
    return Judged(float(wrong.mean()), found.misclassified, float(above.mean()), found.low, found.high)
