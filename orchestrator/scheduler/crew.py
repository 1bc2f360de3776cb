"""The workers of a run that are connected, and what those that are gone did."""

from __future__ import annotations

from dataclasses import dataclass, field

from orchestrator.scheduler.worker import Worker


@dataclass(slots=True)
class Crew:
    """``workers`` by name; those of them that have a free slot are ``idle``, the longest idle first.
    ``slots`` is the capacity of all. ``parted`` has of those that are gone, by name, how many values and
    failures they sent.
    """

    workers: dict[str, Worker] = field(default_factory=dict)
    idle: dict[str, Worker] = field(default_factory=dict)
    slots: int = 0
    parted: dict[str, tuple[int, int]] = field(default_factory=dict)
