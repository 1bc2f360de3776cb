"""The sessions of one run, with whoever sends to them and whatever they answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from orchestrator.runtime.connections.broker import Received
from orchestrator.runtime.connections.sessions import Sessions
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.liveness import Liveness
from orchestrator.wire.messages import (
    PROTOCOL,
    Failure,
    FromOrchestrator,
    FromWorker,
    Hello,
    Progress,
    Result,
    Welcome,
)

HEARTBEAT_S = 2.0
M = TypeVar("M")


@dataclass
class Desk:
    """Sessions, with what they sent, noted and passed on."""

    factors: int | None = None
    compared: bool = False
    local: set[int] = field(default_factory=set)
    given: set[str] = field(default_factory=lambda: {"1.1"})
    sent: list[tuple[bytes, FromOrchestrator]] = field(default_factory=list)
    noted: list[str] = field(default_factory=list)
    progress: list[Progress] = field(default_factory=list)
    now: float = 0.0

    def __post_init__(self) -> None:
        self.liveness = Liveness(timeout_s=None)
        self.sessions = Sessions(
            Welcome(
                protocol=PROTOCOL,
                run="run-1",
                experiment="probe",
                evaluator="wing:drag",
                options={"mesh": 3},
                parameters=["x"],
                heartbeat_s=HEARTBEAT_S,
                compared=self.compared,
            ),
            self.factors,
            liveness=self.liveness,
            send=self._send,
            note=self.noted.append,
            progressed=self.progress.append,
            local=lambda pid: pid in self.local,
            was_given=lambda lease: lease in self.given,
            holds=lambda _, __: True,
            turned_away=lambda _: None,
        )

    def _send(self, peer: bytes, message: FromOrchestrator) -> bool:
        self.sent.append((peer, message))
        return True

    def take(self, peer: bytes, message: FromWorker | None, complaint: str = "") -> Event | None:
        return self.sessions.take(Received(peer, message, complaint), self.now)

    def hello(self, peer: bytes = b"p", **changes: Any) -> Event | None:
        hello = Hello(protocol=1, worker="w", session="s", evaluators=["wing:drag"])
        return self.take(peer, msgspec.structs.replace(hello, **changes))

    def last(self, kind: type[M], peer: bytes = b"p") -> M:
        """The last message sent, which must be of a kind and for a peer."""
        to, message = self.sent[-1]
        assert to == peer
        assert isinstance(message, kind), message
        return message


def result(**changes: Any) -> Result:
    return msgspec.structs.replace(Result(run="run-1", lease="1.1", trial=1, value=1.0), **changes)


FAILED_ON_AN_ARM = Failure(
    run="run-1", lease="1.1", trial=1, kind="error", message="stuck", own={"ARM": "left"}
)
