"""Searches for the best angles, which are told that these come round or are not."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun, search
from benchmarks.functions.periodic import PERIODIC
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.arrays import FloatArray
from orchestrator.parameters.kinds import FloatParameter
from orchestrator.parameters.space import Space


@dataclass(frozen=True)
class Job(SearchJob):
    """On a function of `PERIODIC`: whether its angles are ``periodic``, or between two ends."""

    periodic: bool = True

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        return self.algorithm if self.periodic else f"{self.algorithm}, as on a line"


@dataclass(frozen=True)
class Run(SearchRun[Job, float]):
    """What came of a job: the regret of each trial."""

    def regret(self, evaluations: int) -> float:
        """The least of so many."""
        return min(self.values[:evaluations])


def run(job: Job) -> Run:
    """One trial after the other."""
    function = PERIODIC[job.function]
    angles = (
        FloatParameter(f"a{j}", -180.0, 180.0, periodic=job.periodic) for j in range(function.dimension)
    )
    domain = Space(tuple(angles)).domain
    problem = Problem(domain, seed=job.seed, noise=EXACT, trials=function.evaluations)

    def evaluated(trial: int, point: FloatArray) -> tuple[Observation, float]:
        regret = function.regret(job.seed, point)
        return Observation(trial, point, -regret), regret

    algorithm = registry.build(job.algorithm, problem, {})
    return Run(job, *search(algorithm, function.evaluations, evaluated))
