"""Runs on functions that may be looked at less closely for less: what each trial cost, and what it found."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import accumulate

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun, search_within
from benchmarks.functions.fidelity import FIDELITY, FidelityFunction
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation, Problem, Suggestion
from orchestrator.algorithms.told_costs import learn_cost
from orchestrator.numerics.rng import stream
from orchestrator.parameters.fidelity import Fidelity
from orchestrator.parameters.space import Space
from orchestrator.scheduler.standing import ROUNDING


@dataclass(frozen=True)
class Job(SearchJob):
    """On a function of `FIDELITY`. ``closely``: at full fidelity alone; ``learned``: costs are not told, but
    seconds, which differ from trial to trial as well.
    """

    closely: bool = True
    learned: bool = False

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        if self.closely:
            return self.algorithm
        return f"{self.algorithm}, {'costs learned' if self.learned else 'fidelity chosen'}"


@dataclass(frozen=True)
class Run(SearchRun[Job, tuple[float, float]]):
    """What came of a job: of each trial its cost, and its value.

    ``recommended``, of peers that choose fidelity: after what cost something was, and its value at full
    fidelity, which is not paid for. ``capped``: the time was over before the budget.
    """

    recommended: tuple[tuple[float, float], ...] = ()
    capped: bool = False

    def regret(self, cost: float) -> float:
        """Of the best at full fidelity of those that so much pays for, or of what was recommended last, if
        that is better; infinite if there is neither.
        """
        spent = accumulate(paid for paid, _ in self.values)
        paid_for = zip(spent, self.values, strict=True)
        full = [value for so_far, (paid, value) in paid_for if paid == 1.0 and so_far <= cost + ROUNDING]
        full += [value for so_far, value in self.recommended if so_far <= cost + ROUNDING][-1:]
        return min(full, default=math.inf) - FIDELITY[self.job.function].least

    @property
    def at_full(self) -> int:
        """How many trials were."""
        return sum(paid == 1.0 for paid, _ in self.values)

    @property
    def spent(self) -> float:
        """What all trials cost."""
        return sum(paid for paid, _ in self.values)


def run(job: Job) -> Run:
    """One trial at a time, until the budget is spent."""
    function = FIDELITY[job.function]
    space, fidelity = told(job, function)
    budget = function.evaluations
    problem = Problem(
        space.domain,
        seed=job.seed,
        noise=EXACT,
        trials=budget if fidelity is None else None,
        fidelity=None if fidelity is None else fidelity.levels,
    )
    paid = Fidelity.of(space, function.parameter, function.cost, function.full) if job.learned else fidelity
    costs = None if fidelity is None else fidelity.learning()

    def evaluate(trial: int, asked: Suggestion) -> tuple[Observation, tuple[float, float], float]:
        parameters = space.suggested(asked.point)
        value = function.evaluate(parameters)
        cost = 1.0 if paid is None else paid.cost(parameters)
        observation = Observation(trial, space.encode(parameters), -value)
        if fidelity is not None and costs is not None:
            counted = fidelity.cost(parameters, costs)
            observation = replace(observation, seconds=_seconds(cost, job.seed, trial), cost=counted)
            learn_cost(costs, observation)
        return observation, (cost, value), cost

    return Run(job, *search_within(registry.build(job.algorithm, problem), budget, evaluate))


def _seconds(cost: float, seed: int, trial: int) -> float:
    """What an evaluation takes that costs so much: a minute at full fidelity, a third more or less, and one
    of twenty ten times as long.
    """
    rng = stream(seed, "benchmark seconds", trial)
    slept = 10.0 if rng.random() < 0.05 else 1.0
    return float(60.0 * cost * slept * math.exp(0.3 * rng.standard_normal()))


def told(job: Job, function: FidelityFunction) -> tuple[Space, Fidelity | None]:
    """The parameters that a job may choose, and how it chooses fidelity; None where it may not."""
    if job.closely:
        return Space.from_description(function.at_full), None
    space = Space.from_description(function.description)
    budget = float(function.evaluations)
    cost = None if job.learned else function.cost
    return space, Fidelity.of(space, function.parameter, cost, function.full, budget)
