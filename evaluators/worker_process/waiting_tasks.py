"""Evaluations that wait for a slot, of whichever run: each run's tasks are begun while that run is served."""

from __future__ import annotations

from collections.abc import Callable

from orchestrator.wire.messages import Evaluate


def is_lease(task: Evaluate, run: str | None, lease: str) -> bool:
    """Whether it is the lease of that run: every run begins with the same names."""
    return (task.run, task.lease) == (run, lease)


class WaitingTasks:
    """In the order in which they came, each with its frame as it came from the wire."""

    def __init__(self) -> None:
        self._tasks: list[tuple[Evaluate, bytes]] = []

    def __bool__(self) -> bool:
        return bool(self._tasks)

    def leases(self, run: str | None) -> list[str]:
        """The leases of that run."""
        return [task.lease for task, _ in self._tasks if task.run == run]

    def add(self, task: Evaluate, frame: bytes) -> None:
        """One more, the last."""
        self._tasks.append((task, frame))

    def first(self, may_begin: Callable[[Evaluate], bool]) -> tuple[Evaluate, bytes] | None:
        """The first that may begin; None if none may."""
        return next((one for one in self._tasks if may_begin(one[0])), None)

    def remove(self, one: Evaluate) -> None:
        """It waits no longer."""
        self._tasks = [waiting for waiting in self._tasks if waiting[0] is not one]

    def drop(self, is_dropped: Callable[[Evaluate], bool]) -> None:
        """Forget those."""
        self._tasks = [one for one in self._tasks if not is_dropped(one[0])]

    def clear(self) -> None:
        """Forget all."""
        self._tasks.clear()
