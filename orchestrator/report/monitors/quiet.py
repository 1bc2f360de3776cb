"""The monitor that says nothing but what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO

from orchestrator.report.words.wording import first_line
from orchestrator.runtime.monitor import Level, Opening
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.state import State


class QuietMonitor:
    """Errors, a line each; nothing else."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def opened(self, opening: Opening) -> None:
        """Nothing."""

    def observed(self, event: Event, state: State) -> None:
        """Nothing."""

    def progressed(self, lease: str, step: int, values: Mapping[str, float]) -> None:
        """Nothing."""

    def noted(self, level: Level, sentence: str) -> None:
        """Errors only."""
        if level == "error":
            print(first_line(sentence), file=self._stream)

    def ticked(self, state: State, now: float) -> None:
        """Nothing."""

    def closed(self, state: State) -> None:
        """Nothing."""
