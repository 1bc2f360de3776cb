"""Reads the events of a search as those of a journal are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orchestrator.scheduler.events import Event


class SearchReader:
    """Iterates over ``events``, all that there are, from where it was; ``length`` counts those read."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self.length = 0

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self._events)

    def __iter__(self) -> Iterator[Event]:
        while self.length < len(self._events):
            self.length += 1
            yield self._events[self.length - 1]
