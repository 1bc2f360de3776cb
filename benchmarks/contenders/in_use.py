"""Runs for a design under conditions that vary in use: how good what is recommended is over these.

An evaluation is of a design in one condition, whoever chose these. `auto` by itself looks for a point that
is best as it is: so of each of its designs it is told the average, or the worst part, over a few conditions,
each of which is an evaluation; or it is told the value in the usual condition alone.

Notation: D parameters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun, search
from benchmarks.functions.in_use import IN_USE, InUseFunction
from orchestrator.acquisition.over_conditions import over_conditions
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Noise, Observation, Problem, Recommends
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

TOLD, USUAL, RANDOM = "told of use", "usual condition", "random"
FEW = 4
SEVERAL = {"4 conditions each": FEW, "8 conditions each": 8}
"""How many conditions each of a contender's designs is evaluated in; those of `random` in few."""
CONTENDERS = (TOLD, *SEVERAL, USUAL, RANDOM)
PARTS = (2, 1)
"""Of its evaluations, after which what a run recommends is judged."""


@dataclass(frozen=True)
class Run(SearchRun[SearchJob, float]):
    """What came of a job: as ``values`` what the design recommended after half of the evaluations misses, and
    after all.
    """

    def missed(self, evaluations: int) -> float:
        """After so many evaluations: half of them, or all."""
        whole = IN_USE[self.job.function].evaluations
        return self.values[[whole // part for part in PARTS].index(evaluations)]


def run(job: SearchJob) -> Run:
    """From the start design that the algorithm has."""
    function = IN_USE[job.function]
    problem = Problem(
        function.space.domain,
        seed=job.seed,
        noise=Noise() if function.noise else EXACT,
        trials=function.evaluations,
    )
    if job.algorithm == TOLD:
        return _told(job, function, replace(problem, in_use=function.in_use))
    return _by_design(job, function, problem)


def _told(job: SearchJob, function: InUseFunction, problem: Problem) -> Run:
    algorithm = registry.build("auto", problem)
    missed = list[float]()

    def judge() -> None:
        assert isinstance(algorithm, Recommends)
        found = algorithm.recommend(None)
        assert found is not None
        missed.append(function.missed(found.point))

    def evaluate(trial: int, point: FloatArray) -> tuple[Observation, float]:
        if trial in [function.evaluations // part for part in PARTS]:
            judge()
        value = float(function.value(point[None, :])[0])
        return Observation(trial, point, value), value

    _, seconds = search(algorithm, function.evaluations, evaluate)
    judge()
    return Run(job, tuple(missed), seconds)


def _by_design(job: SearchJob, function: InUseFunction, problem: Problem) -> Run:
    """`auto`, or `random`, over designs alone, each of which takes several evaluations."""
    in_use, each = function.in_use, 1 if job.algorithm == USUAL else SEVERAL.get(job.algorithm, FEW)
    free = [j for j in range(function.dimension) if j not in in_use.coordinates]
    domain = Domain(tuple(function.space.domain.coordinates[j] for j in free))
    count = function.evaluations // each
    own = replace(problem, domain=domain, trials=count)
    algorithm = registry.build("random" if job.algorithm == RANDOM else "auto", own)
    rows = np.array([in_use.of_trial(number) for number in range(each)])
    if job.algorithm == USUAL:
        rows = in_use.usual[None, :]

    def evaluate(trial: int, point: FloatArray) -> tuple[Observation, tuple[FloatArray, float]]:
        designs = np.zeros((len(rows), function.dimension))
        designs[:, free], designs[:, list(in_use.coordinates)] = point, rows
        values = function.value(designs)
        told = float(over_conditions(values[None, :], np.full(len(rows), 1.0 / len(rows)), function.over)[0])
        return Observation(trial, point, told), (designs[0], told)

    found, seconds = search(algorithm, count, evaluate)
    missed = []
    for part in PARTS:
        best = max(found[: count // part], key=lambda pair: pair[1])
        missed.append(function.missed(best[0]))
    return Run(job, tuple(missed), seconds)
