"""Runs from a safe start: which evaluations broke the limit, and how good the best that kept it was."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun
from benchmarks.functions.guarded import GUARDED, Copy
from orchestrator.acquisition.kept_limit import KeptLimit
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, AskKey, Noise, Observation, Problem
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain

KEPT: Mapping[str, float] = {"kept at 0.99": 0.99, "kept at 0.9999": 0.9999}
"""The probability of each contender that keeps the limit in every trial."""
ORDINARY, RANDOM = "an ordinary constraint", "random"


@dataclass(frozen=True)
class Run(SearchRun[SearchJob, tuple[float, float]]):
    """What came of a job: the value and the slack of each evaluation, without their noise where the value is
    concerned; the limit is broken by what is measured.
    """

    @property
    def broken(self) -> int:
        """How many evaluations broke the limit."""
        return sum(slack < 0.0 for _, slack in self.values)

    def missed(self, evaluations: int) -> float:
        """What part of what could be gained over the start was not, after so many."""
        copy = _copy(self.job.function, self.job.seed)
        kept = [value for value, slack in self.values[:evaluations] if slack >= 0.0]
        return 1.0 - max([0.0, *(copy.gained(value) for value in kept)])


def run(job: SearchJob) -> Run:
    """The start is known to all, and no evaluation; where nothing is asked for, the run has ended."""
    function = GUARDED[job.function]
    copy, rng = _copy(job.function, job.seed), stream(job.seed, "guarded, noise", function.dimension)
    algorithm = _algorithm(job)
    first, _ = _evaluated(copy, 0, copy.start, rng)
    algorithm.tell([first])
    values, spent = list[tuple[float, float]](), 0.0
    for trial in range(1, function.evaluations + 1):
        begun = time.process_time()
        bring_up_to_date(algorithm)
        suggestions = algorithm.ask(1, [], AskKey(trial, trial))
        spent += time.process_time() - begun
        if not suggestions:
            break
        observation, value = _evaluated(copy, trial, suggestions[0].point, rng)
        algorithm.tell([observation])
        values.append(value)
    return Run(job, tuple(values), spent / max(1, len(values)))


@cache
def _copy(function: str, seed: int) -> Copy:
    """Whose best point takes seconds to be found."""
    return GUARDED[function].of_seed(seed)


def _algorithm(job: SearchJob) -> Algorithm:
    function = GUARDED[job.function]
    problem = Problem(
        Domain.continuous(function.dimension),
        seed=job.seed,
        noise=Noise() if function.noise else EXACT,
        trials=function.evaluations,
        outcome_constraints=1,
        kept=(KeptLimit((0,), KEPT[job.algorithm]),) if job.algorithm in KEPT else (),
    )
    return registry.build("random" if job.algorithm == RANDOM else "auto", problem)


def _evaluated(
    copy: Copy, trial: int, point: FloatArray, rng: np.random.Generator
) -> tuple[Observation, tuple[float, float]]:
    value, slack = float(copy.value(point[None, :])[0]), float(copy.slack(point[None, :])[0])
    noise = copy.noise * rng.standard_normal(2)
    measured = slack + float(noise[1])
    return Observation(trial, point, value + float(noise[0]), slacks=np.array([measured])), (value, measured)
