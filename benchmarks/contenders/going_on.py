"""Runs on evaluations of many steps: all of them each time, fewer, or going on from fewer."""

from __future__ import annotations

import math
from dataclasses import dataclass

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun, search_within
from benchmarks.functions.trainings import STEPS, TRAININGS, Training
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation, Problem, Suggestion
from orchestrator.parameters.fidelity import Fidelity
from orchestrator.parameters.space import Space
from orchestrator.scheduler.standing import ROUNDING
from orchestrator.values.named import Values

WHOLE, CHOSEN, GOING_ON = "auto", "auto, fidelity chosen", "auto, going on"
ASHA, HYPERBAND = "asha", "hyperband"
WAYS = (WHOLE, CHOSEN, GOING_ON, ASHA, HYPERBAND)
"""All ways to spend the same steps; those of rungs go on as well."""


@dataclass(frozen=True)
class Job(SearchJob):
    """On a function of `TRAININGS`, with all steps alone, with fewer as well, or going on from these."""

    how: str = WHOLE

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        return self.how


@dataclass(frozen=True)
class Run(SearchRun[Job, tuple[float, float, bool]]):
    """What came of a job: of each trial what was paid for it, in whole evaluations, its value, and whether
    that is of all steps. ``taken_up`` counts those that went on from another.
    """

    taken_up: int = 0

    def regret(self, cost: float) -> float:
        """The least value of all steps that so much pays for; infinite if there is none."""
        spent, values = 0.0, list[float]()
        for paid, value, whole in self.values:
            spent += paid
            if whole and spent <= cost + ROUNDING:
                values.append(value)
        return min(values, default=math.inf)

    @property
    def whole(self) -> int:
        """How many trials came to all steps."""
        return sum(whole for _, _, whole in self.values)


def run(job: Job) -> Run:
    """One trial at a time, until the budget is spent."""
    function = TRAININGS[job.function]
    space, fidelity = _told(job, function)
    problem = Problem(
        space.domain,
        seed=job.seed,
        noise=EXACT,
        trials=function.evaluations if fidelity is None else None,
        fidelity=None if fidelity is None else fidelity.levels,
    )
    tried: dict[int, Values] = {}
    gone_on = list[int]()

    def evaluate(trial: int, asked: Suggestion) -> tuple[Observation, tuple[float, float, bool], float]:
        parameters = space.suggested(asked.point)
        value = function.evaluate(parameters, job.seed)
        paid, continues = 1.0 if fidelity is None else fidelity.cost(parameters), asked.continues
        if fidelity is not None and continues:
            paid = fidelity.rest(parameters, tried[continues])
            gone_on.append(trial)
        tried[trial] = parameters
        told = Observation(trial, space.encode(parameters), -value, continues=continues)
        return told, (paid, value, parameters[STEPS] == function.whole.steps), paid

    algorithm = registry.build(job.algorithm, problem)
    values, seconds = search_within(algorithm, function.evaluations, evaluate)
    return Run(job, values, seconds, taken_up=len(gone_on))


def _told(job: Job, function: Training) -> tuple[Space, Fidelity | None]:
    """The parameters that a job may choose, and how it chooses how many steps; None where it may not."""
    if job.how == WHOLE:
        return Space.from_description(function.at_full), None
    space, budget = Space.from_description(function.description), float(function.evaluations)
    return space, Fidelity.of(space, STEPS, STEPS, budget=budget, continues=job.how != CHOSEN)
