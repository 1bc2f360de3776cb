"""Runs by a simulated person, who says which of two trials is better: how good what is believed best then is.

Notation: D parameters.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchmarks.contenders.searches import SearchJob, SearchRun
from benchmarks.functions.drifting import Drifting
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import (
    Algorithm,
    AskKey,
    Comparison,
    LearnsComparisons,
    Noise,
    Observation,
    Problem,
)
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain

COMPARED: Mapping[str, Drifting] = {
    name: Drifting(name, 0.0, evaluations=evaluations)
    for name, evaluations in (("camel", 30), ("hartmann-3", 40), ("ackley-5", 50), ("hartmann-6", 50))
}
"""Each lies elsewhere under each seed, and does not move."""
COMPARISONS, FOUR = "comparisons", "comparisons in fours"
SPREAD, VALUES = "comparisons of points spread evenly", "values"
ERROR = 0.1
"""The deviation of what a person mistakes of a difference, in those of the function. Of a value it is that of
one of the two.
"""
PLACES = 2_000


@dataclass(frozen=True)
class Run(SearchRun[SearchJob, float]):
    """What came of a job: the regret of what was believed best after each trial."""

    def regret(self, evaluations: int) -> float:
        """After so many trials."""
        return self.values[evaluations - 1]


@dataclass(eq=False)
class Person:
    """Who sees what is lost at a trial with errors, and says which of two loses less."""

    error: float
    rng: np.random.Generator

    def compare(self, trial: int, other: int, lost: Mapping[int, float]) -> Comparison:
        """Of two trials."""
        is_better = lost[other] - lost[trial] + self.error * self.rng.standard_normal() > 0.0
        return Comparison(trial, other) if is_better else Comparison(other, trial)

    def value(self, lost: float) -> float:
        """What is measured instead, the more the better."""
        return -lost + self.error / math.sqrt(2.0) * float(self.rng.standard_normal())


def run(job: SearchJob) -> Run:
    """Each trial but the first is compared with the one that was believed best when it was chosen, or each is
    measured.
    """
    function = COMPARED[job.function]
    copy, dimension, evaluations = function.of_seed(job.seed), function.dimension, function.evaluations
    rng = stream(job.seed, "a person who compares", dimension)
    lost_anywhere = [copy.regret_and_value(u, 0.0)[0] for u in rng.random((PLACES, dimension))]
    person = Person(ERROR * float(np.std(lost_anywhere)), rng)
    algorithm = _algorithm(job, dimension, evaluations, person.error)
    lost, regrets, spent = dict[int, float](), list[float](), 0.0
    values = dict[int, float]()
    at_once = 4 if job.algorithm == FOUR else 1
    for ask, first in enumerate(range(1, evaluations + 1, at_once), start=1):
        begun = time.process_time()
        best = _believed_best(algorithm, values)
        suggestions = algorithm.ask(min(at_once, evaluations + 1 - first), [], AskKey(ask, first))
        spent += time.process_time() - begun
        for trial, suggestion in enumerate(suggestions, start=first):
            lost[trial] = copy.regret_and_value(suggestion.point, 0.0)[0]
            _tell(algorithm, trial, suggestion.point, person, best=best, lost=lost, values=values)
            regrets.append(lost[_believed_best(algorithm, values) or trial])
    return Run(job, tuple(regrets), spent / evaluations)


def _algorithm(job: SearchJob, dimension: int, evaluations: int, error: float) -> Algorithm:
    problem = Problem(
        Domain.continuous(dimension),
        seed=job.seed,
        noise=Noise() if job.algorithm != VALUES else Noise("known", error / math.sqrt(2.0)),
        start_points=evaluations if job.algorithm == SPREAD else None,
        trials=evaluations,
        compared=job.algorithm != VALUES,
    )
    return registry.build("auto", problem)


def _tell(
    algorithm: Algorithm,
    trial: int,
    point: FloatArray,
    person: Person,
    *,
    best: int | None,
    lost: Mapping[int, float],
    values: dict[int, float],
) -> None:
    if isinstance(algorithm, LearnsComparisons):
        algorithm.tell([Observation(trial, point, None)])
        if trial > 1:
            algorithm.compare([person.compare(trial, best or trial - 1, lost)])
        return
    values[trial] = person.value(lost[trial])
    algorithm.tell([Observation(trial, point, values[trial])])


def _believed_best(algorithm: Algorithm, values: Mapping[int, float]) -> int | None:
    """The number of its trial; None before there is any."""
    bring_up_to_date(algorithm)
    told = algorithm.insight()
    if told.preferred is not None:
        return told.preferred.trial
    if told.believed_best is not None:
        return told.believed_best.trial
    return max(values, key=values.__getitem__, default=None)
