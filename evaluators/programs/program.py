"""Runs a program to its end, keeping what it prints: a bounded amount on disk, the last of it in memory.
What it prints may be read for progress as it comes.

The program stays in the process group of the evaluation, so that killing the one kills the other.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import selectors
import shutil
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from evaluators.errors import EvaluationError
from evaluators.output import KEPT_ON_DISK
from evaluators.programs.progress import ProgramProgress
from orchestrator.system.ended_by_signal import end_by

TAIL: Final = 1 << 20
"""Bytes of the end of each stream that are looked at."""
_CHECK_S: Final = 0.05
_FIRST_LINE: Final = 256
"""Bytes; the kernel reads no more of it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: its exit code (negative: a signal) and the end of what it printed."""

    code: int
    stdout: bytes
    stderr: bytes


Hear: TypeAlias = Callable[[bytes], None]


def _nobody(_data: bytes) -> None:
    return


class _Stream:
    """One stream of the program, on its way to a file."""

    def __init__(self, fd: int, path: Path, hear: Hear) -> None:
        os.set_blocking(fd, False)
        self.fd = fd
        self._hear = hear
        self._tail = bytearray()
        self._path = path
        self._written = 0
        path.unlink(missing_ok=True)

    @property
    def tail(self) -> bytes:
        """The end of what was read, up to `TAIL`."""
        return bytes(self._tail[-TAIL:])

    def take(self) -> bool:
        """Read what is there; whether more may come."""
        try:
            data = os.read(self.fd, 1 << 16)
        except BlockingIOError:
            return True
        if not data:
            return False
        # Added to in place: a program that prints a GB must not wait for us to copy it many times over.
        self._tail += data
        if len(self._tail) > 2 * TAIL:
            del self._tail[:-TAIL]
        if self._written < KEPT_ON_DISK:
            # A full disk costs what was printed, not the result.
            with contextlib.suppress(OSError), open(self._path, "ab") as file:
                file.write(data[: KEPT_ON_DISK - self._written])
                if self._written + len(data) >= KEPT_ON_DISK:
                    file.write(b"\n[the rest was not kept]\n")
        self._written += len(data)
        self._hear(data)
        return True

    def take_rest(self) -> None:
        """Read what is left in the pipe, without waiting for whoever else still holds it.

        No more than was in it when the program ended: who prints on behind it would be read for ever, and
        push what the program printed out of the tail.
        """
        until = self._written + _left_in(self.fd)
        while self._written < until and self.take():
            pass


def _left_in(pipe: int) -> int:
    """Bytes that can be read from it now."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


def run_program(
    arguments: Sequence[str],
    stdout: Path,
    stderr: Path,
    directory: Path | None = None,
    progress: ProgramProgress | None = None,
    leave: Callable[[], None] = lambda: None,
) -> Ended:
    """Run, wait and return. Raises `EvaluationError` if it cannot be started.

    ``directory`` is the one it is started in; by default this process's own. ``progress`` hears both streams,
    or follows a file. ``leave`` is called where this process ends with the program, as at a timeout.
    """
    with _ending_with_the_program() as asked:
        process = _start(arguments, directory)
        assert process.stdout is not None
        assert process.stderr is not None
        with process.stdout, process.stderr:
            streams = [
                _Stream(pipe.fileno(), path, _nobody if progress is None else partial(progress.take, number))
                for number, (pipe, path) in enumerate(((process.stdout, stdout), (process.stderr, stderr)))
            ]
            _pump(process, streams, progress)
            code = process.wait()
            for stream in streams:
                stream.take_rest()
            if progress is not None:
                progress.close()
        if asked:
            leave()
            end_by(asked[0])
    return Ended(code, streams[0].tail, streams[1].tail)


def why_not_startable(program: str) -> str:
    """Why the system would not start it here; empty if it would, as far as can be said before."""
    if shutil.which(program) is not None:
        return ""
    if os.sep in program and os.path.exists(program):
        return _not_executable(program)
    return _what_is_missing(program)


def _start(arguments: Sequence[str], directory: Path | None) -> subprocess.Popen[bytes]:
    program = arguments[0]
    try:
        return subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=directory,
        )
    except FileNotFoundError:
        raise EvaluationError("error", _what_is_missing(program)) from None
    except PermissionError:
        raise EvaluationError("error", _not_executable(program)) from None
    except UnicodeEncodeError as error:
        raise EvaluationError(
            "error",
            f"expected arguments that can be written as {error.encoding}, this worker's encoding, got "
            f"{error.object[:100]!a}: start the worker with LC_ALL=C.UTF-8",
        ) from None
    except ValueError:
        raise EvaluationError("error", "an argument of the command contains a zero byte") from None
    except OSError as error:
        hint = "; does its first line begin with #!?" if error.strerror == "Exec format error" else ""
        raise EvaluationError("error", f"`{program}` cannot be started: {error.strerror}{hint}") from None


def _not_executable(program: str) -> str:
    return f"`{program}` may not be executed; try chmod +x {program}"


def _what_is_missing(program: str) -> str:
    """The system says the same of a program that is not there and of one whose interpreter is not."""
    path = program if os.sep in program else shutil.which(program)
    if path is None or not os.path.exists(path):
        where = f"in {os.getcwd()}" if os.sep in program else f"on the PATH ({os.environ.get('PATH', '')})"
        return f"expected a program, found no `{program}` {where}"
    first = b""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        first = file.readline(_FIRST_LINE)
    if not first.startswith(b"#!"):
        return f"`{program}` is there, and what loads it is not; was it built for this system?"
    line = first.decode(errors="replace").rstrip("\n")
    if line.endswith("\r"):
        return (
            f"`{program}` is there, with line ends as on Windows, so that it asks for an interpreter called "
            f"`{line[2:].strip()}\\r`. Convert it: sed -i 's/\\r$//' {program}"
        )
    return f"`{program}` is there, and the interpreter that its first line names is not: {line}"


def _pump(
    process: subprocess.Popen[bytes], streams: Sequence[_Stream], progress: ProgramProgress | None
) -> None:
    """Until the program has ended: a daemon that it leaves behind may hold its streams for ever."""
    with selectors.DefaultSelector() as selector:
        for stream in streams:
            selector.register(stream.fd, selectors.EVENT_READ, stream)
        ended = _ended_descriptor(process)
        if ended >= 0:
            selector.register(ended, selectors.EVENT_READ, None)
        try:
            while True:
                if ended < 0 and process.poll() is not None:
                    return
                due_s = None if progress is None else progress.due_s
                waits = [wait for wait in (None if ended >= 0 else _CHECK_S, due_s) if wait is not None]
                for key, _ in selector.select(min(waits, default=None)):
                    if key.data is None:
                        return
                    if not key.data.take():
                        selector.unregister(key.fd)
                if progress is not None:
                    progress.on_time()
                if ended < 0 and len(selector.get_map()) == 0:
                    time.sleep(_CHECK_S)
        finally:
            if ended >= 0:
                os.close(ended)


def _ended_descriptor(process: subprocess.Popen[bytes]) -> int:
    """A descriptor that becomes readable when the process ends; -1 where the system has none."""
    try:
        return os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        return -1


@contextlib.contextmanager
def _ending_with_the_program() -> Iterator[list[signal.Signals]]:
    """While entered, SIGTERM and SIGINT wait, unless they are ignored: the program has them too, and may use
    the grace to end in order. Which came.
    """
    asked: list[signal.Signals] = []
    previous: dict[signal.Signals, Any] = {}
    try:
        for number in (signal.SIGTERM, signal.SIGINT):
            if (handler := signal.getsignal(number)) is not signal.SIG_IGN:
                signal.signal(number, lambda number, _: asked.append(signal.Signals(number)))
                previous[number] = handler
    except ValueError:  # not the main thread
        yield asked
        return
    try:
        yield asked
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
