"""Runs on functions whose evaluations take longer in one place than in another: what was found, and when."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from itertools import accumulate

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun
from benchmarks.functions.durations import TIMED
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.unit_cube.domain import Domain

MOST = 200
"""Trials: where all evaluations are quick, a run would not end."""


@dataclass(frozen=True)
class Job(SearchJob):
    """On a function of `TIMED`. ``weighed``: durations are."""

    weighed: bool = False

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        return f"{self.algorithm}, durations weighed" if self.weighed else self.algorithm


@dataclass(frozen=True)
class Run(SearchRun[Job, tuple[float, float]]):
    """What came of a job: of each trial the part of the budget that it took, and its regret."""

    def regret(self, evaluations: int) -> float:
        """The least within what so many evaluations of the budget take; infinite if none ended by then."""
        share = evaluations / TIMED[self.job.function].evaluations
        ended = accumulate(took for took, _ in self.values)
        regrets = [value for at, (_, value) in zip(ended, self.values, strict=True) if at <= share]
        return min(regrets, default=math.inf)

    @property
    def trials(self) -> int:
        """How many ended within the budget."""
        return sum(at <= 1.0 for at in accumulate(took for took, _ in self.values))


def run(job: Job) -> Run:
    """One trial at a time, until the budget is spent."""
    timed = TIMED[job.function].of_seed(job.seed)
    problem = Problem(Domain.continuous(timed.function.dimension), seed=job.seed, noise=EXACT)
    algorithm = registry.build(job.algorithm, problem, {"weigh_duration": True} if job.weighed else {})
    values: list[tuple[float, float]] = []
    begun, evaluating, spent = time.process_time(), 0.0, 0.0
    while spent < timed.budget and len(values) < MOST:
        trial = len(values)
        bring_up_to_date(algorithm)
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        before = time.process_time()
        regret, seconds = timed.regret_and_seconds(suggestion.point)
        evaluating += time.process_time() - before
        algorithm.tell([Observation(trial, suggestion.point, -regret, seconds=seconds)])
        values.append((seconds / timed.budget, regret))
        spent += seconds
    return Run(job, tuple(values), (time.process_time() - begun - evaluating) / len(values))
