"""Runs on pools, of which each row may be tried once: what each trial gave, and where it stood among all."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun, search
from benchmarks.functions.pools import POOLS
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.row_region import RowTies
from orchestrator.unit_cube.rows import Rows

SHARE = 0.01


@dataclass(frozen=True)
class Run(SearchRun[SearchJob, float]):
    """What came of a job on a pool of `POOLS`: the value of each trial, the more the better."""

    def tried_until(self, share: float) -> float:
        """How many rows were tried until one of the best share of all was; 0 is the best row alone. Infinite
        where none was.
        """
        enough = POOLS[self.job.function].of_seed(self.job.seed).best(share)
        reached = np.flatnonzero(np.array(self.values) >= enough)
        return float(reached[0] + 1) if len(reached) else math.inf


def run(job: SearchJob) -> Run:
    """One row at a time, of exact values."""
    pool = POOLS[job.function]
    listed = pool.of_seed(job.seed)
    D = pool.dimension
    rows = Rows(np.arange(D), listed.points, np.zeros(D, dtype=bool))
    domain = Domain((Coordinate(),) * D, RowTies(rows, D))
    problem = Problem(domain, seed=job.seed, noise=EXACT, trials=pool.evaluations)

    def evaluate(trial: int, point: FloatArray) -> tuple[Observation, float]:
        value = float(listed.values[rows.numbers(point[None, :])[0]])
        return Observation(trial, point, value), value

    algorithm = registry.build(job.algorithm, problem, {})
    values, seconds = search(algorithm, pool.evaluations, evaluate)
    return Run(job, values, seconds)
