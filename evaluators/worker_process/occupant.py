"""What the child of a slot may be at, and what moves it on: the table.

What its slot has in hand meanwhile, what is due, and why the child may be to end; what is then due is the end
of the grace instead.

    stage        the task of the slot                     due                       to end as
    none         none yet, or waits for a process         to ask for one again
    LOADING      none yet, or waits for the child         the limit for loading     anything
    IDLE         none, or one that it does not hear of,   nothing                   anything
                 which is for the next child
    EVALUATING   is evaluated                             its timeout, if any       anything but "stop"
    WAITING      is to be tried again                     to try again
"""

from __future__ import annotations

from enum import StrEnum

from evaluators.worker_process.child_ending import ChildEnding, Ending
from evaluators.worker_process.slot_parts import Child, Workload
from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR
from orchestrator.wire.messages import FailureKind


class Stage(StrEnum):
    """What a child is at."""

    LOADING = "loading"
    IDLE = "idle"
    EVALUATING = "evaluating"
    WAITING = "waiting"
    """For room on its disk, with a task that it could not begin."""


class Turn(StrEnum):
    """What moves it on."""

    LOADED = "loaded"
    BEGAN = "began"
    ANSWERED = "answered"
    FOUND_NO_ROOM = "found no room"
    STOPPED_WAITING = "stopped waiting"
    """Its task is sent again, or was given up."""


TURNS: dict[tuple[Stage, Turn], Stage] = {
    (Stage.LOADING, Turn.LOADED): Stage.IDLE,
    (Stage.IDLE, Turn.BEGAN): Stage.EVALUATING,
    (Stage.EVALUATING, Turn.ANSWERED): Stage.IDLE,
    (Stage.EVALUATING, Turn.FOUND_NO_ROOM): Stage.WAITING,
    (Stage.WAITING, Turn.STOPPED_WAITING): Stage.IDLE,
}


class Occupant:
    """The child that a slot has started with a workload; ``ending`` is why it is to end, if it is."""

    def __init__(self, child: Child, workload: Workload) -> None:
        self.child = child
        self.workload = workload
        self.stage = Stage.LOADING
        self.ending: Ending = ""
        self.has_answered = False
        self.sent_at = 0.0
        """When it was sent the task that it evaluates, in monotonic seconds."""
        self.stopped_s = 0.0
        """For how long nothing here ran since."""

    def takes(self, turn: Turn) -> bool:
        """Move on, if the table lists it; else it stays, and what an evaluator may have written into the
        pipe of its child is not believed.
        """
        following = TURNS.get((self.stage, turn))
        if following is None:
            return False
        self.stage = following
        self.has_answered = self.has_answered or turn is Turn.ANSWERED
        return True

    def evaluated_s(self, now: float) -> float:
        """How long it has been at its evaluation: 0 if it is at none."""
        # Where the worker was stopped in the meantime, that is counted from before it sent the task.
        spent = now - self.sent_at - self.stopped_s
        return max(0.0, spent) if self.stage is Stage.EVALUATING else 0.0

    def failure(self, how: ChildEnding, timeout_s: float | None) -> tuple[FailureKind, str]:
        """What is said of the task that it had as it ended."""
        if self.stage is not Stage.EVALUATING:
            return how.before_evaluation()
        # A program has no process that an evaluation might find set up.
        sets_up = not self.has_answered and self.workload.evaluator != COMMAND_EVALUATOR
        return how.of_evaluation(timeout_s, sets_up=sets_up)
