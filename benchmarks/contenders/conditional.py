"""Runs on functions some of whose parameters do not always count: the best value, trial by trial."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun, search
from benchmarks.functions.conditional import CONDITIONAL
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.arrays import FloatArray
from orchestrator.parameters.space import Space


@dataclass(frozen=True)
class Job(SearchJob):
    """On a function of `CONDITIONAL`. ``untold``: the algorithm takes all parameters to count."""

    untold: bool = False

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        return f"{self.algorithm}, untold" if self.untold else self.algorithm


@dataclass(frozen=True)
class Run(SearchRun[Job, float]):
    """What came of a job."""

    def regret(self, evaluations: int) -> float:
        """Of the best of the first so many."""
        return min(self.values[:evaluations]) - CONDITIONAL[self.job.function].least


def run(job: Job) -> Run:
    """From the start design that all algorithms have."""
    function = CONDITIONAL[job.function]
    space = Space.from_description(function.untold if job.untold else function.description)
    problem = Problem(space.domain, seed=job.seed, noise=EXACT, trials=function.evaluations)

    def evaluate(trial: int, point: FloatArray) -> tuple[Observation, float]:
        parameters = space.suggested(point)
        value = function.evaluate(parameters)
        # What is evaluated is the decoded point, as in a run.
        return Observation(trial, space.encode(parameters), -value), value

    return Run(job, *search(registry.build(job.algorithm, problem), function.evaluations, evaluate))
