"""Which trials wait for a person's approval: each is told of once, and again where it waits once more."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.scheduler.state import State


class AwaitedApprovals:
    """What was told already is kept between turns."""

    def __init__(self) -> None:
        self._told: set[int] = set()

    def sentences(self, state: State) -> Iterator[str]:
        """One for each trial that waits since the last turn."""
        if not state.policy.approval:
            return
        waiting = [number for number in state.queue if not state.trials[number].approved]
        for number in sorted(set(waiting) - self._told):
            trial = state.trials[number]
            why = "it failed" if trial.failures else "it was cut short" if trial.attempts else ""
            again = f" once more, as {why}" if why else ""
            yield f"trial {number} waits for approval{again}: orchestrator approve {number}"
        self._told = set(waiting)
