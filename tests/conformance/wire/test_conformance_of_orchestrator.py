"""The kit's rules for an orchestrator, tried on one that keeps them and on ones that do not."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import zmq

from orchestrator.wire.codec import MalformedMessage, decode_from_worker, encode
from orchestrator.wire.conformance import check_orchestrator
from orchestrator.wire.messages import (
    PROTOCOL,
    Acknowledge,
    Evaluate,
    Failure,
    FromOrchestrator,
    FromWorker,
    Goodbye,
    Heartbeat,
    Hello,
    Reject,
    Result,
    Welcome,
)

EVALUATOR = "m:f"


class SmallestOrchestrator:
    """Answers by the letter of the protocol, from one message to the next; ``fault`` leaves a rule out."""

    def __init__(self, fault: str = "") -> None:
        self._fault = fault
        self._names: dict[bytes, str] = {}
        self._given = 0

    def answer(self, peer: bytes, frames: list[bytes]) -> list[FromOrchestrator]:
        try:
            if len(frames) != 1:
                raise MalformedMessage("expected one frame")
            message = decode_from_worker(frames[0])
        except MalformedMessage as error:
            return [Reject(code="malformed", reason=str(error), lease=error.lease)]
        if isinstance(message, Hello):
            return self._greet(peer, message)
        if peer not in self._names:
            return [Reject(code="hello", reason="expected hello first")]
        return self._known(peer, message)

    def _greet(self, peer: bytes, hello: Hello) -> list[FromOrchestrator]:
        if hello.protocol != PROTOCOL:
            return [Reject(code="protocol", reason="expected another protocol")]
        if EVALUATOR not in hello.evaluators and self._fault != "evaluator":
            return [Reject(code="evaluator", reason="expected another evaluator")]
        if hello.worker in self._names.values() and peer not in self._names:
            return [Reject(code="name", reason="the name is in use")]
        self._names[peer] = hello.worker
        return [
            Welcome(protocol=PROTOCOL, run="r", experiment="e", evaluator=EVALUATOR, parameters=["x"]),
            self._task(),
        ]

    def _task(self) -> Evaluate:
        self._given += 1
        return Evaluate(run="r", lease=f"{self._given}", trial=1, attempt=1, parameters={"x": 1}, seed=1)

    def _known(self, peer: bytes, message: FromWorker) -> list[FromOrchestrator]:
        match message:
            case Heartbeat():
                return [Heartbeat()]
            case Result(run="r", lease=lease) | Failure(run="r", lease=lease):
                thanks = Acknowledge(lease="" if self._fault == "lease" else lease)
                return [thanks, self._task()] if self._fault == "draining" else [thanks]
            case Result(lease=lease) | Failure(lease=lease):
                return [Reject(code="run", reason="expected run r", lease=lease)]
            case Goodbye():
                del self._names[peer]
        return []


@contextmanager
def _listening(orchestrator: SmallestOrchestrator) -> Iterator[str]:
    context = zmq.Context.instance()
    socket = context.socket(zmq.ROUTER)
    port = socket.bind_to_random_port("tcp://127.0.0.1")
    ours, theirs = context.socket(zmq.PAIR), context.socket(zmq.PAIR)
    theirs.bind(f"inproc://stop-{port}")
    ours.connect(f"inproc://stop-{port}")

    def serve() -> None:
        poller = zmq.Poller()
        poller.register(socket, zmq.POLLIN)
        poller.register(theirs, zmq.POLLIN)
        while theirs not in (ready := dict(poller.poll())):
            if socket in ready:
                peer, *frames = socket.recv_multipart()
                for message in orchestrator.answer(peer, frames):
                    socket.send_multipart([peer, encode(message)])

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"tcp://127.0.0.1:{port}"
    finally:
        ours.send(b"")
        thread.join()
        for closed in (socket, ours, theirs):
            closed.close(0)


def test_an_orchestrator_that_keeps_to_the_protocol_passes() -> None:
    with _listening(SmallestOrchestrator()) as address:
        findings = list(check_orchestrator(address, EVALUATOR))
    assert [finding.breach for finding in findings] == [""] * 17


@pytest.mark.parametrize(
    ("fault", "rule"),
    [
        ("evaluator", "refuses a worker without"),
        ("lease", "acknowledges a result"),
        ("draining", "gives nothing more to a worker that says that it drains"),
    ],
)
def test_a_fault_is_found_and_named(fault: str, rule: str) -> None:
    with _listening(SmallestOrchestrator(fault)) as address:
        *_, last = check_orchestrator(address, EVALUATOR)
    assert not last.kept
    assert last.rule.startswith(rule)
