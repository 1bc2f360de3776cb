"""A process for evaluations that does not read, be it slow to start or stopped, keeps no worker waiting."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator

import pytest
from held_process import held_by_the_system

from evaluators.child_process import pipe
from evaluators.worker_process.process import ChildProcess

MORE_THAN_A_PIPE_HOLDS = (
    b'{"evaluator":"nowhere:nothing","trials":"t","options":{"table":"' + b"x" * 200_000 + b'"}}'
)
PATIENCE_S = 60


@pytest.fixture
def child() -> Iterator[ChildProcess]:
    """One that is stopped before it reads anything. A write that blocks fails the test."""

    def interrupted(number: int, frame: object) -> None:
        raise AssertionError("the write did not come back")

    before = signal.signal(signal.SIGALRM, interrupted)
    output = os.open(os.devnull, os.O_WRONLY)
    child = ChildProcess(output)
    child.signal(signal.SIGSTOP)
    signal.alarm(PATIENCE_S)
    yield child
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
    child.reap()
    os.close(output)


def test_what_its_pipe_does_not_take_waits_and_follows_when_it_reads(child: ChildProcess) -> None:
    assert child.send(pipe.LOAD, MORE_THAN_A_PIPE_HOLDS)
    assert child.requests >= 0
    assert select.select([], [child.requests], [], 0)[1] == []
    child.signal(signal.SIGCONT)
    while child.requests >= 0:
        assert select.select([], [child.requests], [], PATIENCE_S)[1]
        child.flush()
    assert select.select([child.responses], [], [], PATIENCE_S)[0]
    ((kind, why),) = child.receive()
    assert (kind, b"nowhere" in why) == (pipe.UNLOADABLE, True)


def test_one_that_the_system_holds_is_waited_for_so_long_and_no_longer() -> None:
    output = os.open(os.devnull, os.O_WRONLY)
    child = ChildProcess(output)
    os.close(output)
    with held_by_the_system(child.process_id):
        assert not child.kill(0.05)
    assert os.waitpid(child.process_id, 0)[1] == signal.SIGKILL


def test_what_waits_for_one_that_ends_waits_no_more(child: ChildProcess) -> None:
    child.send(pipe.LOAD, MORE_THAN_A_PIPE_HOLDS)
    child.signal(signal.SIGKILL)
    while child.requests >= 0:
        assert select.select([], [child.requests], [], PATIENCE_S)[1]
        child.flush()
    assert not child.send(pipe.OUTPUT, b"elsewhere")
