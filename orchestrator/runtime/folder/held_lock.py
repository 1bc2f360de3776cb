"""The lock of a run's folder while it is held: it says whose it is, to people and to other machines."""

from __future__ import annotations

import json
import math
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from orchestrator.errors import RunLockedError
from orchestrator.system.asleep import seconds_asleep

LOOKS_EVERY_S: Final = 1.0
"""Shorter than anybody watches a run that another machine may be working on (`unseen_writer`)."""


def _also_asleep() -> float:
    """Seconds by a clock that nobody sets, those among them in which this machine slept."""
    return time.monotonic() + seconds_asleep()


class HeldLock:
    """Keeps every other orchestrator out until it is closed.

    Where machines do not see one another's locks, and this one was suspended, another may have taken the run
    over meanwhile, and have written so into the file.
    """

    def __init__(self, path: Path, file: IO[str], clock: Callable[[], float] = _also_asleep) -> None:
        """Write down who has it. ``file`` is open, and its lock taken."""
        self._path = path
        self._file = file
        self._clock = clock
        self._looked_at = -math.inf
        # In another network a laptop may be called otherwise, before the run ends.
        self._host = socket.gethostname()
        words = json.dumps({"host": self._host, "pid": os.getpid()}).encode()
        # Who holds it is for people; a full disk does not make it less of a lock.
        with suppress(OSError):
            os.ftruncate(file.fileno(), 0)
            # Past Python's buffer, which a failed write would leave full for `close` to fail on again.
            os.write(file.fileno(), words)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let others in."""
        self._file.close()

    def refuse_if_taken_over(self) -> None:
        """To be called before anything is written; it looks about once a second. Raises `RunLockedError`
        where another machine has the run by now.
        """
        now = self._clock()
        if now - self._looked_at < LOOKS_EVERY_S:
            return
        try:
            told = json.loads(self._path.read_bytes())
            host, process = told["host"], told["pid"]
        except (OSError, ValueError, LookupError, TypeError):
            # Emptied or deleted by somebody: the journal has a lock as well.
            host, process = self._host, None
        if host != self._host:
            raise RunLockedError(
                f"process {process} on {host} has taken {self._path.parent} over, whose locks are not seen "
                "from here, while this process was stopped or did not reach the disk: nothing more is "
                "written here, and workers elsewhere deliver there what they have"
            )
        self._looked_at = now
