"""A command of a queue is run: with a time limit, and nothing of it is left when that is over."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO

import anyio
from anyio.abc import Process

from orchestrator.runtime.jobs.queue_words import last_line

READ_AT_MOST = 8_000_000
SECONDS_TO_DIE = 1.0


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a command: its exit code, None where it had to be ended; and what it printed.

    ``too_long``: that is cut, and nobody knows what it lacks.
    """

    program: str
    code: int | None
    said: str = ""
    complained: str = ""
    too_long: bool = False

    @property
    def went_well(self) -> bool:
        """Whether it did what it was run for, by its own account."""
        return self.code == 0 and not self.too_long

    @property
    def failure(self) -> str:
        """Why not, in its own words as far as it had some."""
        if self.code == 0:
            return f"`{self.program}` printed more than {READ_AT_MOST // 1_000_000} MB"
        words = last_line(self.complained) or last_line(self.said)
        last = f": {words}" if words else ""
        if self.code is None:
            return f"`{self.program}` did not end in time{last}"
        how = f"exit code {self.code}" if self.code >= 0 else f"signal {-self.code}"
        return f"`{self.program}` failed ({how}){last}"


async def run_queue_command(
    arguments: Sequence[str], more_environment: Mapping[str, str], limit: anyio.CancelScope
) -> Ran:
    """Run it where the run was started, until the ``limit``. Raises `OSError` where it cannot be started.

    What it prints goes to files: a child of it that outlives it may hold a pipe for ever.
    """
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as complained:
        process = await anyio.open_process(
            list(arguments),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=complained,
            env={**os.environ, **more_environment},
            start_new_session=True,
        )
        try:
            with limit:
                await process.wait()
            # Where it had to be ended that is not its own exit code.
            code = process.returncode
        finally:
            await _ended(process)
        too_long = os.fstat(said.fileno()).st_size > READ_AT_MOST
        return Ran(arguments[0], code, _read(said), _read(complained), too_long)


async def _ended(process: Process) -> None:
    if process.returncode is not None:
        return
    with anyio.CancelScope(shield=True):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        with anyio.move_on_after(SECONDS_TO_DIE):
            await process.wait()


def _read(file: BinaryIO) -> str:
    file.seek(0)
    return file.read(READ_AT_MOST).decode("utf-8", "replace")
