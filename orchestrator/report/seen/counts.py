"""How many trials of a run stand how at one moment."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.scheduler.state import State


@dataclass(frozen=True, slots=True)
class TrialCounts:
    """How many trials stand how. ``waiting`` ones are queued; ``withdrawn`` counts those of the abandoned
    that the budget does not pay for.
    """

    completed: int
    failed: int
    stopped: int
    abandoned: int
    withdrawn: int
    running: int
    waiting: int

    @property
    def settled(self) -> int:
        """Trials of which nothing more can become, but for those that were withdrawn and cost nothing."""
        return self.completed + self.failed + self.stopped + self.abandoned - self.withdrawn


def trial_counts(state: State) -> TrialCounts:
    """Those of the run by now."""
    tally = state.tally
    return TrialCounts(
        completed=tally.completed,
        failed=tally.failed,
        stopped=tally.stopped,
        abandoned=tally.abandoned,
        withdrawn=tally.withdrawn,
        running=state.running,
        waiting=len(state.waiting.queue),
    )
