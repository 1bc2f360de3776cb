"""What a person asks of a run from another terminal: small files in its folder, answered beside them.

Files, because whoever may write to the run's folder may decide over the run, and nobody else; and because
a request that is left while nobody works on the run waits for its next life. A request is removed once what
it caused is on disk.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from orchestrator.disk import DISK
from orchestrator.errors import JournalError, UsageError
from orchestrator.runtime.amendments import Amend, Judged
from orchestrator.runtime.run_folder import RunFolder
from orchestrator.runtime.wanted_results import WantedResults
from orchestrator.scheduler.events import Event, FailureArrived, ResultArrived, TrialApproved, TrialRefused
from orchestrator.scheduler.state import State
from orchestrator.wire.nesting import DEPTH_LIMIT, is_too_deep

PERSON = "person"
NAME = "requests"
SIZE_LIMIT = 1 << 20


class Approve(msgspec.Struct, frozen=True, tag="approve"):
    """Let a queued trial go to a worker."""

    trial: int
    by: str = ""


class Refuse(msgspec.Struct, frozen=True, tag="refuse"):
    """Do not have a trial evaluated."""

    trial: int
    reason: str
    by: str = ""


class Record(msgspec.Struct, frozen=True, tag="record"):
    """The value of a trial that a person evaluated."""

    trial: int
    value: float
    variance: float | None = None
    factors: list[float] | None = None
    extras: dict[str, Any] = {}


class RecordFailure(msgspec.Struct, frozen=True, tag="record failure"):
    """A trial that a person evaluated, and that gave no value."""

    trial: int
    message: str


Decision: TypeAlias = Approve | Refuse | Record | RecordFailure
Request: TypeAlias = Decision | Amend


class Verdict(msgspec.Struct, frozen=True):
    """What became of a request."""

    accepted: bool
    sentence: str


_requests = msgspec.json.Decoder(Request)


_CAUSED = {
    Approve: TrialApproved,
    Refuse: TrialRefused,
    Record: ResultArrived,
    RecordFailure: FailureArrived,
}


def decide(
    request: Decision, state: State, now: float, name: str, wanted: WantedResults | None = None
) -> Event | Verdict:
    """The event that a request about one trial, called ``name``, causes now, or why it causes none.

    ``wanted`` is what a result has to bring: no more than a value if it is not given.
    """
    if (name, _CAUSED[type(request)].__name__) in state.requests:
        # It is on disk; whoever was to answer died before that.
        return Verdict(True, sentence_for(request))
    trial = state.trials.get(request.trial)
    if trial is None:
        return Verdict(False, f"expected a trial from 1 to {len(state.trials)}, got {request.trial}")
    if trial.settled:
        return Verdict(False, f"trial {trial.number} is {trial.state} already")
    match request:
        case Approve():
            if trial.approved:
                return Verdict(False, f"trial {trial.number} needs no approval: it is {trial.state}")
            return TrialApproved(at=now, trial=trial.number, by=request.by, request=name)
        case Refuse():
            return TrialRefused(
                at=now, trial=trial.number, reason=request.reason, by=request.by, request=name
            )
    if trial.lease is None or trial.worker != PERSON:
        where = f"is {trial.state}" if trial.lease is None else f"runs on {trial.worker}"
        if state.policy.approval and not trial.approved:
            where += f"; first: orchestrator approve {trial.number}"
        return Verdict(
            False,
            f"expected a trial that a person evaluates (`evaluator: person`, approved), but trial "
            f"{trial.number} {where}",
        )
    elapsed = now - (trial.started_at or now)
    if isinstance(request, RecordFailure):
        return FailureArrived(
            at=now,
            worker=PERSON,
            lease=trial.lease,
            kind="error",
            message=request.message,
            elapsed=elapsed,
            request=name,
        )
    wanted = wanted or WantedResults()
    if complaint := wanted.why_unusable(request.value, request.variance, request.factors, request.extras):
        return Verdict(False, complaint)
    if is_too_deep(request.extras):
        return Verdict(False, f"expected extras nested at most {DEPTH_LIMIT} deep, got deeper ones")
    return ResultArrived(
        at=now,
        worker=PERSON,
        lease=trial.lease,
        value=request.value,
        variance=request.variance,
        factors=None if request.factors is None else tuple(request.factors),
        extras=request.extras,
        broken=wanted.broken(trial.parameters, request.extras),
        elapsed=elapsed,
        request=name,
    )


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request that was left, or what is wrong with the file; and what was found of it beside the loop."""

    path: Path
    request: Request | None
    complaint: str = ""
    judged: Judged | None = None


@dataclass(frozen=True, slots=True)
class Desk:
    """The folder where requests are left and answered."""

    folder: RunFolder

    @property
    def path(self) -> Path:
        """Where the files lie."""
        return self.folder.path / NAME

    def leave(self, request: Request) -> Path:
        """Leave a request; the file it is in.

        Raises `JournalError` if it cannot be written, `UsageError` if it is no text or too large to be read.
        """
        path = self.path / f"{time.time_ns()}-{os.getpid()}.json"
        try:
            content = msgspec.json.encode(request)
        except UnicodeEncodeError:
            raise UsageError("expected words in UTF-8, got bytes that are none; write them again") from None
        if len(content) > SIZE_LIMIT:
            raise UsageError(
                f"expected at most {SIZE_LIMIT} bytes at a time, got {len(content)}; add the results in parts"
            )
        try:
            self.path.mkdir(exist_ok=True)
            _write(path, content, sync=os.fsync)
            # The names too: of the request, and of the folder of all of them.
            DISK.sync_directory(self.path)
            DISK.sync_directory(self.folder.path)
        except OSError as error:
            hint = ""
            if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
                hint = ". To decide over a run, you must be allowed to write to its folder."
            elif error.errno in (errno.ENOSPC, errno.EDQUOT):
                hint = ". Make room, and decide again."
            raise JournalError(f"expected to write {path}, got: {error.strerror}{hint}") from None
        return path

    def waiting(self) -> list[Waiting]:
        """The requests that nobody has answered, oldest first; the folder itself if it cannot be read."""
        try:
            names = sorted(entry.name for entry in os.scandir(self.path) if entry.name.endswith(".json"))
        except FileNotFoundError:
            return []
        except OSError as error:
            complaint = f"expected to read the requests in {self.path}, got: {error.strerror}"
            return [Waiting(self.path, None, complaint)]
        return [self._read(self.path / name) for name in names]

    @staticmethod
    def _read(path: Path) -> Waiting:
        try:
            if not path.is_file():
                return Waiting(path, None, "expected a request, got what is no file")
            if path.stat().st_size > SIZE_LIMIT:
                return Waiting(path, None, f"expected a request of at most {SIZE_LIMIT} bytes")
            return Waiting(path, _requests.decode(path.read_bytes()))
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return Waiting(path, None, f"expected a request, got a file that is none: {error}")

    @staticmethod
    def answer(path: Path, reply: Verdict) -> str:
        """Answer a request, and remove it; why it is still there, if it is.

        A full disk leaves the request without an answer. None is waited for until it is on disk: this is
        called from the loop, and whoever asked reads it at once.
        """
        if path.name == NAME:
            return f"{reply.sentence}; mend that, then stop the run and resume it"
        with suppress(OSError):
            _write(path.with_suffix(".answer"), msgspec.json.encode(reply))
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            return (
                f"expected to remove the request {path}, and could not ({error.strerror}): remove it "
                f"yourself. It is passed over from now on: {reply.sentence}"
            )
        return ""

    @staticmethod
    def await_answer(path: Path, seconds: float) -> Verdict | None:
        """The answer to a request left here, which is then tidied away; None if none came in time."""
        answer = path.with_suffix(".answer")
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if answer.exists():
                reply = msgspec.json.decode(answer.read_bytes(), type=Verdict)
                with suppress(OSError):
                    answer.unlink(missing_ok=True)
                return reply
            time.sleep(0.05)
        return None


def sentence_for(request: Decision) -> str:
    """What was done, once it is done."""
    match request:
        case Approve(trial):
            return f"trial {trial} is approved"
        case Refuse(trial):
            return f"trial {trial} is refused"
        case Record(trial, value):
            return f"trial {trial} is recorded with {value:g}"
        case RecordFailure(trial):
            return f"the failure of trial {trial} is recorded"


def _write(path: Path, content: bytes, sync: Callable[[int], None] = lambda _: None) -> None:
    """All of it or nothing; ``sync`` is called with the descriptor of what was written."""
    draft = path.with_suffix(".draft")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        sync(file.fileno())
    draft.replace(path)
