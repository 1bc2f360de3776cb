"""What the spec decides for the scheduler: when to ask, how often to try, when to end."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from orchestrator.objectives import Goal

LOOKAHEAD_LIMIT = 64
IDLE_SHARE_WORTH_AVOIDING = 0.01
REFIT_SHARE_WORTH_WAITING = 0.05
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The rules of one run.

    ``trials``, ``time_s``, ``target``, ``patience`` and ``expected_gain`` are budgets, each optional; the
    clock is watched by the runtime. ``attempts`` is how many failures a trial is allowed; ``give_up_after``
    how many failed trials a run is in which none has succeeded. ``mode`` and ``batch`` say how many trials
    are under way at a time. ``outcomes`` are what results bring besides that the optimiser is to be told;
    ``further`` those of them that are objectives too, each with its goal.
    """

    goal: Goal = "maximise"
    trials: int | None = None
    time_s: float | None = None
    target: float | None = None
    patience: int | None = None
    expected_gain: float | None = None
    attempts: int = 3
    give_up_after: int | None = None
    mode: Literal["asynchronous", "synchronous", "sequential"] = "asynchronous"
    batch: int = 1
    approval: bool = False
    outcomes: tuple[str, ...] = ()
    further: tuple[tuple[str, Goal], ...] = ()

    @property
    def at_a_time(self) -> float:
        """How many trials may run at a time, whatever the workers; infinite where only these limit it."""
        return {"sequential": 1, "synchronous": self.batch, "asynchronous": math.inf}[self.mode]

    def better(self, value: float, than: float) -> bool:
        """Whether a value beats another, in the objective's own sense."""
        return value > than if self.goal == "maximise" else value < than

    def target_reached(self, best: float) -> bool:
        """Whether the best value is at least as good as the target."""
        return self.target is not None and not self.better(self.target, best)


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
