"""Hellos that a process says again before anybody has answered it."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.runtime.connections.broker import Received
from orchestrator.wire.messages import FromWorker, Hello


def without_repeated_hellos(received: Sequence[Received]) -> list[Received]:
    """What came, less each hello that its process says again in its next message: whoever is slow to answer
    is said one a second, and the last has what holds by now.
    """
    kept: list[Received] = []
    following: dict[bytes, FromWorker | None] = {}
    for one in reversed(received):
        if not _says_again(one.message, following.get(one.peer)):
            kept.append(one)
        following[one.peer] = one.message
    return kept[::-1]


def _says_again(hello: FromWorker | None, message: FromWorker | None) -> bool:
    if not isinstance(hello, Hello) or not isinstance(message, Hello):
        return False
    return (hello.worker, hello.session) == (message.worker, message.session)
