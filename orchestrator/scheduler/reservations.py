"""Which workers are kept for trials that wait for room: none then gets one that would end later."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from orchestrator.scheduler.trial import Trial
from orchestrator.scheduler.worker import Worker


class Reservations:
    """Made for the trials that wait, the first of these first, while ``workers`` are as they are. However
    many wait for however many workers, each is looked at about once.
    """

    def __init__(self, workers: Iterable[Worker]) -> None:
        here = (worker for worker in workers if not worker.draining)
        self._others = sorted(here, key=lambda worker: worker.taken - worker.slots)
        """Those that are not reserved, of most free slots first."""
        self._largest = max((worker.slots for worker in self._others), default=0)
        """None of these has more slots."""
        self._reserved = set[str]()

    def __contains__(self, worker: Worker) -> bool:
        return worker.name in self._reserved

    @property
    def most_free(self) -> int:
        """How many slots are free on one of the workers that are not reserved."""
        return self._others[0].free if self._others else 0

    def reserve_for(self, trial: Trial, may_try: Callable[[Worker, Trial], bool]) -> Worker | None:
        """The worker that a trial of several slots waits for: of those as large as it that are not reserved,
        and that may try it, the one that lacks fewest. It lacks fewer with each evaluation that ends there.
        """
        if trial.slots > self._largest:
            return None
        is_any_as_large = False
        for place, worker in enumerate(self._others):
            if worker.slots >= trial.slots:
                is_any_as_large = True
                if may_try(worker, trial):
                    del self._others[place]
                    self._reserved.add(worker.name)
                    return worker
        if not is_any_as_large:
            self._largest = trial.slots - 1
        return None
