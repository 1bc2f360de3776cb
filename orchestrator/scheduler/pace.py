"""How fast a run goes, learned from its events, and what follows: how far ahead to ask, how long to wait."""

from __future__ import annotations

import math
from dataclasses import dataclass

LOOKAHEAD_LIMIT = 64
"""Points kept ready, where that is more than one a slot."""
IDLE_SHARE_WORTH_AVOIDING = 0.01
"""Of a worker's time, spent waiting for its next point."""
REFIT_SHARE_WORTH_WAITING = 0.05
"""Of an evaluation, spent waiting for a better model of where to evaluate."""
QUICK_EVALUATION_S, SECONDS_WORTH_WAITING = 0.1, 5.0
"""Where trials are counted and each is over so soon, time is not what is scarce."""
WORTH_A_MODEL_S = 0.5
"""The least evaluation of which the time of one is given for the first model."""
SECONDS_FOR_WHAT_IS_KNOWN = 30.0
"""For a first model of results from elsewhere, when nobody knows yet how long an evaluation takes."""
TRIALS_FOR_ONE_AHEAD = 50
"""Of so many trials of a budget one may be chosen before its turn."""
ROUND_TRIP_S = 0.002
"""From a result to the next ask's answer, less the optimiser's own work: pipes and the journal."""


@dataclass(slots=True)
class Pace:
    """How long asks and evaluations take, learned from the events, and how far ahead to ask therefore.

    A point chosen ahead of its turn is chosen with less knowledge, so none is where evaluations are long
    against asks. Where a worker would stand idle for a noticeable share of its time, a point a slot is
    kept ready; where evaluations are over before a message has gone round, more.

    ``point_s`` is what the optimiser needs for a point; ``evaluation_s`` what an evaluation takes.
    """

    point_s: float = 0.0
    evaluation_s: float = math.inf

    def asked(self, seconds: float, points: int) -> None:
        """An ask for so many points was answered after so much work."""
        if points:
            each = seconds / points
            self.point_s = each if self.point_s == 0.0 else 0.7 * self.point_s + 0.3 * each

    def evaluated(self, seconds: float) -> None:
        """An evaluation took so long."""
        seconds = max(seconds, 1e-6)
        if math.isinf(self.evaluation_s):
            self.evaluation_s = seconds
        self.evaluation_s = 0.9 * self.evaluation_s + 0.1 * seconds

    def patience_s(self, trials: int | None, first: bool) -> float:
        """How long an answer may wait for a refit where workers are free meanwhile, of a budget of so many
        trials, if they are counted. ``first``: without it there is no model at all.
        """
        if math.isinf(self.evaluation_s):
            return SECONDS_FOR_WHAT_IS_KNOWN if first else 0.0
        if trials is not None and self.evaluation_s < QUICK_EVALUATION_S:
            return SECONDS_WORTH_WAITING
        if first and self.evaluation_s >= WORTH_A_MODEL_S:
            return self.evaluation_s
        return REFIT_SHARE_WORTH_WAITING * self.evaluation_s

    def lookahead(self, slots: int, trials: int | None) -> int:
        """How many points to keep ready beside those that run, of a budget of so many trials, if they are
        counted.
        """
        if (self.point_s + ROUND_TRIP_S) / self.evaluation_s < IDLE_SHARE_WORTH_AVOIDING:
            return 0
        rounds = max(1.0, 2.0 * ROUND_TRIP_S / self.evaluation_s)
        ahead = min(max(slots, LOOKAHEAD_LIMIT), math.ceil(slots * rounds))
        return ahead if trials is None else min(ahead, trials // TRIALS_FOR_ONE_AHEAD)
