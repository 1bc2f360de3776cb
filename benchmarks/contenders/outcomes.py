"""Runs on functions with constraints on their outcomes: the best value that satisfies them, trial by trial.

Notation: D parameters, C slacks, n evaluations.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun, search
from benchmarks.functions.outcomes import CONSTRAINED
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True)
class Job(SearchJob):
    """On a function of `CONSTRAINED`. ``as_failures``: the algorithm is told that what does not satisfy the
    constraints has failed, as one without a model of outcomes is.
    """

    as_failures: bool = False

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        return f"{self.algorithm}, failures" if self.as_failures else self.algorithm


@dataclass(frozen=True)
class Run(SearchRun[Job, float | None]):
    """What came of a job: a value is None where it does not satisfy the constraints."""

    def regret(self, evaluations: int) -> float:
        """Of the best of the first so many, infinite where none satisfies the constraints."""
        satisfying = [value for value in self.values[:evaluations] if value is not None]
        least = CONSTRAINED[self.job.function].least
        return min(satisfying) - least if satisfying else float("inf")


def run(job: Job) -> Run:
    """From the start design that all algorithms have."""
    function = CONSTRAINED[job.function]
    slacks = 0 if job.as_failures else function.slacks
    problem = Problem(
        Domain.continuous(function.dimension),
        seed=job.seed,
        noise=EXACT,
        trials=function.evaluations,
        outcome_constraints=slacks,
    )
    algorithm = registry.build(job.algorithm, problem)
    learns = type(algorithm).Options.learns_outcomes and not job.as_failures

    def evaluate(trial: int, point: FloatArray) -> tuple[Observation, float | None]:
        value, told = function.at(point)
        satisfied = min(told) >= 0.0
        observation = Observation(
            trial,
            point,
            -value if satisfied or learns else None,
            slacks=np.array(told) if learns else None,
        )
        return observation, value if satisfied else None

    return Run(job, *search(algorithm, function.evaluations, evaluate))
