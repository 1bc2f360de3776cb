"""A worker without its loop, and a wire to it on which messages lie until they are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from evaluators.trial_folders import TrialFolders
from evaluators.worker_process.duties import Duties
from evaluators.worker_process.options import WorkerOptions
from evaluators.worker_process.outbox import Outbox
from evaluators.worker_process.slot import Slot
from orchestrator.wire.codec import decode_from_worker, encode
from orchestrator.wire.messages import PROTOCOL, FromOrchestrator, Welcome

WELCOME = Welcome(protocol=PROTOCOL, run="wing-1", experiment="wing", evaluator="m:f", heartbeat_s=1.0)


class Line:
    """What came and was not read; what was said."""

    def __init__(self) -> None:
        self.arrived: list[bytes] = []
        self.said: list[object] = []
        self.dialled = 1

    def comes(self, message: FromOrchestrator) -> None:
        self.arrived.append(encode(message))

    def send(self, frame: bytes) -> bool:
        self.said.append(decode_from_worker(frame))
        return True

    def receive(self) -> list[bytes]:
        return [self.arrived.pop(0)] if self.arrived else []

    def dial_anew(self) -> None:
        self.dialled += 1

    def hang_up(self, *, linger: bool) -> None:
        del linger


def welcomed(
    directory: Path,
    line: Line,
    slots: Sequence[Slot] = (),
    say: Callable[[str], None] = lambda _: None,
    welcome: Welcome = WELCOME,
    each: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Duties:
    """At 0 seconds."""
    options = WorkerOptions(
        connect="x",
        evaluators=("m:f",),
        name="w",
        slots=max(1, len(slots)),
        directory=directory,
        each=each,
    )
    worker = Duties(options, line, Outbox(directory), slots, TrialFolders(directory), say)
    worker.on_time(0.0)
    line.comes(welcome)
    worker.on_messages(0.0)
    return worker
