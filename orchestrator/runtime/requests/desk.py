"""Where requests to a run are left, from another terminal: small files in its folder, answered beside them.

Files, because whoever may write to the run's folder may decide over the run, and nobody else; and because
a request that is left while nobody works on the run waits for its next life. A request is removed once what
it caused is on disk.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from orchestrator.errors import JournalError, UsageError
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.kinds import Request, Verdict
from orchestrator.runtime.requests.rehearsal import Judged
from orchestrator.system.disk import DISK

NAME = "requests"
SIZE_LIMIT = 1 << 24
"""Bytes of one request."""
ANSWER, DRAFT = ".answer", ".draft"
UNREAD_FOR_S = 3600.0
"""Seconds: nobody waits for an answer for so long."""
_requests = msgspec.json.Decoder(Request)


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

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until nobody else decides over the run from another terminal, and keep them waiting: so what
        each decides is judged by what was left before. Where the folder cannot be locked, nobody waits.
        """
        with ExitStack() as held:
            with suppress(OSError):
                descriptor = os.open(self.folder.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                held.callback(os.close, descriptor)
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield

    def leave(self, request: Request) -> Path:
        """Leave a request; the file it is in.

        Raises `JournalError` if it cannot be written, `UsageError` if it is no text or too large to be read.
        """
        try:
            content = msgspec.json.encode(request)
        except UnicodeEncodeError:
            raise UsageError("expected words in UTF-8, got bytes that are none; write them again") from None
        if len(content) > SIZE_LIMIT:
            raise UsageError(
                f"expected at most {SIZE_LIMIT} bytes at a time, got {len(content)}; say it in parts, as the"
                " rows of a table in several files"
            )
        path = self.path
        try:
            path.mkdir(exist_ok=True)
            path /= self._next_name()
            _write(path, content, sync=DISK.sync_all)
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

    def _next_name(self) -> str:
        """One that comes after all that wait, though clocks may be behind what they were, or another
        machine's, and that none has had before: what was taken up under a name takes no effect again.
        """
        stamps = (entry.name.partition("-")[0] for entry in os.scandir(self.path))
        after = [int(stamp) + 1 for stamp in stamps if stamp.isdecimal()]
        return f"{max(time.time_ns(), *after, 0)}-{os.getpid()}-{os.urandom(4).hex()}.json"

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
            _write(path.with_suffix(ANSWER), msgspec.json.encode(reply))
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            return (
                f"expected to remove the request {path}, and could not ({error.strerror}): remove it "
                f"yourself. It is passed over from now on: {reply.sentence}"
            )
        return ""

    def forget_unread(self) -> None:
        """Remove answers, and drafts, that nobody comes for any more: of requests that were left while nobody
        worked on the run, and where whoever asked was killed.
        """
        with suppress(OSError):
            unread = [one for one in os.scandir(self.path) if one.name.endswith((ANSWER, DRAFT))]
            for entry in unread:
                with suppress(OSError):
                    if time.time() - entry.stat().st_mtime > UNREAD_FOR_S:
                        os.unlink(entry.path)

    @staticmethod
    def withdraw(path: Path) -> None:
        """Remove a request that another one replaces; nothing where it was taken up by then."""
        path.unlink(missing_ok=True)

    @staticmethod
    def await_answer(path: Path, seconds: float) -> Verdict | None:
        """The answer to a request left here, which is then tidied away; None if none came in time."""
        answer = path.with_suffix(ANSWER)
        until = time.monotonic() + seconds
        # What is there is read, however late this process had its turn.
        while not answer.exists():
            if time.monotonic() >= until:
                return None
            time.sleep(0.05)
        reply = msgspec.json.decode(answer.read_bytes(), type=Verdict)
        with suppress(OSError):
            answer.unlink(missing_ok=True)
        return reply


def _write(path: Path, content: bytes, sync: Callable[[int], None] = lambda _: None) -> None:
    """All of it or nothing; ``sync`` is called with the descriptor of what was written."""
    draft = path.with_suffix(DRAFT)
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        sync(file.fileno())
    draft.replace(path)
