"""Processes that are forked, for the tests, from one that has imported what they need: `nursery_of_runs`."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

HERE = Path(__file__).parent


class Forked:
    """What there is of a `Popen`: the process is no child of this one, which hears by a pipe how it ended.

    ``line`` is what its command line would be, had it been started anew.
    """

    stderr: IO[str] | None = None

    def __init__(self, pid: int, output: int, exited: int, line: str) -> None:
        self.pid = pid
        self.line = line
        self.returncode: int | None = None
        self.stdout: IO[str] = os.fdopen(output)
        self._exited = os.fdopen(exited)

    def poll(self) -> int | None:
        return self._heard(0.0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._heard(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _heard(self, within_s: float | None) -> int | None:
        if self.returncode is None and select.select([self._exited], [], [], within_s)[0]:
            self.returncode = int(self._exited.read())
            self._exited.close()
        return self.returncode


class Nursery:
    """Started with the first process that is asked of it."""

    def __init__(self, modules: str) -> None:
        self._modules = modules
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None

    def forked(
        self, arguments: Sequence[str], environment: Mapping[str, str], folder: Path, errors: int
    ) -> Forked:
        """One with what follows `python` on a command line. It says what it has to on a pipe, and on
        ``errors``, which stays the caller's.
        """
        if self._channel is None:
            self._channel = self._opened()
        output, says = os.pipe()
        exited, exits = os.pipe()
        told = json.dumps([list(arguments), dict(environment), str(folder)]).encode()
        socket.send_fds(self._channel, [told], [says, errors, exits])
        os.close(says)
        os.close(exits)
        return Forked(int(self._channel.recv(64)), output, exited, " ".join(arguments))

    def close(self) -> None:
        if self._channel is not None and self._process is not None:
            self._channel.close()
            self._process.wait()

    def _opened(self) -> socket.socket:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, str(HERE / "nursery_of_runs.py"), str(theirs.fileno())],
                env={**os.environ, "PYTHONPATH": self._modules},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        return ours


class Nurseries:
    """One for first lives and one for later ones: these hash words differently, as processes do."""

    def __init__(self, modules: str) -> None:
        self.first = Nursery(modules)
        self.later = Nursery(modules)

    def close(self) -> None:
        self.first.close()
        self.later.close()
