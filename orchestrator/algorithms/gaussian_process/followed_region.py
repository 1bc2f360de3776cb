"""A trust region as it follows from results, one after another, and opens elsewhere once it has shrunk away.

Which results are the region's, and which were asked for before it opened, nobody says: see `TrialOrigins`.
"""

from __future__ import annotations

from dataclasses import replace

from orchestrator.algorithms.ask_and_tell.start_design import StartDesign
from orchestrator.algorithms.ask_and_tell.trial_origins import Origin, TrialOrigins
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.algorithms.gaussian_process.trust_region import TrustRegion
from orchestrator.algorithms.history import History

# The paper's: D failures in a row shrink the box, or so many if D is less.
FEWEST_FAILURES = 4


class FollowedRegion:
    """The ``region`` of an algorithm, by its start design and history; ``restarts`` counts those before."""

    def __init__(self, problem: Problem, design: StartDesign, history: History) -> None:
        self._failures_to_shrink = max(FEWEST_FAILURES, problem.domain.dimension)
        self._history = history
        self._origins = TrialOrigins(problem, design, history)
        self.region = TrustRegion(self._failures_to_shrink)
        self.restarts = 0
        # Whether any value of the region's is more than a forecast.
        self._measured = False

    def follow(self, observation: Observation, *, ready: bool) -> bool:
        """Take in the result told last; False where it was asked for before the last restart, and counts for
        nothing. ``ready``: whether there was a model before it is learned.

        A value that was only foreseen is a failure, unless there are no others: then the region is about the
        best of these until one is measured.
        """
        origin = self._origins.of_last(observation, ready)
        if origin is Origin.LEFT_BEHIND:
            return False
        value = observation.value
        if observation.foreseen and self._measured:
            value = None
        elif value is not None and not observation.foreseen and not self._measured:
            self._measured = True
            self.region = replace(self.region, best=None, worst=None, centre=None)
        after = self.region.after if origin is Origin.CHOSEN else self.region.seen
        self.region = after(value, len(self._history) - 1)
        return True

    def begin_anew(self) -> None:
        """Open another one: what is asked for from now on is for it."""
        self.region = TrustRegion(self._failures_to_shrink)
        self._measured = False
        self.restarts += 1
        self._origins.begin_anew()
