"""Which trials wait for people to compare them: each is told of once, and again where it waits once more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from orchestrator.scheduler.handling.comparing import to_compare_with
from orchestrator.scheduler.state import State
from orchestrator.system.shell_lines import shell_line


class AwaitedComparisons:
    """What was told already is kept between turns. ``folder`` is the run's, which is named to be copied."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._told: set[int] = set()

    def sentences(self, state: State) -> Iterator[str]:
        """One for each trial that waits since the last turn."""
        waiting = {trial.number for trial in state.uncompared}
        for number in sorted(waiting - self._told):
            other = to_compare_with(state, number)
            command = shell_line("prefer", self._folder, number, "--over", other)
            best_with = f"trial {number} is to be compared, best with trial {other}"
            yield f"{best_with}: {command}, or the other way round"
        self._told = waiting
