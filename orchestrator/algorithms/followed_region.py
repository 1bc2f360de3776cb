"""A trust region as it follows from results, one after another, and opens elsewhere once it has shrunk away.

Which results are the region's, and which were asked for before it opened, nobody says: see `TrialOrigins`.
"""

from __future__ import annotations

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.start_design import StartDesign
from orchestrator.algorithms.trial_origins import Origin, TrialOrigins
from orchestrator.algorithms.trust_region import TrustRegion

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

    def follow(self, value: float | None, *, ready: bool) -> bool:
        """Take in the result told last; False where it was asked for before the last restart, and counts for
        nothing. ``ready``: whether there was a model before it is learned.
        """
        origin = self._origins.of_last(ready)
        if origin is Origin.LEFT_BEHIND:
            return False
        after = self.region.after if origin is Origin.CHOSEN else self.region.seen
        self.region = after(value, len(self._history) - 1)
        return True

    def begin_anew(self) -> None:
        """Open another one: what is asked for from now on is for it."""
        self.region = TrustRegion(self._failures_to_shrink)
        self.restarts += 1
        self._origins.begin_anew()
