"""What the journal and the outbox ask of a disk, in one place, so that a simulated one can stand in for it.

Nothing is decided here: each method is a system call or two, and raises their `OSError`.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO


def remedy(error: OSError) -> str:
    """What to do about a disk that refused to take something, as a sentence that may go on."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return "Make room"
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return "Have it made writable"
        case errno.EFBIG:
            return "Allow larger files (ulimit -f)"
    return "Look to the disk"


class Held(OSError):
    """A lock is held by another; ``holder`` is what they wrote into it."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


class Disk:
    """The machine's own."""

    def exists(self, path: Path) -> bool:
        """Whether there is anything of that name."""
        return path.exists()

    def make_directory(self, path: Path) -> None:
        """Have a directory, and those above it."""
        path.mkdir(parents=True, exist_ok=True)

    def open(self, path: Path, *, empty: bool = False, at_end: bool = False) -> int:
        """A descriptor to write with; the file is made if there is none, and emptied if asked.

        ``at_end``: for `append`.
        """
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        flags |= (os.O_TRUNC if empty else 0) | (os.O_APPEND if at_end else 0)
        return os.open(path, flags, 0o644)

    def reader(self, path: Path) -> tuple[BinaryIO, int]:
        """A file to read from, and its size in bytes."""
        file = path.open("rb")
        return file, os.fstat(file.fileno()).st_size

    def append(self, descriptor: int, block: memoryview) -> int:
        """Write at the end; how many of the bytes were written."""
        return os.write(descriptor, block)

    def write(self, descriptor: int, block: bytes, offset: int) -> int:
        """Write at an offset; how many of the bytes were written."""
        return os.pwrite(descriptor, block, offset)

    def cut(self, descriptor: int, length: int) -> None:
        """Cut a file off after so many bytes."""
        os.ftruncate(descriptor, length)

    def sync(self, descriptor: int) -> None:
        """Return when what was written is on the device."""
        if hasattr(os, "fdatasync"):
            os.fdatasync(descriptor)
        else:
            self.sync_all(descriptor)

    def sync_all(self, descriptor: int) -> None:
        """Return when what was written, and when it was, is on the device."""
        # macOS's own `fsync` ends once the drive has it, in a memory that a power cut empties.
        if (through_the_drive := getattr(fcntl, "F_FULLFSYNC", None)) is not None:
            with suppress(OSError):
                fcntl.fcntl(descriptor, through_the_drive)
                return
        os.fsync(descriptor)

    def named(self, descriptor: int) -> bool:
        """Whether an open file still has a name: not so once it was deleted, or another put in its place."""
        return os.fstat(descriptor).st_nlink > 0

    def place_of(self, descriptor: int, path: Path) -> Path | None:
        """Where the file that was opened at ``path`` lies now: a folder may be renamed, or moved.

        ``path`` itself where it has no name any more, None where the system does not tell.
        """
        opened = os.fstat(descriptor)
        # Linux tells, and what it tells may be out of date on a network's file system.
        for place in (path, Path(f"/proc/self/fd/{descriptor}")):
            with suppress(OSError):
                told = place if place is path else Path(os.readlink(place))
                if os.path.samestat(told.stat(), opened):
                    return told
        return None if opened.st_nlink else path

    def copy_open(self, descriptor: int, to: Path) -> None:
        """Copy a file that is open, with or without a name, and have the copy on the device."""
        with open(descriptor, "rb", closefd=False) as file, to.open("wb") as copy:
            file.seek(0)
            shutil.copyfileobj(file, copy)
            copy.flush()
            self.sync_all(copy.fileno())

    def close(self, descriptor: int) -> None:
        """Give a descriptor back."""
        os.close(descriptor)

    def replace(self, path: Path, by: Path) -> None:
        """Give a file the name, and so the place, of another, at once."""
        os.replace(by, path)

    def copy(self, path: Path, to: Path) -> None:
        """Copy a file."""
        shutil.copyfile(path, to)

    def sync_directory(self, path: Path) -> None:
        """Make the names in a directory durable: a file on the device that has no name is not found again."""
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            self.sync_all(descriptor)
        finally:
            os.close(descriptor)

    def lock(self, path: Path, holder: str) -> int:
        """A descriptor that keeps others out while it is open. Raises `Held` if another is in."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            told = os.read(descriptor, 200).decode(errors="replace").strip()
            os.close(descriptor)
            raise Held(told) from None
        except OSError:
            os.close(descriptor)
            raise
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{holder}\n".encode())
        return descriptor


DISK = Disk()
