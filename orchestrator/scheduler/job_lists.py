"""What a queue listed of a run's jobs, since when it lists one no more, and what it says of that one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from orchestrator.scheduler.jobs import Job


@dataclass(frozen=True, slots=True)
class Listed:
    """How a job stands, in the queue's words; ``waits``: it has not begun, and ``stuck``: nor will it, unless
    somebody mends what the queue says of it. ``job`` is its number.
    """

    job: str
    state: str
    reason: str = ""
    waits: bool = False
    stuck: bool = False


@dataclass(frozen=True, slots=True)
class Fate:
    """What the queue says of one job: whether it is ``over``, and ``how`` it ended then, in its words."""

    over: bool
    how: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """What the queue listed when it was asked at that time of the run: by numbers of jobs, and by names.

    ``missed`` has, by the run's own numbers, the jobs that were not listed, each with when it was asked first
    of so many times in a row, and ``fates`` what the queue said when it was asked of one of these alone; None
    where that was nothing.
    """

    asked_at: float = -math.inf
    by_number: Mapping[str, Listed] = field(default_factory=dict)
    by_name: Mapping[str, Listed] = field(default_factory=dict)
    missed: Mapping[int, float] = field(default_factory=dict)
    fates: Mapping[int, Fate | None] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether no job at all was listed, as where a command fails and does not say so."""
        return not any(any(map(str.isdigit, number)) for number in self.by_number)

    def of(self, job: Job) -> Listed | None:
        """How one stands; None where it is not listed."""
        return self.by_number.get(job.job) if job.job else self.by_name.get(job.name)

    def after(self, before: Listing, jobs: Iterable[Job], listed_s: float) -> Listing:
        """The same, with the jobs that are missed: those that should be listed, ``listed_s`` after the queue
        took them, and were not in those ``before`` either since then.
        """
        missed = {
            job.number: before.missed.get(job.number, self.asked_at)
            for job in jobs
            if job.heard_at is not None and self.asked_at - job.heard_at >= listed_s and self.of(job) is None
        }
        return replace(self, missed=missed)
