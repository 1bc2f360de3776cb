"""Runs of objectives that are computed from outcomes, by searches that are told these, and by others."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun
from benchmarks.functions.calibrations import CALIBRATIONS, Copy
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.unit_cube.domain import Domain

BY_OUTCOMES, BY_VALUE, RANDOM = "by outcomes", "by the value", "random"
ALGORITHMS: Mapping[str, str] = {BY_OUTCOMES: "auto", BY_VALUE: "auto", RANDOM: "random"}
"""Which algorithm each contender is."""


@dataclass(frozen=True)
class Run(SearchRun[SearchJob, float]):
    """What came of a job: each value, in the sense of maximisation."""

    def missed(self, evaluations: int) -> float:
        """By how much the best of so many evaluations is worse than the best there is."""
        return _copy(self.job.function, self.job.seed).best - max(self.values[:evaluations])


def run(job: SearchJob) -> Run:
    """One evaluation at a time, all without noise."""
    calibration, copy = CALIBRATIONS[job.function], _copy(job.function, job.seed)
    problem = Problem(
        Domain.continuous(calibration.dimension),
        seed=job.seed,
        noise=EXACT,
        trials=calibration.evaluations,
        composite=copy.function if job.algorithm == BY_OUTCOMES else None,
    )
    algorithm = registry.build(ALGORITHMS[job.algorithm], problem)
    values, spent = list[float](), 0.0
    for trial in range(1, calibration.evaluations + 1):
        begun = time.process_time()
        bring_up_to_date(algorithm)
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        spent += time.process_time() - begun
        outcomes = np.asarray(copy.outcomes(suggestion.point))
        values.append(copy.value(suggestion.point, outcomes))
        algorithm.tell([Observation(trial, suggestion.point, values[-1], outcomes=outcomes)])
    return Run(job, tuple(values), spent / len(values))


@cache
def _copy(function: str, seed: int) -> Copy:
    """Whose best point takes a while to be found."""
    return CALIBRATIONS[function].of_seed(seed)
