"""Something computed by a forked copy of the optimiser, which sees exactly the data of that moment."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic, NoReturn, Self, TypeVar

import msgspec

from orchestrator.runtime.optimiser.messages import as_json
from orchestrator.system.parent_death import end_with_parent

T = TypeVar("T")
NOTHING = b"null"


class _Outcome(msgspec.Struct):
    answer: msgspec.Raw = msgspec.Raw(NOTHING)
    error: str = ""


@dataclass(slots=True, kw_only=True)
class ForkedCopy(Generic[T]):
    """A computation under way. Wait on ``descriptor``; when it is readable call `advance` until it is done.

    ``number`` is that of the refit it is about. ``descriptor`` is the read end of the pipe on which the copy
    sends its answer, of type ``answer``. ``killed``, known with its outcome: before it could answer, by who
    gives no reasons, such as a system that is out of memory.
    """

    number: int
    answer: type[T]
    process: int
    descriptor: int
    begun: float
    killed: bool = False
    _received: bytearray = field(init=False, default_factory=bytearray)

    @classmethod
    def fork(
        cls,
        number: int,
        compute: Callable[[], T | None],
        answer: type[T],
        words: Callable[[Exception], str],
        niceness: int = 0,
    ) -> Self:
        """The copy computes, as much behind other processes as ``niceness`` says, answers and ends.
        An error's ``words`` are the reason why there is no answer.

        Raises `OSError` where the system has no room for a copy now.
        """
        read_end, write_end = os.pipe()
        parent = os.getpid()
        try:
            process = os.fork()
        except OSError:
            os.close(read_end)
            os.close(write_end)
            raise
        if process == 0:
            _compute_and_exit(compute, words, write_end, parent, niceness)
        os.close(write_end)
        return cls(number=number, answer=answer, process=process, descriptor=read_end, begun=time.monotonic())

    def advance(self) -> bool:
        """Read what has come; whether the copy has ended."""
        chunk = os.read(self.descriptor, 1 << 20)
        self._received += chunk
        return not chunk

    def outcome(self) -> tuple[T | None, str]:
        """After the end: the answer, or None and the reason in words, if there is one."""
        os.close(self.descriptor)
        _, status = os.waitpid(self.process, 0)
        try:
            outcome = msgspec.json.decode(bytes(self._received), type=_Outcome)
        except msgspec.DecodeError:
            code = os.waitstatus_to_exitcode(status)
            self.killed = code == -signal.SIGKILL
            return (
                None,
                f"its process ended with {'signal ' + signal.Signals(-code).name if code < 0 else code}",
            )
        if bytes(outcome.answer) == NOTHING:
            return None, outcome.error
        try:
            return msgspec.json.decode(outcome.answer, type=self.answer), outcome.error
        except msgspec.ValidationError as error:
            return None, f"expected an answer that can be read, and JSON has no NaN and no infinity: {error}"

    def kill(self) -> None:
        """End the copy without an answer."""
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self.process, 0)
        os.close(self.descriptor)


def _keep_open_only(descriptor: int) -> None:
    # A pipe of the optimiser's that stayed open here would hide its death from the orchestrator.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for other in _perhaps_open():
        if other > 2 and other != descriptor:
            with suppress(OSError):
                os.close(other)


def _perhaps_open() -> Iterable[int]:
    """The descriptors that there are; where the system does not tell, all that there may be, which is a
    thousand million in some containers, and without a limit elsewhere.
    """
    try:
        return [int(name) for name in os.listdir("/dev/fd")]
    except OSError:
        return range(os.sysconf("SC_OPEN_MAX"))


def _compute_and_exit(
    compute: Callable[[], object],
    words: Callable[[Exception], str],
    write_end: int,
    parent: int,
    niceness: int,
) -> NoReturn:
    code = 1
    try:
        end_with_parent(parent)
        _keep_open_only(write_end)
        try:
            os.nice(niceness)
            content = msgspec.json.encode(compute(), enc_hook=as_json)
            answer = msgspec.json.encode(_Outcome(answer=msgspec.Raw(content)))
        except Exception as error:
            with suppress(OSError, ValueError):
                traceback.print_exc(file=sys.stderr)
            answer = msgspec.json.encode(_Outcome(error=words(error)))
        with os.fdopen(write_end, "wb") as pipe:
            pipe.write(answer)
        code = 0
    finally:
        # Nothing of the parent's may be cleaned up twice, nor its work gone on with.
        try:
            sys.stderr.flush()
        finally:
            os._exit(code)
