"""A slot's child that says what a test has it say, and the slot with its output that matters to nobody."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from evaluators.child_process import pipe
from evaluators.trial_folders import TrialFolders
from evaluators.worker_process.slot import Slot
from evaluators.worker_process.slot_events import Event
from evaluators.worker_process.slot_parts import Workload
from orchestrator.wire.codec import encode
from orchestrator.wire.messages import Evaluate

WORKLOAD = Workload("simulators.wing:drag", {}, TrialFolders(Path("trials")))
GRACE_S = 2.0


def task_of(lease: str, timeout_s: float | None = None) -> Evaluate:
    return Evaluate(
        run="wing", lease=lease, trial=1, attempt=1, parameters={"x": 3.2}, seed=7, timeout_s=timeout_s
    )


class ScriptedChild:
    """Keeps what it was sent. It hears nothing once it has ended."""

    process_id = 4711
    responses = 7
    requests = -1

    def __init__(self) -> None:
        self.sent: list[tuple[bytes, bytes]] = []
        self.to_say: list[tuple[bytes, bytes]] = []
        self.own: dict[str, str] = {}
        self.signals: list[signal.Signals] = []
        self.silent = False
        self.ended = False
        self.dismissed = False
        self.has_loaded = False
        self.busy = False
        self.code = -int(signal.SIGKILL)

    def given(self) -> list[bytes]:
        """The tasks that it was sent."""
        return [payload for kind, payload in self.sent if kind == pipe.EVALUATE]

    def flush(self) -> bool:
        return True

    def send(self, kind: bytes, payload: bytes) -> bool:
        if not self.ended:
            self.sent.append((kind, payload))
            self.busy = self.busy or kind == pipe.EVALUATE
        return not self.ended

    def receive(self) -> list[tuple[bytes, bytes]]:
        said, self.to_say = self.to_say, []
        return said

    receive_rest = receive

    def signal(self, number: signal.Signals) -> None:
        self.signals.append(number)

    def has_ended(self) -> bool:
        return self.ended

    def kill(self, within_s: float) -> bool:
        del within_s
        self.ended = True
        return True

    def reap(self) -> int:
        self.ended = True
        return self.code

    def dismiss(self) -> None:
        self.dismissed = True


class Nothing:
    """An output of which nothing is kept."""

    path = Path("slot-0.out")
    fd = -1
    empty = True

    def move(self, destination: Path) -> None:
        raise AssertionError(f"nothing was printed that could be moved to {destination}")

    def last_lines(self, count: int) -> str:
        del count
        return ""

    def close(self) -> None:
        pass


class SlotBench:
    """A slot whose children are scripted; what it says, and every child that it started, are kept.

    While ``full`` the system has no process for a child.
    """

    def __init__(self, *, full: bool = False, own: Mapping[str, str] = MappingProxyType({})) -> None:
        self.full = full
        self.asked = 0
        self.owns: list[dict[str, str]] = []
        self.said: list[str] = []
        self.children: list[ScriptedChild] = []
        self.slot = Slot(Nothing(), GRACE_S, self.said.append, self._start, own)
        self.slot.prepare(WORKLOAD, 0.0)

    def _start(self, _output: int, own: Mapping[str, str]) -> ScriptedChild:
        self.asked += 1
        self.owns.append(dict(own))
        if self.full:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        self.children.append(ScriptedChild())
        self.child.own = dict(own)
        return self.children[-1]

    @property
    def child(self) -> ScriptedChild:
        """The last that was started."""
        return self.children[-1]

    def begin(self, task: Evaluate, now: float, own: Mapping[str, str] | None = None) -> None:
        self.slot.begin(task, encode(task), now, own)

    def says(self, kind: bytes, payload: bytes, now: float) -> list[Event]:
        """The child says something."""
        self.child.to_say.append((kind, payload))
        return self.slot.on_readable(now)

    def ends(self, now: float) -> list[Event]:
        """The child ends."""
        self.child.ended = self.child.silent = True
        return self.slot.on_child_ended(now)
