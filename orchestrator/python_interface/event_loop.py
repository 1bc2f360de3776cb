"""An event loop in a thread of its own, which awaits what `async def` functions return."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from concurrent.futures import Future
from typing import Any

from orchestrator.errors import UsageError


class EventLoop:
    """Runs until it is closed, so that what one evaluation opens others may use."""

    def __init__(self) -> None:
        # Begun here, so that what keeps it from that is raised here; and not this thread's loop.
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._loop = self._runner.get_loop()
        self._ended = asyncio.Event()
        # The loop itself knows its tasks weakly: what hangs on nothing else would be collected as garbage.
        self._running: set[Future[None]] = set()
        self._thread = threading.Thread(target=self._run, name="evaluations", daemon=True)
        self._thread.start()

    def begin(self, awaitable: Awaitable[Any]) -> Future[Any]:
        """What it comes to, or raises, whatever that is."""
        future: Future[Any] = Future()
        # From now on only `close` cancels it.
        future.set_running_or_notify_cancel()
        task = asyncio.run_coroutine_threadsafe(_into(future, awaitable), self._loop)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return future

    def close(self) -> None:
        """Cancels what still runs, and waits until that has ended."""
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join()

    def _run(self) -> None:
        with self._runner as runner:
            runner.run(self._until_closed())

    async def _until_closed(self) -> None:
        await self._ended.wait()


async def uncancelled(awaitable: Awaitable[Any]) -> Any:
    """What it comes to. Raises UsageError where it is cancelled: that ends this evaluation, and no more."""
    try:
        return await awaitable
    except asyncio.CancelledError:
        raise UsageError("the function was cancelled, and gave no value") from None


async def _into(future: Future[Any], awaitable: Awaitable[Any]) -> None:
    # An exit or an interrupt that reached the loop would end it, and all that runs beside.
    try:
        future.set_result(await uncancelled(awaitable))
    except BaseException as error:
        future.set_exception(error)
