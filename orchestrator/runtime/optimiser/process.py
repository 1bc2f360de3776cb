"""The optimiser seen from the loop: a child process that is started, fed, listened to, and started anew.

It holds nothing that is not in the journal. When it dies, another is started and told the whole history,
after which it answers what the dead one would have answered.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import anyio
from anyio.abc import Process
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from orchestrator.runtime.beside_loop import beside_loop
from orchestrator.runtime.child_watching import send_signal
from orchestrator.runtime.optimiser.messages import (
    Answer,
    End,
    Reply,
    Trouble,
    decode_reply,
    encode_request,
    encode_requests,
)
from orchestrator.runtime.recovery.recover import OptimiserHistory
from orchestrator.runtime.threads import environment_for
from orchestrator.scheduler.commands import OptimiserCommand
from orchestrator.system.exit_words import exit_words
from orchestrator.system.refused_start import START_AGAIN_AFTER_S, could_not_be_started

RESTARTS_WITHOUT_AN_ANSWER = 3
SECONDS_TO_END = 1.5
SECONDS_TO_LEAVE = 5.0
"""Once it was told to: it lets its nodes go."""


class OptimiserProcess:
    """Feeds the process and hands its replies to ``on_reply``.

    ``folder`` says, in a thread, where the run lies by then: it may be renamed between two processes.
    ``on_note`` takes sentences for people; ``on_failure`` is called once, when it makes no sense to go on.
    """

    def __init__(
        self,
        folder: Callable[[], Path],
        history: OptimiserHistory,
        on_reply: Callable[[Reply], None],
        on_note: Callable[[str], None],
        on_failure: Callable[[str], None],
    ) -> None:
        self._folder = folder
        self._history = history
        self._on_reply = on_reply
        self._on_note = on_note
        self._on_failure = on_failure
        self._feed: MemoryObjectSendStream[bytes] | None = None
        self._fruitless = 0
        self._last_answered = 0
        self._last_words = b""

    def send(self, commands: Iterable[OptimiserCommand]) -> None:
        """Hand commands over, which are in the history already; the process gets them in order."""
        block = encode_requests(commands)
        if block and self._feed is not None:
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                self._feed.send_nowait(block)

    def finish(self) -> None:
        """The run is over: the process is told so when it is ended."""
        self._last_words = encode_request(End())

    async def run(self, log: BinaryIO) -> None:
        """Keep a process alive until cancelled or hopeless; what it prints goes to ``log``."""
        while True:
            trouble = await self._live(log)
            self._fruitless += 1
            if self._fruitless > RESTARTS_WITHOUT_AN_ANSWER:
                self._on_failure(trouble)
                return
            self._on_note(
                f"the optimiser's process ended ({trouble}); it is started anew and told everything"
            )

    async def _live(self, log: BinaryIO) -> str:
        """One process from start to end; why it ended."""
        process = await self._started(log)
        trouble = ""
        # No limit: everything in the feed is in the history anyway.
        self._feed, source = anyio.create_memory_object_stream[bytes](float("inf"))
        history = list(self._history.commands)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._write, process, history, source)
                trouble = await self._read(process)
                tasks.cancel_scope.cancel()
        finally:
            self._feed.close()
            self._feed = None
            source.close()
            await _end(process, self._last_words)
        return trouble or exit_words(process.returncode)

    async def _started(self, log: BinaryIO) -> Process:
        server = [sys.executable, "-P", "-m", "orchestrator.runtime.optimiser.server"]
        refused = False
        while True:
            folder = await beside_loop(self._folder)
            try:
                return await anyio.open_process(
                    [*server, str(folder)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    # Its matrices are small: a second thread costs more than it brings.
                    env=environment_for(os.cpu_count() or 1),
                    start_new_session=True,
                )
            except OSError as error:
                if not refused:
                    refused = True
                    self._on_note(could_not_be_started("the optimiser's process", error))
                await anyio.sleep(START_AGAIN_AFTER_S)

    @staticmethod
    async def _write(
        process: Process, history: Sequence[OptimiserCommand], source: MemoryObjectReceiveStream[bytes]
    ) -> None:
        assert process.stdin is not None
        # A long one takes long, and the loop goes on meanwhile. One block: the other end waits for its end.
        block = await beside_loop(encode_requests, history)
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
            if block:
                await process.stdin.send(block)
            async for block in source:
                await process.stdin.send(block)

    async def _read(self, process: Process) -> str:
        assert process.stdout is not None
        unread = b""
        trouble = ""
        with suppress(anyio.EndOfStream, anyio.BrokenResourceError):
            while True:
                *lines, unread = (unread + await process.stdout.receive(1 << 20)).split(b"\n")
                for line in lines:
                    reply = decode_reply(line)
                    if isinstance(reply, Trouble):
                        trouble = reply.message
                        continue
                    # The same answer again, of which nothing came before, is no progress.
                    if isinstance(reply, Answer) and reply.ask > self._last_answered:
                        self._last_answered, self._fruitless = reply.ask, 0
                    self._on_reply(reply)
        return trouble


async def _end(process: Process, last_words: bytes) -> None:
    """Close its input, which ends it; then insist."""
    with anyio.CancelScope(shield=True):
        if process.stdin is not None:
            if last_words:
                with (
                    anyio.move_on_after(SECONDS_TO_END),
                    suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError),
                ):
                    await process.stdin.send(last_words)
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
                await process.stdin.aclose()
        for insist, patience_s in ((signal.SIGTERM, SECONDS_TO_END), (signal.SIGKILL, SECONDS_TO_LEAVE)):
            with anyio.move_on_after(patience_s):
                await process.wait()
            if process.returncode is not None:
                break
            send_signal(process, insist)
        else:
            with anyio.move_on_after(SECONDS_TO_LEAVE):
                await process.wait()
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
            await process.aclose()
