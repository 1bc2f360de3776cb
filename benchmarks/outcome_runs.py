"""Runs on functions with constraints on their outcomes: the best value that satisfies them, trial by trial.

Notation: D parameters, C slacks, n evaluations.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.outcome_functions import CONSTRAINED
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.domain import Domain

EXACT = Noise("known", 0.0)


@dataclass(frozen=True)
class Job:
    """``algorithm`` on a function of `CONSTRAINED`. ``as_failures``: it is told that what does not satisfy
    the constraints has failed, as an algorithm without a model of outcomes is.
    """

    algorithm: str
    function: str
    seed: int
    as_failures: bool = False

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        return f"{self.algorithm}, failures" if self.as_failures else self.algorithm


@dataclass(frozen=True)
class Run:
    """What came of a job: the ``values`` told in order, None where one does not satisfy the constraints, and
    the mean processor ``seconds`` of an ask, refits included.
    """

    job: Job
    values: tuple[float | None, ...]
    seconds: float
    date: str = ""

    def regret(self, evaluations: int) -> float:
        """Of the best of the first so many, infinite where none satisfies the constraints."""
        satisfying = [value for value in self.values[:evaluations] if value is not None]
        least = CONSTRAINED[self.job.function].least
        return min(satisfying) - least if satisfying else float("inf")


def run(job: Job) -> Run:
    """One at a time, from the start design that all algorithms have."""
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
    learns = registry.learns_outcomes(type(algorithm).Options) and not job.as_failures
    values: list[float | None] = []
    begun, evaluating = time.process_time(), 0.0
    for trial in range(function.evaluations):
        while (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        before = time.process_time()
        value, told = function.at(suggestion.point)
        evaluating += time.process_time() - before
        satisfied = min(told) >= 0.0
        values.append(value if satisfied else None)
        known: dict[str, Any] = {"slacks": np.array(told)} if learns else {}
        counts = satisfied or learns
        algorithm.tell([Observation(trial, suggestion.point, -value if counts else None, **known)])
    spent = time.process_time() - begun - evaluating
    return Run(job, tuple(values), spent / function.evaluations)
