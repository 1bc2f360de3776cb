"""Runs of functions whose derivatives are known, by searches that are told them and by others."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun, search
from benchmarks.functions.differentiable import DIFFERENTIABLE, Differentiable, ValueAndSlopes
from orchestrator.algorithms import registry
from orchestrator.algorithms.ask_and_tell.start_design import StartDesign
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain

WITH, ALONE, GRADIENTS = "with derivatives", "values alone", "L-BFGS-B"


@dataclass(frozen=True)
class Run(SearchRun[SearchJob, float]):
    """What came of a job: each value, to be least."""

    def least(self, evaluations: int) -> float:
        """Of so many evaluations."""
        return min(self.values[:evaluations])


def run(job: SearchJob) -> Run:
    """One evaluation at a time, all without noise."""
    function = DIFFERENTIABLE[job.function]
    copy, domain = function.of_seed(job.function, job.seed), Domain.continuous(function.dimension)
    if job.algorithm == GRADIENTS:
        return _climbed(job, function, copy)
    told = job.algorithm == WITH
    problem = Problem(
        domain,
        seed=job.seed,
        noise=EXACT,
        trials=function.evaluations,
        derivatives=tuple(range(function.dimension)) if told else (),
    )

    def evaluate(trial: int, point: FloatArray) -> tuple[Observation, float]:
        value, slopes = copy(point)
        return Observation(trial, point, -value, derivatives=-slopes if told else None), value

    values, seconds = search(registry.build("auto", problem), function.evaluations, evaluate)
    return Run(job, values, seconds)


def _climbed(job: SearchJob, function: Differentiable, copy: ValueAndSlopes) -> Run:
    """scipy's, from the first point of the others' designs, and from a random one whenever it has come to an
    end.
    """
    domain, rng = Domain.continuous(function.dimension), stream(job.seed, "starts of L-BFGS-B")
    start, values, begun = StartDesign(domain, job.seed).point(0), list[float](), time.process_time()

    def counted(point: FloatArray) -> tuple[float, FloatArray]:
        value, slopes = copy(point)
        values.append(value)
        return value, slopes

    while len(values) < function.evaluations:
        bounds = [(0.0, 1.0)] * function.dimension
        minimize(counted, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-12})
        start = rng.random(function.dimension)
    kept = tuple(np.array(values[: function.evaluations]).tolist())
    return Run(job, kept, (time.process_time() - begun) / len(values))
