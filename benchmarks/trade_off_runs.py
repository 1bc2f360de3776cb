"""Runs on functions with several objectives: what is evaluated, trial by trial.

Notation: M objectives, n evaluations.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.trade_off_functions import TRADED_OFF
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.domain import Domain
from orchestrator.numerics.pareto import hypervolume

EXACT = Noise("known", 0.0)


@dataclass(frozen=True)
class Job:
    """``algorithm`` on a function of `TRADED_OFF`."""

    algorithm: str
    function: str
    seed: int

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        return self.algorithm


@dataclass(frozen=True)
class Run:
    """What came of a job: the M ``values`` of each trial in order, None where one does not satisfy the
    constraints, and the mean processor ``seconds`` of an ask, refits included.
    """

    job: Job
    values: tuple[tuple[float, ...] | None, ...]
    seconds: float
    date: str = ""

    def missing(self, evaluations: int) -> float:
        """The share of the hypervolume of the best front that the first so many do not dominate."""
        function = TRADED_OFF[self.job.function]
        front = np.array([one for one in self.values[:evaluations] if one is not None])
        if not len(front):
            return 1.0
        return 1.0 - hypervolume(-front, -np.array(function.reference)) / function.most


def run(job: Job) -> Run:
    """One at a time, from the start design that all algorithms have."""
    function = TRADED_OFF[job.function]
    problem = Problem(
        Domain.continuous(function.dimension),
        seed=job.seed,
        noise=EXACT,
        trials=function.evaluations,
        outcome_constraints=function.slacks,
        further_objectives=function.objectives - 1,
    )
    algorithm = registry.build(job.algorithm, problem)
    learns = registry.learns_outcomes(type(algorithm).Options)
    values: list[tuple[float, ...] | None] = []
    begun, evaluating = time.process_time(), 0.0
    for trial in range(function.evaluations):
        while (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        before = time.process_time()
        (objectives,), (slacks,) = function.at(suggestion.point[None, :])
        evaluating += time.process_time() - before
        satisfied = bool((slacks >= 0.0).all())
        values.append(tuple(objectives.tolist()) if satisfied else None)
        known: dict[str, Any] = {"slacks": slacks} if learns else {}
        value = -float(objectives[0]) if satisfied or learns else None
        algorithm.tell([Observation(trial, suggestion.point, value, further=-objectives[1:], **known)])
    spent = time.process_time() - begun - evaluating
    return Run(job, tuple(values), spent / function.evaluations)
