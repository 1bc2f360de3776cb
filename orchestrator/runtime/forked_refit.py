"""A refit computed by a forked copy of the optimiser, which sees exactly the data of that moment."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec

from orchestrator.algorithms.base import Algorithm, Refit
from orchestrator.runtime.optimiser_messages import as_json


class _Outcome(msgspec.Struct):
    refit: Refit | None = None
    error: str = ""


@dataclass(slots=True)
class ForkedRefit:
    """A refit under way. Wait on ``descriptor``; when it is readable call `advance` until it is `done`.

    ``descriptor`` is the read end of the pipe on which the copy sends its answer.
    """

    number: int
    process: int
    descriptor: int
    begun: float
    _received: bytearray = field(default_factory=bytearray)
    _ended: bool = False

    @classmethod
    def start(cls, algorithm: Algorithm, number: int) -> ForkedRefit:
        """Fork; the copy computes the refit, answers and ends."""
        read_end, write_end = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(read_end)
            _compute_and_exit(algorithm, number, write_end)
        os.close(write_end)
        return cls(number, process, read_end, time.monotonic())

    def advance(self) -> bool:
        """Read what has come; whether the copy has ended."""
        chunk = os.read(self.descriptor, 1 << 20)
        self._received += chunk
        self._ended = not chunk
        return self._ended

    def outcome(self) -> tuple[Refit | None, str]:
        """After the end: the refit, or None and the reason in words."""
        os.close(self.descriptor)
        _, status = os.waitpid(self.process, 0)
        try:
            outcome = msgspec.json.decode(bytes(self._received), type=_Outcome)
        except msgspec.DecodeError:
            code = os.waitstatus_to_exitcode(status)
            return (
                None,
                f"its process ended with {'signal ' + signal.Signals(-code).name if code < 0 else code}",
            )
        return outcome.refit, outcome.error

    def kill(self) -> None:
        """End the copy without an answer."""
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self.process, 0)
        os.close(self.descriptor)


def _compute_and_exit(algorithm: Algorithm, number: int, write_end: int) -> Any:
    code = 1
    try:
        try:
            answer = msgspec.json.encode(_Outcome(refit=algorithm.compute_refit(number)), enc_hook=as_json)
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            answer = msgspec.json.encode(_Outcome(error=f"{type(error).__name__}: {error}"))
        with os.fdopen(write_end, "wb") as pipe:
            pipe.write(answer)
        code = 0
    finally:
        # Nothing of the parent's may be cleaned up twice.
        sys.stderr.flush()
        os._exit(code)
