"""Runs on functions whose least value moves meanwhile: how good each point was when it was tried."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from benchmarks.contenders.searches import SearchJob, SearchRun
from benchmarks.functions.drifting import DRIFTING
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, AskKey, Observation, Problem, Recommends
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True)
class Job(SearchJob):
    """On a function of `DRIFTING`. ``told``: the algorithm is told the time."""

    told: bool = False

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        return f"{self.algorithm}, told the time" if self.told else self.algorithm


@dataclass(frozen=True)
class Run(SearchRun[Job, tuple[float, float]]):
    """What came of a job: of each trial its regret, and that of the point which was believed best then,
    infinite where none was.
    """

    def regret(self, evaluations: int) -> float:
        """The mean over the second half of so many trials."""
        return float(np.mean([tried for tried, _ in self._second_half(evaluations)]))

    def regret_believed(self, evaluations: int) -> float:
        """The same of what was believed best."""
        return float(np.mean([believed for _, believed in self._second_half(evaluations)]))

    def _second_half(self, evaluations: int) -> tuple[tuple[float, float], ...]:
        return self.values[evaluations // 2 : evaluations]


def run(job: Job) -> Run:
    """One trial at a time. Whoever is told the time has it as one more coordinate, the clock."""
    drifting = DRIFTING[job.function]
    copy, dimension, evaluations = drifting.of_seed(job.seed), drifting.dimension, drifting.evaluations
    domain = Domain.continuous(dimension + job.told)
    clock = dimension if job.told else None
    problem = Problem(domain, seed=job.seed, trials=evaluations, clock=clock)
    algorithm = registry.build(job.algorithm, problem, {})
    values: list[tuple[float, float]] = []
    spent = 0.0
    for trial in range(evaluations):
        t = trial / (evaluations - 1)
        begun = time.process_time()
        bring_up_to_date(algorithm)
        within = domain.holding({dimension: t}) if job.told else None
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial, within))
        spent += time.process_time() - begun
        regret, value = copy.regret_and_value(suggestion.point[:dimension], t)
        best = _believed_best(algorithm, within)
        believed = np.inf if best is None else copy.regret_and_value(best[:dimension], t)[0]
        algorithm.tell([Observation(trial, suggestion.point, -value)])
        values.append((regret, float(believed)))
    return Run(job, tuple(values), spent / evaluations)


def _believed_best(algorithm: Algorithm, within: Domain | None) -> FloatArray | None:
    found = algorithm.recommend(within) if isinstance(algorithm, Recommends) else None
    return None if found is None else found.point
