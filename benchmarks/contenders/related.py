"""Runs on functions beside results of another experiment, which whoever searches is told, or is not."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun, search
from benchmarks.functions.related import RELATED
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

NOTHING = "nothing"


@dataclass(frozen=True)
class Job(SearchJob):
    """On a function of `RELATED`. ``told``: of which other experiment of `OTHERS`, or nothing."""

    told: str = NOTHING

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        return "told nothing" if self.told == NOTHING else self.told


@dataclass(frozen=True)
class Run(SearchRun[Job, float]):
    """What came of a job: the regret of each trial."""

    def regret(self, evaluations: int) -> float:
        """Of the best of so many trials."""
        return min(self.values[:evaluations])


def run(job: Job) -> Run:
    """One trial at a time."""
    related = RELATED[job.function]
    copy = related.of_seed(job.seed)
    problem = Problem(
        Domain.continuous(related.dimension),
        seed=job.seed,
        noise=EXACT,
        trials=related.evaluations,
        related=() if job.told == NOTHING else (copy.results(job.told),),
    )

    def evaluate(trial: int, point: FloatArray) -> tuple[Observation, float]:
        regret = copy.regret(point)
        return Observation(trial, point, -regret), regret

    algorithm = registry.build(job.algorithm, problem, {})
    return Run(job, *search(algorithm, related.evaluations, evaluate))
