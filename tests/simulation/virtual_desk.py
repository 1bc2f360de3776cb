"""The desk where people leave requests: it outlives orchestrators, and each sees it through its own calls."""

from __future__ import annotations

from pathlib import Path

from virtual_world import Process, World
from witness import Witness

from orchestrator.runtime.requests.desk import Waiting
from orchestrator.runtime.requests.kinds import Request, Verdict


class VirtualDesk:
    """The files. Those that were removed may be back after a power cut, like any name that was not synced."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.requests: dict[Path, Request] = {}
        self.removed: dict[Path, Request] = {}
        self._left = 0

    def leave(self, request: Request) -> Path:
        """A person leaves a request, safe on disk."""
        self._left += 1
        path = Path(f"{self._left:06d}.json")
        self.world.note("%s is left: %s", path, request)
        self.requests[path] = request
        return path

    def remove(self, path: Path) -> None:
        """A request was answered."""
        request = self.requests.pop(path, None)
        if request is not None:
            self.removed[path] = request

    def cut_power(self) -> None:
        """Some of what was removed is there again."""
        for path, request in self.removed.items():
            if self.world.chosen(0.5):
                self.world.note("%s is back", path)
                self.requests[path] = request
        self.removed.clear()


class ProcessDesk:
    """The desk as one orchestrator sees it: `Desk`, where every call may be its last."""

    def __init__(self, desk: VirtualDesk, process: Process, witness: Witness) -> None:
        self._desk = desk
        self._process = process
        self._witness = witness

    def waiting(self) -> list[Waiting]:
        if not self._desk.requests:
            return []
        self._process.call()
        return [Waiting(path, request) for path, request in sorted(self._desk.requests.items())]

    def answer(self, path: Path, reply: Verdict) -> str:
        self._process.call()
        self._desk.world.note("%s is answered: %s", path, reply)
        request = self._desk.requests.get(path) or self._desk.removed[path]
        self._witness.answered(self._process.name, path, request, reply)
        self._process.call()
        self._desk.remove(path)
        return ""
