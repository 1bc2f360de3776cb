"""As many workers as the system lets come, and not only as many as a shell's first limit on open files."""

from __future__ import annotations

import errno
import os
import resource
from typing import TypeAlias

import pytest
import zmq
from run_lab import PATIENCE_S, Life, RunLab, answered, eventually, joined, spec

from orchestrator.errors import UsageError
from orchestrator.runtime.connections.descriptors import ENOUGH, room_for_connections, why_no_connection
from orchestrator.wire.codec import decode_from_orchestrator, encode
from orchestrator.wire.messages import PROTOCOL, Hello, Welcome

Wire: TypeAlias = "zmq.Socket[bytes]"


def begun_with(lab: RunLab, soft: int, hard: int, local: int = 0) -> Life:
    """A run that may have so many open files, and whose workers are from elsewhere but for ``local``."""
    return lab.run(
        spec("quick", budget={"trials": 1000}, workers={"local": local, "listen": "tcp://127.0.0.1:*"}),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard)),
    )


def workers_that_dial(run: Life, context: zmq.Context[zmq.Socket[bytes]], numbers: range) -> list[Wire]:
    address = run.opened()["address"]
    wires = []
    for number in numbers:
        wire = context.socket(zmq.DEALER)
        wire.connect(address)
        name = f"worker-{number}"
        wire.send(encode(Hello(PROTOCOL, worker=name, session=name, evaluators=["workloads_for_runs:quick"])))
        wires.append(wire)
    return wires


def test_more_workers_than_open_files_were_allowed_at_first_are_all_welcomed(lab: RunLab) -> None:
    run = begun_with(lab, 64, 512)
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    waiting = workers_that_dial(run, context, range(100))

    def all_welcomed() -> bool:
        for wire in list(waiting):
            if wire.poll(10) and isinstance(decode_from_orchestrator(wire.recv()), Welcome):
                waiting.remove(wire)
        return not waiting

    try:
        eventually(all_welcomed)
    finally:
        context.destroy(linger=0)
    run.kill()


def test_where_the_system_gives_no_more_that_is_said_once_with_what_to_do(lab: RunLab) -> None:
    run = begun_with(lab, 64, 64)
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    try:
        kept = workers_that_dial(run, context, range(1))
        # All is imported by then, which takes files as well.
        answered(run)
        kept += workers_that_dial(run, context, range(1, 30))
        leaving = workers_that_dial(run, context, range(30, 100))
        eventually(lambda: "have no more" in run.said)
        for wire in leaving:
            wire.close(linger=0)
        eventually(lambda: {f"worker-{n}" for n in range(len(kept))} <= {one.worker for one in joined(run)})
    finally:
        context.destroy(linger=0)
    (said,) = [line for line in run.said.splitlines() if "have no more" in line]
    assert said == (
        "warning: expected room for another connection, and this process has 64 files open and may have no "
        "more: workers that come now wait, and are not heard. Start it where it may have more (ulimit -n "
        "256, then: orchestrator resume), or fewer workers with more --slots each"
    )
    run.kill()


def test_a_run_that_could_not_open_what_it_needs_is_refused_before_there_is_a_folder(lab: RunLab) -> None:
    run = begun_with(lab, 20, 20)
    assert run.process.wait(timeout=PATIENCE_S) == UsageError.exit_code
    assert run.said == (
        "expected to be let have at least 64 files open at a time, for connections, programs and the "
        "journal, and this process may have 20; start it where it may have more (ulimit -n)\n"
    )
    assert not lab.logs.exists()


def test_so_is_one_whose_own_workers_would_leave_no_room_for_its_optimiser(lab: RunLab) -> None:
    run = begun_with(lab, 128, 128, local=64)
    assert run.process.wait(timeout=PATIENCE_S) == UsageError.exit_code
    assert "at least 224 files open at a time" in run.said
    assert not lab.logs.exists()


def test_where_it_is_the_machine_that_has_none_left_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> int:
        raise OSError(errno.ENFILE, os.strerror(errno.ENFILE))

    assert why_no_connection() == ""
    monkeypatch.setattr(os, "open", refused)
    assert "this machine has no open file left to give" in why_no_connection()


def test_the_limit_is_afterwards_what_it_was() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    low = (min(200, before[0]), before[1])
    resource.setrlimit(resource.RLIMIT_NOFILE, low)
    try:
        with room_for_connections():
            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            assert soft == min(ENOUGH, hard)
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == low
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
