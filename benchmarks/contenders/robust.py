"""Runs on functions whose settings will be off: how good what a search recommends is on average over that."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun, search
from benchmarks.functions.robust import ROBUST
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.arrays import FloatArray
from orchestrator.parameters.space import Space
from orchestrator.parameters.tolerances import settings_off
from orchestrator.sensitivity.measured import Measured


@dataclass(frozen=True)
class Job(SearchJob):
    """On a function of `ROBUST`. ``told``: the algorithm is told of the tolerances."""

    told: bool = False


@dataclass(frozen=True)
class Run(SearchRun[Job, float]):
    """What came of a job: as ``values`` the true averages about the trial that is best as set, that which the
    tolerance analysis of the results holds best, and, if told, that which the algorithm does.
    """


def run(job: Job) -> Run:
    """From the start design that all algorithms have."""
    # Not above: whoever reads the help need not load models.
    from orchestrator.sensitivity.tolerance_analysis import Evaluated, analyse_tolerances
    from orchestrator.sensitivity.tolerances import Tolerances

    function = ROBUST[job.function]
    space = Space.from_description(function.description)
    problem = Problem(space.domain, seed=job.seed, noise=EXACT, trials=function.evaluations)
    algorithm = registry.build(
        job.algorithm, replace(problem, off=settings_off(space)) if job.told else problem
    )

    def evaluate(trial: int, point: FloatArray) -> tuple[Observation, FloatArray]:
        return Observation(trial, point, float(function.evaluate(point[None, :])[0])), point

    points, seconds = search(algorithm, function.evaluations, evaluate)
    tried = np.array(points)
    values = function.evaluate(tried)
    best = int(np.argmax(values))
    evaluated = Evaluated(Measured(tried, values, np.zeros(len(values))), {}, tried[:0], best)
    analysed = analyse_tolerances(problem, Tolerances(space, space.tolerances), (), evaluated)
    recommended = [best, analysed.tried]
    if job.told:
        bring_up_to_date(algorithm)
        believed = algorithm.insight().believed_best
        assert believed is not None
        recommended.append(believed.trial)
    return Run(job, tuple(function.average(tried[row]) for row in recommended), seconds)
