"""A child process that ends just as it is told to."""

from __future__ import annotations

import logging
import os
import signal
import sys

import anyio
import pytest
from anyio.abc import Process

from orchestrator.runtime.child_watching import send_signal, watch_children_without_threads


def until_it_has_ended(process: Process) -> None:
    """The loop stands still meanwhile, and sees it no sooner than at its next turn."""
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)


def test_how_a_child_ended_that_is_told_to_just_then_is_seen_by_the_loop_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def end_one() -> int:
        process = await anyio.open_process([sys.executable, "-c", "raise SystemExit(7)"])
        until_it_has_ended(process)
        send_signal(process, signal.SIGTERM)
        return await process.wait()

    watch_children_without_threads()
    with caplog.at_level(logging.WARNING, logger="asyncio"):
        assert anyio.run(end_one) == 7
    assert caplog.messages == []


def test_a_child_that_does_not_end_by_itself_is_ended() -> None:
    async def end_one() -> int:
        process = await anyio.open_process([sys.executable, "-c", "import time; time.sleep(120)"])
        send_signal(process, signal.SIGKILL)
        return await process.wait()

    assert anyio.run(end_one) == -signal.SIGKILL
