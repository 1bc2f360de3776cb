"""What trials took, as what an evaluation costs is learned from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from orchestrator.algorithms.base import Observation
from orchestrator.unit_cube.learned_costs import LearnedCosts

ELSEWHERE = "elsewhere"
"""The worker that all is taken to be of that was known before a run."""


@dataclass(slots=True)
class TakenInAll:
    """The ``seconds`` that settings took from their first evaluation on, by the numbers of trials, of which
    one may go on from another.
    """

    seconds: dict[int, float] = field(default_factory=dict)

    def told(self, observation: Observation, *, went_on: bool, learned: bool) -> Observation:
        """A result as models are told it. Where costs are ``learned`` it took what all took before it that it
        ``went_on`` from as well, each start among that, if that is known; where they are not, nobody knows
        what it took that was to go on from another.
        """
        took = observation.seconds
        if took is not None and went_on:
            before = self.seconds.get(observation.continues)
            took = None if before is None else before + took
        if took is not None and observation.trial >= 1:
            self.seconds[observation.trial] = took
        return replace(observation, seconds=took if learned or not observation.continues else None)


def learn_cost(learned: LearnedCosts, observation: Observation) -> None:
    """Have it learned what a trial counted for, and took if it came to its end: an evaluation that failed or
    was stopped says little of others.
    """
    if observation.trial >= 1:
        learned.counted += observation.cost or 0.0
    took = observation.seconds
    if took is not None and observation.value is not None and not observation.foreseen:
        worker = observation.worker or ("" if observation.trial >= 1 else ELSEWHERE)
        learned.tell(observation.point, took, worker)
