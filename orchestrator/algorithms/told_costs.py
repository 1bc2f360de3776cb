"""What trials took, as what an evaluation costs is learned from."""

from __future__ import annotations

from orchestrator.algorithms.base import Observation
from orchestrator.unit_cube.learned_costs import LearnedCosts

ELSEWHERE = "elsewhere"
"""The worker that all is taken to be of that was known before a run."""


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
