"""Which trials wait for a person's approval: each is told of once, and again where it waits once more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from orchestrator.scheduler.state import State
from orchestrator.system.shell_lines import shell_line


class AwaitedApprovals:
    """What was told already is kept between turns. ``folder`` is the run's, which is named to be copied."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
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
            command = shell_line("approve", self._folder, number)
            yield f"trial {number} waits for approval{again}: {command}"
        self._told = set(waiting)
