"""A connection that takes no more for a while loses nothing, and nothing overtakes what waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq
from worker_lab import Lab, eventually

from evaluators.worker_process.outbox import Outbox
from orchestrator.wire.codec import encode
from orchestrator.wire.messages import Acknowledge, Heartbeat, Hello, Result, Welcome
from orchestrator.wire.scripted import ScriptedOrchestrator

KEPT = 3_000
PADDING = "x" * 4_000
"""More in all than a socket, a connection and a peer that does not read will hold."""
HEARTBEAT_S = 5.0


class Reluctant(ScriptedOrchestrator):
    """One that holds little of what it has not read."""

    def __init__(self, evaluator: str) -> None:
        self._limits = {zmq.RCVHWM: 10, zmq.RCVBUF: 1 << 16}
        context = zmq.Context.instance()
        for option, limit in self._limits.items():
            context.setsockopt(option, limit)
        try:
            super().__init__(evaluator, heartbeat_s=HEARTBEAT_S)
        finally:
            for option in self._limits:
                context.sockopts.pop(option)


@pytest.fixture
def kept(tmp_path: Path) -> list[Result]:
    """Results that a predecessor of the worker left."""
    results = [
        Result(run="run-1", lease=f"{number}.1", trial=number, value=0.5, extras={"padding": PADDING})
        for number in range(1, KEPT + 1)
    ]
    outbox = Outbox(tmp_path / "w")
    outbox.begin("run-1")
    for result in results:
        outbox.keep("run-1", result.lease, encode(result), durable=False)
    outbox.close()
    return results


@pytest.fixture
def wire(lab: Lab) -> Iterator[ScriptedOrchestrator]:
    with Reluctant("workloads_for_workers:behave") as wire:
        yield wire


def tail(path: Path) -> bytes:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 500))
        return file.read()


def heard_of(wire: ScriptedOrchestrator) -> bool:
    """Who reads and says nothing for twenty seconds is hung up on, and what was on its way is lost."""
    wire.send(Heartbeat())
    return True


def test_what_the_connection_did_not_take_is_sent_when_it_does_and_before_any_heartbeat(
    lab: Lab, wire: ScriptedOrchestrator, kept: list[Result]
) -> None:
    lab.start(wire.address)
    wire.expect(Hello)
    wire.send(wire.assignment)
    # When this is kept, the worker has sent all that the connection took.
    wire.evaluate("fresh.1", {"how": "well"}, trial=KEPT + 1)
    eventually(lambda: heard_of(wire) and b'"fresh.1"' in tail(lab.directory / "w" / "outbox.jsonl"))
    assert isinstance(wire.assignment, Welcome)
    for result in kept:
        assert wire.expect(Result, passing_over=()) == result
        # However long it takes to read them all, none is sent again meanwhile.
        wire.send(Acknowledge(lease=result.lease))
    assert wire.expect(Result, passing_over=()).lease == "fresh.1"
    wire.expect(Heartbeat, passing_over=())
