"""What an `async def` evaluator returns, awaited in one event loop for all evaluations of the process: what
one of them opens, as a connection, is there for the next.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from evaluators.errors import EvaluationError

if TYPE_CHECKING:
    import asyncio


class Awaiting:
    """Has the loop, from the first time that there is something to wait for."""

    def __init__(self) -> None:
        self._runner: asyncio.Runner | None = None
        self._process = os.getpid()

    def result(self, returned: object) -> object:
        """What it comes to; as it is, where there is nothing to await. Raises what that raises, and
        EvaluationError where it is cancelled. After an exit there is no loop any more.
        """
        if not isinstance(returned, Awaitable):
            return returned
        # It takes a while, and few need it.
        import asyncio

        if self._runner is None:
            self._runner = asyncio.Runner()
            # Before what the evaluator's module registered as it was imported.
            atexit.register(self._runner.close)
        try:
            return self._runner.run(_awaited(returned))
        except asyncio.CancelledError:
            raise EvaluationError(
                "error", "the evaluator was cancelled; expected it to return a value"
            ) from None
        except (KeyboardInterrupt, SystemExit):
            # As a signal's handler raises it: what waits in the loop puts things in order. Not in a process
            # that was forked: its tasks are the original's.
            if os.getpid() == self._process:
                self._runner.close()
            raise


async def _awaited(returned: Awaitable[object]) -> object:
    return await returned
