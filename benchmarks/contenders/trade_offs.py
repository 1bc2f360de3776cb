"""Runs on functions with several objectives: what is evaluated, trial by trial.

Notation: M objectives, n evaluations.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun, search
from benchmarks.functions.trade_offs import TRADED_OFF
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.arrays import FloatArray
from orchestrator.numerics.pareto import hypervolume
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True)
class Run(SearchRun[SearchJob, tuple[float, ...] | None]):
    """What came of a job on a function of `TRADED_OFF`: the M values of each trial, None where one does not
    satisfy the constraints.
    """

    def missing(self, evaluations: int) -> float:
        """The share of the hypervolume of the best front that the first so many do not dominate."""
        function = TRADED_OFF[self.job.function]
        front = np.array([one for one in self.values[:evaluations] if one is not None])
        if not len(front):
            return 1.0
        return 1.0 - hypervolume(-front, -np.array(function.reference)) / function.most


def run(job: SearchJob) -> Run:
    """From the start design that all algorithms have."""
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
    learns = type(algorithm).Options.learns_outcomes

    def evaluate(trial: int, point: FloatArray) -> tuple[Observation, tuple[float, ...] | None]:
        (objectives,), (slacks,) = function.at(point[None, :])
        satisfied = bool((slacks >= 0.0).all())
        observation = Observation(
            trial,
            point,
            -float(objectives[0]) if satisfied or learns else None,
            slacks=slacks if learns else None,
            further=-objectives[1:],
        )
        return observation, tuple(objectives.tolist()) if satisfied else None

    return Run(job, *search(algorithm, function.evaluations, evaluate))
