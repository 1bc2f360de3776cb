"""What a person sees of the workers at one moment, and of the jobs that they come in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Running:
    """A trial on a worker, since ``seconds``, with the last partial quantities it reported. ``slots`` is how
    many of the worker's it takes, 0 where each takes one.
    """

    trial: int
    attempt: int
    seconds: float
    step: int | None = None
    values: tuple[tuple[str, float], ...] = ()
    slots: int = 0


@dataclass(frozen=True, slots=True)
class WorkerLine:
    """A connected worker. ``busy`` is the share of its slots' time, 0 to 1, that it has worked. ``taken`` is
    how many of its ``slots`` evaluations take; both are 0 where each takes one.

    ``draining``: it finishes what it has and takes nothing more.
    """

    name: str
    running: tuple[Running, ...]
    completed: int
    failed: int
    busy: float
    draining: bool = False
    slots: int = 0
    taken: int = 0

    @property
    def slots_words(self) -> str:
        """How many of its slots are taken, where trials may take several."""
        return f"{self.taken} of {self.slots} slots" if self.slots else ""


@dataclass(frozen=True, slots=True)
class SeenCrew:
    """``workers`` are the first of the ``connected`` ones. Of all their ``slots`` so many are
    ``slots_taken``. ``jobs`` says how those of the run's queue stand, if it has any.
    """

    workers: tuple[WorkerLine, ...]
    connected: int
    slots: int
    slots_taken: int
    jobs: str
