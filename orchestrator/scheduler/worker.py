"""A worker that is connected, as the scheduler knows it: its slots, the leases it holds, how it has fared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

IN_DOUBT = 2
"""Failures in a row after which they may be the worker's fault."""


@dataclass(slots=True)
class Worker:
    """A connected worker. ``running`` are the leases it holds, in the order they were given, and ``taken``
    how many of its slots these take together.

    ``draining``: it finishes them and takes no other. ``failed_in_a_row``: since its last value. ``own`` is
    what evaluations have of their own in each of its slots. ``idle_since`` is when it had something to do
    last, None while it has.
    """

    name: str
    slots: int
    local: bool
    joined_at: float
    draining: bool = False
    own: Mapping[str, str] = field(default_factory=dict)
    running: dict[str, int] = field(default_factory=dict)
    taken: int = 0
    completed: int = 0
    failed: int = 0
    failed_in_a_row: int = 0
    busy_s: float = 0.0
    idle_since: float | None = None

    @property
    def place(self) -> str:
        """What its failures may be the fault of: this machine, for all local workers; else itself."""
        return "" if self.local else self.name

    @property
    def capacity(self) -> int:
        """How many slots leases may take: all, or no more than they do."""
        return self.taken if self.draining else self.slots

    @property
    def free(self) -> int:
        """Slots that wait for a lease."""
        return 0 if self.draining else self.slots - self.taken
