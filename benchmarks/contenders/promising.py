"""Searches that are told where somebody believes that the best lies, or not."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun, search
from benchmarks.functions.promising import DEVIATIONS, PROMISING
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.arrays import FloatArray
from orchestrator.parameters.hunches import hunch_of_points
from orchestrator.parameters.space import Space


@dataclass(frozen=True)
class Job(SearchJob):
    """On a function of `PROMISING`: what is believed of it, one of `DEVIATIONS`; nothing if empty."""

    belief: str = ""

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        return self.belief or "none"


@dataclass(frozen=True)
class Run(SearchRun[Job, float]):
    """What came of a job: the regret of each trial."""

    def regret(self, evaluations: int) -> float:
        """The least of so many."""
        return min(self.values[:evaluations])


def run(job: Job) -> Run:
    """One trial after the other."""
    function = PROMISING[job.function]
    told: dict[str, dict[str, object]] = {
        f"x{j}": {"type": "float", "bounds": [0.0, 1.0]} for j in range(function.dimension)
    }
    if job.belief:
        for one, mean in zip(told.values(), function.middle(job.seed, job.belief).tolist(), strict=True):
            one["promising"] = {"mean": mean, "deviation": DEVIATIONS[job.belief]}
    space = Space.from_description(told)
    problem = Problem(
        space.domain, seed=job.seed, noise=EXACT, trials=function.evaluations, hunch=hunch_of_points(space)
    )

    def evaluated(trial: int, point: FloatArray) -> tuple[Observation, float]:
        regret = function.regret(job.seed, point)
        return Observation(trial, point, -regret), regret

    return Run(job, *search(registry.build(job.algorithm, problem, {}), function.evaluations, evaluated))
