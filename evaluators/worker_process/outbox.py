"""Results kept on disk until the orchestrator has acknowledged them, across restarts of either side.

One file a worker, ``outbox.jsonl``, whose lines are those of `orchestrator.wire.kept_frames`. It is only
appended to, and cut back when everything of the present run is acknowledged.

Lines are flushed to the device (fsync) only for evaluations that took `DURABLE_FROM_S` or longer: for
shorter ones the flush would cost more than evaluating again. Without it a result still survives the death
of the worker, but not that of the machine.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
from pathlib import Path
from typing import Final

from orchestrator.errors import OrchestratorError
from orchestrator.system.disk import DISK, Disk, Held
from orchestrator.wire.kept_frames import (
    Kept,
    Key,
    line_of,
    line_of_forgotten,
    lines_of,
    read_kept,
    result_in,
)

DURABLE_FROM_S: Final = 0.1
"""Seconds of evaluation from which its result is fsynced before it is sent."""
_COMPACT_FROM: Final = 1 << 20


class OutboxError(OrchestratorError):
    """The worker's directory cannot be used."""


class OutboxLockedError(OutboxError):
    """Another worker works in the same directory."""


class Outbox:
    """What is not acknowledged yet. Frames of other runs than the present one are kept, never offered.

    Every method that writes may raise `OSError`; the frame is then still kept in memory.
    """

    def __init__(self, directory: Path, disk: Disk = DISK) -> None:
        """Open and lock; read what an earlier worker left. Raises `OutboxError`."""
        self._path = directory / "outbox.jsonl"
        self._disk = disk
        try:
            disk.make_directory(directory)
            self._lock = disk.lock(
                directory / "outbox.lock", f"{socket.gethostname()}, process {os.getpid()}"
            )
            self._fd = disk.open(self._path)
            disk.sync_directory(directory)
        except Held as lock:
            raise OutboxLockedError(
                f"{directory} belongs to a running worker ({lock.holder or 'another worker'}); give this one "
                "a --name or a --directory of its own"
            ) from None
        except OSError as error:
            raise OutboxError(
                f"cannot keep results in {directory}: {error.strerror}; give the worker a --directory that "
                "it can write to"
            ) from None
        self._run: str | None = None
        self._waiting: dict[str, bytes] = {}
        kept = self._read()
        self._others: dict[Key, bytes] = kept.frames
        self._size = kept.whole
        self.damaged = kept.damaged
        """Lines before the last that could not be read; a copy is in ``outbox.jsonl.damaged``."""
        # Below the floor lie only frames that an acknowledgement of the present run cannot free.
        self._floor = self._size
        self._trusted = True

    def _read(self) -> Kept:
        file, _ = self._disk.reader(self._path)
        with file:
            kept = read_kept(file.read())
        if kept.damaged:
            self._disk.copy(self._path, self._path.with_suffix(".jsonl.damaged"))
        return kept

    def __len__(self) -> int:
        return len(self._waiting) + len(self._others)

    def begin(self, run: str) -> None:
        """The run whose frames are to be offered from now on."""
        if run == self._run:
            return
        if self._run is not None:
            self._others.update({(self._run, lease): frame for lease, frame in self._waiting.items()})
        self._run = run
        self._waiting = {lease: frame for (owner, lease), frame in self._others.items() if owner == run}
        self._others = {key: frame for key, frame in self._others.items() if key[0] != run}
        self._rewrite()

    def waiting(self) -> dict[str, bytes]:
        """The present run's frames by lease, oldest first."""
        return self._waiting

    def valued_trial(self, lease: str) -> int | None:
        """The trial that a lease of the present run has a value of, if one is kept; None for a failure."""
        frame = self._waiting.get(lease)
        kept = None if frame is None else result_in(frame)
        return None if kept is None else kept.trial

    def keep(self, run: str, lease: str, frame: bytes, *, durable: bool) -> None:
        """Keep a frame. On disk when this returns; on the device as well if ``durable``."""
        if run != self._run:
            self._others[run, lease] = frame
            self._rewrite()
            return
        self._waiting[lease] = frame
        grown = self._size > _COMPACT_FROM and self._size > 4 * self._live_size()
        if not self._trusted or grown or self._is_gone():
            self._rewrite()
            return
        self._append(line_of(frame))
        if durable:
            try:
                self._disk.sync(self._fd)
            except OSError:
                # The system takes the lines for written now, and no later sync would write them.
                self._trusted = False
                raise

    def acknowledge(self, lease: str) -> None:
        """Forget a frame of the present run; unknown leases are ignored."""
        if self._waiting.pop(lease, None) is None:
            return
        if self._waiting:
            self._append(line_of_forgotten(self._run or "", lease))
        else:
            self._disk.cut(self._fd, self._floor)
            self._size = self._floor

    def set_aside(self, lease: str) -> None:
        """Keep a frame of the present run without offering it again in this session."""
        frame = self._waiting.pop(lease, None)
        if frame is not None:
            self._others[self._run or "", lease] = frame
            self._rewrite()

    def close(self) -> None:
        """Give the directory back. What is kept stays on disk."""
        self._disk.close(self._fd)
        self._disk.close(self._lock)

    def _is_gone(self) -> bool:
        """Whether the file was deleted, as with its folder, and no other worker has one there by now."""
        return not (self._disk.named(self._fd) or self._disk.exists(self._path))

    def _append(self, line: bytes) -> None:
        try:
            if self._disk.write(self._fd, line, self._size) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError:
            # The next line is written over the torn one.
            with contextlib.suppress(OSError):
                self._disk.cut(self._fd, self._size)
            raise
        self._size += len(line)

    def _live_size(self) -> int:
        return sum(10 + len(frame) for frame in (*self._waiting.values(), *self._others.values()))

    def _rewrite(self) -> None:
        """Replace the file by one that holds what is kept and nothing else."""
        fresh = self._path.with_suffix(".jsonl.new")
        others = lines_of(self._others.values())
        content = others + lines_of(self._waiting.values())
        if not content and self._size == 0:
            return
        self._floor = self._size  # if this fails, nothing in the old file may be cut off
        disk = self._disk
        disk.make_directory(fresh.parent)
        fd = disk.open(fresh, empty=True)
        try:
            if disk.write(fd, content, 0) != len(content):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            disk.sync(fd)
            disk.replace(self._path, by=fresh)
        except OSError:
            disk.close(fd)
            raise
        # Whatever fails from here on, this is the file that a successor finds.
        disk.close(self._fd)
        self._fd = fd
        self._floor = len(others)
        self._size = len(content)
        self._trusted = False
        disk.sync_directory(self._path.parent)
        self._trusted = True
