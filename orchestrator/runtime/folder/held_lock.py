"""The lock of a run's folder while it is held: it says whose it is, to people and to other machines."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from orchestrator.errors import RunLockedError
from orchestrator.runtime.folder.lock_words import another_in, own_words, words_in
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
        self.words = own_words()
        words = json.dumps(self.words).encode()
        # Who holds it is for people; a full disk does not make it less of a lock.
        try:
            os.ftruncate(file.fileno(), 0)
            # Past Python's buffer, which a failed write would leave full for `close` to fail on again.
            os.write(file.fileno(), words)
        except OSError:
            with suppress(OSError):
                self.words = words_in(path.read_bytes())

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
        if (another := another_in(self._path, self.words)) is not None:
            by = f"process {another['pid']} on {another['host']}"
            raise RunLockedError(
                f"{by} has taken {self._path.parent} over, whose locks are not seen "
                "from here, while this process was stopped or did not reach the disk: nothing more is "
                "written here, and workers elsewhere deliver there what they have"
            )
        self._looked_at = now
