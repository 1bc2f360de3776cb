"""A coverage-guided fuzzer of what reads a worker's frames: the codec, and the sessions behind it.

    make fuzz-codec        or: python tests/security/fuzz_codec.py -max_total_time=60

Needs atheris (`pip install -e '.[fuzz]'`). Arguments are libFuzzer's. Any exception but `MalformedMessage`,
and any answer that is long, ends it with the frame that caused it.
"""

from __future__ import annotations

import random
import sys

import atheris

with atheris.instrument_imports():
    from policies import policy_with

    from orchestrator.runtime.connections.broker import Received
    from orchestrator.runtime.connections.sessions import LEASE_LIMIT, Sessions
    from orchestrator.scheduler.events import RunStarted, WorkerJoined
    from orchestrator.scheduler.liveness import Liveness
    from orchestrator.scheduler.machine import Scheduler
    from orchestrator.wire.codec import MalformedMessage, decode_from_worker, encode
    from orchestrator.wire.messages import PROTOCOL, FromOrchestrator, Reject, Welcome

from hostile_frames import mutated, structured_frames

LONGEST_ANSWER = 4_096
SEEDS = structured_frames("run", "a:b", 500)


def received(frame: bytes) -> Received:
    """As the broker hands it on."""
    try:
        return Received(b"peer", decode_from_worker(frame))
    except MalformedMessage as complaint:
        return Received(b"peer", None, str(complaint))


def one_input(content: bytes) -> None:
    """A conversation of as many frames as there are lines, through to the scheduler."""
    answers: list[FromOrchestrator] = []
    scheduler = Scheduler(policy_with(trials=5))
    scheduler.handle(RunStarted(at=0.0, run="run", wall="", points=({"x": 1}, {"x": 2})))
    scheduler.handle(WorkerJoined(at=0.0, worker="w", slots=1))
    sessions = Sessions(
        Welcome(protocol=PROTOCOL, run="run", experiment="wing", evaluator="a:b"),
        factors=None,
        liveness=Liveness(timeout_s=None),
        send=lambda _, message: answers.append(message) is None,
        note=lambda _: None,
        progressed=lambda _: None,
        local=lambda _: False,
        was_given=scheduler.was_given,
        holds=scheduler.holds,
        turned_away=lambda _: None,
    )
    for frame in content.split(b"\n"):
        event = sessions.take(received(frame), 1.0)
        if event is not None:
            scheduler.handle(event)
    for answer in answers:
        assert len(encode(answer)) <= LONGEST_ANSWER
        assert not isinstance(answer, Reject) or len(answer.lease) <= LEASE_LIMIT


def mutate(content: bytes, limit: int, seed: int) -> bytes:
    """Of two kinds in turn: a frame that hypothesis made, put in or changed; and libFuzzer's own."""
    rng = random.Random(seed)
    if rng.random() < 0.5:
        return bytes(atheris.Mutate(content, limit))
    frame = rng.choice(SEEDS)
    return (content + b"\n" + (mutated(frame, rng) if rng.random() < 0.5 else frame))[-limit:]


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input, custom_mutator=mutate)
    atheris.Fuzz()
