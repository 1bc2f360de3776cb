"""What was written is on the device when `Disk` says so."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

import pytest

from orchestrator.system.disk import DISK

NO_COMMAND = 0x7FFF
"""One that no system knows."""


def test_where_a_file_can_be_flushed_through_the_drive_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command that macOS has for it is stood in for by one that any system knows, and that is seen."""
    descriptor = DISK.open(tmp_path / "kept")
    monkeypatch.delattr(os, "fdatasync", raising=False)
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", fcntl.F_SETFD, raising=False)
    DISK.sync(descriptor)
    assert fcntl.fcntl(descriptor, fcntl.F_GETFD) == 0, "FD_CLOEXEC is gone"
    DISK.close(descriptor)


def test_where_a_file_system_cannot_flush_the_drive_it_does_what_it_can_or_says_that_it_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    sync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda descriptor: (synced.append(descriptor), sync(descriptor)))
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", NO_COMMAND, raising=False)
    descriptor = DISK.open(tmp_path / "kept")
    DISK.sync_all(descriptor)
    assert synced == [descriptor]
    DISK.close(descriptor)
    with pytest.raises(OSError, match=os.strerror(errno.EBADF)):
        DISK.sync_all(descriptor)
