"""A running evaluation process, seen from its worker: started, spoken to, signalled and reaped."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from types import MappingProxyType

from evaluators.child_process import pipe
from evaluators.worker_process.strays import MARK, signal_strays


class ChildProcess:
    """Starts ``evaluators.child`` as the leader of its own session and process group.

    ``output`` is the descriptor of the file that it prints to, ``own`` what its environment has beside this
    process's, or instead. Raises `OSError` if it cannot be started. What it starts in other groups is killed
    with it as well, where the system lets it be found.
    """

    def __init__(self, output: int, own: Mapping[str, str] = MappingProxyType({})) -> None:
        (
            (requests_read, self._requests),
            (self.responses, responses_write),
            (lifeline_read, self._lifeline),
        ) = _three_pipes()
        self._unsent = b""
        self._mark = os.urandom(16).hex()
        theirs = (requests_read, responses_write, lifeline_read)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "evaluators.child", *map(str, theirs), *own],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=theirs,
                env={**os.environ, **own, MARK: self._mark},
                start_new_session=True,
            )
        except OSError:
            self._close()
            raise
        finally:
            for fd in theirs:
                os.close(fd)
        os.set_blocking(self.responses, False)
        os.set_blocking(self._requests, False)
        self._reader = pipe.FrameReader(self.responses)

    @property
    def process_id(self) -> int:
        """Of the leader of its group."""
        return self._process.pid

    @property
    def silent(self) -> bool:
        """Whether it has closed its end: it will not answer again."""
        return self._reader.ended

    @property
    def requests(self) -> int:
        """The pipe in which something waits for room: `flush` when it takes more. -1 if nothing does."""
        return self._requests if self._unsent else -1

    def send(self, kind: bytes, payload: bytes) -> bool:
        """Send a frame, or as much as the pipe takes now; false if the process does not listen any more."""
        self._unsent += pipe.frame_of(kind, payload)
        return self.flush()

    def flush(self) -> bool:
        """Send what waits, as far as the pipe takes it; false if the process does not listen any more."""
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._requests, self._unsent) :]
        except BlockingIOError:
            return True
        except OSError:
            self._unsent = b""
            return False
        return True

    def receive(self) -> list[tuple[bytes, bytes]]:
        """The frames that have arrived, as (kind, payload)."""
        return self._reader.read()

    def receive_rest(self) -> list[tuple[bytes, bytes]]:
        """All that an ended process has left in its pipe."""
        frames: list[tuple[bytes, bytes]] = []
        while not self._reader.ended:
            frames += self._reader.read()
            if self._reader.drained:
                break
        return frames

    def signal(self, number: signal.Signals) -> None:
        """Signal the whole process group, and what has left it."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)
        signal_strays(self._mark, self._process.pid, number)

    def has_ended(self) -> bool:
        """Whether it has ended. It stays waitable, so that its group's number stays its own."""
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def kill(self, within_s: float) -> bool:
        """Kill it, and all that it started; whether it has ended, for which it has so many seconds. One that
        the system holds, as in a call to a disk that does not answer, is left behind, and ends after that.
        """
        self.signal(signal.SIGKILL)
        try:
            self._process.wait(within_s)
        except subprocess.TimeoutExpired:
            return False
        finally:
            self._close()
        return True

    def reap(self) -> int:
        """Of one that has ended: kill all that is left of what it started; its exit code, negative for a
        signal.
        """
        self.signal(signal.SIGKILL)
        code = self._process.wait()
        self._close()
        return code

    def dismiss(self) -> None:
        """Close the pipe that it waits on when idle: it ends by itself."""
        self._unsent = b""
        if self._requests >= 0:
            os.close(self._requests)
            self._requests = -1

    def _close(self) -> None:
        self.dismiss()
        os.close(self.responses)
        os.close(self._lifeline)


def _three_pipes() -> list[tuple[int, int]]:
    """All of them or none: who is out of descriptors and tries again must not lose more of them."""
    pipes: list[tuple[int, int]] = []
    try:
        for _ in range(3):
            pipes.append(os.pipe())
    except OSError:
        for ends in pipes:
            for fd in ends:
                os.close(fd)
        raise
    return pipes
