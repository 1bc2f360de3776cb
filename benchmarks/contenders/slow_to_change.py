"""Runs on functions of which some parameters take time to change: what was found, and when."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun
from benchmarks.functions.slow_to_change import SLOW
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, AskKey, Observation, Problem, Suggestion
from orchestrator.algorithms.changing import Changing, over_what
from orchestrator.algorithms.machine_time import MachineTime
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.algorithms.sharing import Round
from orchestrator.parameters.kinds import FloatParameter
from orchestrator.parameters.space import Space
from orchestrator.scheduler.event_parts import ROUND, is_beside_what_stays
from orchestrator.values.change import taken_by
from orchestrator.values.named import Values

Manner = Literal["told", "not told", "rounds"]
IN_A_ROUND = 8


@dataclass(frozen=True)
class Job(SearchJob):
    """On a function of `SLOW`. ``manner``: whether it is told what changes take, or evaluates in rounds that
    share what is slow to change.
    """

    manner: Manner = "told"

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        return {
            "told": self.algorithm,
            "not told": f"{self.algorithm}, not told",
            "rounds": f"{self.algorithm}, rounds of {IN_A_ROUND}",
        }[self.manner]


@dataclass(frozen=True)
class Run(SearchRun[Job, tuple[float, float]]):
    """What came of a job: of each trial the time that it took, in evaluations, its changes among it, and its
    regret.
    """

    def regret(self, evaluations: int) -> float:
        """The least within the time of so many evaluations; infinite if none ended by then."""
        ended = accumulate(took for took, _ in self.values)
        regrets = [value for at, (_, value) in zip(ended, self.values, strict=True) if at <= evaluations]
        return min(regrets, default=math.inf)

    @property
    def trials(self) -> int:
        """How many ended within the budget."""
        budget = SLOW[self.job.function].evaluations
        return sum(at <= budget for at in accumulate(took for took, _ in self.values))


@dataclass(frozen=True)
class _Asker:
    """What is asked for where the machine ``stands``, after what evaluations took their ``time``."""

    job: Job
    algorithm: Algorithm
    space: Space
    time: MachineTime

    def suggested(self, key: AskKey, stands: Values, best: float) -> Sequence[Suggestion]:
        """One point, or a round of them."""
        if self.job.manner == "rounds":
            together = Round(self.space, self.job.seed, list(self.space.changes))
            return together.asked(self.algorithm.ask, IN_A_ROUND, [], key)[1]
        if self.job.manner == "not told" or not stands:
            return self.algorithm.ask(1, [], key)
        changing = Changing(self.space, stands, self.time, {}, over_what(self.algorithm, best))
        return changing.asked(self.algorithm.ask, [], key)[1]


def run(job: Job) -> Run:
    """One trial after the other, until the budget is spent."""
    slow = SLOW[job.function]
    space = Space(tuple(FloatParameter(name, 0.0, 1.0) for name in slow.names), changes=slow.changes)
    algorithm = registry.build(job.algorithm, Problem(space.domain, seed=job.seed, noise=EXACT), {})
    asker = _Asker(job, algorithm, space, MachineTime(dict(slow.changes)))
    values: list[tuple[float, float]] = []
    stands: Values = {}
    begun, evaluating, spent, asks = time.process_time(), 0.0, 0.0, 0
    while spent < slow.evaluations:
        asks += 1
        bring_up_to_date(algorithm)
        best = max((-regret for _, regret in values), default=-math.inf)
        for suggestion in asker.suggested(AskKey(asks, len(values) + 1), stands, best):
            before = time.process_time()
            regret = slow.regret(job.seed, suggestion.point)
            evaluating += time.process_time() - before
            place = space.decode(suggestion.point)
            took = 1.0 + sum(taken_by(slow.changes, stands, place).values())
            asker.time.tell(place, took)
            stands, beside = place, is_beside_what_stays(suggestion.why) or ROUND in suggestion.why
            algorithm.tell([Observation(len(values) + 1, suggestion.point, -regret, held=beside)])
            values.append((took, regret))
            spent += took
    return Run(job, tuple(values), (time.process_time() - begun - evaluating) / len(values))
