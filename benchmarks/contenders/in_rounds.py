"""Runs in rounds whose trials share some parameters, and of what might be done in their place."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun
from benchmarks.functions.in_rounds import AT_A_TIME, IN_ROUNDS, ROUNDS
from orchestrator.algorithms import registry
from orchestrator.algorithms.ask_and_tell.start_design import StartDesign
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.algorithms.sharing import Round
from orchestrator.parameters.kinds import FloatParameter
from orchestrator.parameters.space import Space

Manner = Literal["round shares", "spread", "nothing shared"]


@dataclass(frozen=True)
class Job(SearchJob):
    """On a function of `IN_ROUNDS`: the ``manner`` in which rounds are chosen. ``spread``: what is shared
    follows a sequence that fills its space, whatever was told, and the rest is chosen beside it.
    """

    manner: Manner = "round shares"

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        return self.algorithm if self.manner == "round shares" else f"{self.algorithm}, {self.manner}"


@dataclass(frozen=True)
class Run(SearchRun[Job, float]):
    """What came of a job: the regret of each trial."""

    def regret(self, evaluations: int) -> float:
        """The least of so many."""
        return min(self.values[:evaluations])


def run(job: Job) -> Run:
    """Round after round."""
    function = IN_ROUNDS[job.function]
    names = [f"x{j}" for j in range(function.dimension)]
    space = Space(tuple(FloatParameter(name, 0.0, 1.0) for name in names))
    algorithm = registry.build(job.algorithm, Problem(space.domain, seed=job.seed, noise=EXACT), {})
    shared = [] if job.manner == "nothing shared" else names[: function.shared]
    design = StartDesign(space.domain, job.seed)
    values: list[float] = []
    spent = 0.0
    for number in range(ROUNDS):
        begun = time.process_time()
        bring_up_to_date(algorithm)
        together = Round(space, job.seed, shared)
        key = AskKey(number + 1, len(values) + 1)
        if job.manner == "spread":
            together = together.settled_by(key.first_trial, space.decode(design.point(number)))
        _, suggestions = together.asked(algorithm.ask, AT_A_TIME, [], key)
        spent += time.process_time() - begun
        for trial, suggestion in enumerate(suggestions, key.first_trial):
            regret = function.regret(job.seed, suggestion.point)
            algorithm.tell([Observation(trial, suggestion.point, -regret, held=trial > key.first_trial)])
            values.append(regret)
    return Run(job, tuple(values), spent / len(values))
