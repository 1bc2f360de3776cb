"""Runs on functions some of whose parameters do not always count: the best value, trial by trial."""

from __future__ import annotations

import time
from dataclasses import dataclass

from benchmarks.conditional_functions import CONDITIONAL
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.space import Space

EXACT = Noise("known", 0.0)


@dataclass(frozen=True)
class Job:
    """``algorithm`` on a function of `CONDITIONAL`. ``untold``: it takes all parameters to count."""

    algorithm: str
    function: str
    seed: int
    untold: bool = False

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        return f"{self.algorithm}, untold" if self.untold else self.algorithm


@dataclass(frozen=True)
class Run:
    """What came of a job: the ``values`` told in order, and the mean processor ``seconds`` of an ask, refits
    included.
    """

    job: Job
    values: tuple[float, ...]
    seconds: float
    date: str = ""

    def regret(self, evaluations: int) -> float:
        """Of the best of the first so many."""
        return min(self.values[:evaluations]) - CONDITIONAL[self.job.function].least


def run(job: Job) -> Run:
    """One at a time, from the start design that all algorithms have."""
    function = CONDITIONAL[job.function]
    space = Space.from_description(function.untold if job.untold else function.description)
    problem = Problem(space.domain, seed=job.seed, noise=EXACT, trials=function.evaluations)
    algorithm = registry.build(job.algorithm, problem)
    values: list[float] = []
    begun, evaluating = time.process_time(), 0.0
    for trial in range(function.evaluations):
        while (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        before = time.process_time()
        parameters = space.suggested(suggestion.point)
        values.append(function.evaluate(parameters))
        evaluating += time.process_time() - before
        # What is evaluated is the decoded point, as in a run.
        algorithm.tell([Observation(trial, space.encode(parameters), -values[-1])])
    spent = time.process_time() - begun - evaluating
    return Run(job, tuple(values), spent / function.evaluations)
