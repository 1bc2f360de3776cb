"""A disk of a machine: what processes see, what would survive a power cut, and how it can fail.

Visible is what was written; durable what was synced. A power cut leaves of the rest what chance will: a part,
with holes that read as zeros, or nothing. A name is durable when its directory was synced.
"""

from __future__ import annotations

import errno
import io
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from virtual_world import Process, World

from orchestrator.system.disk import Disk, Held


@dataclass(eq=False)
class Inode:
    """A file: its visible bytes, and those on the device.

    ``orphaned`` are stretches that a sync failed to write, and that no later one will: after an error Linux
    takes them for written, until somebody writes them again.
    """

    visible: bytearray = field(default_factory=bytearray)
    durable: bytes = b""
    orphaned: list[tuple[int, int]] = field(default_factory=list)

    def write(self, block: bytes, offset: int) -> None:
        """Write over what is there, or behind it."""
        end = offset + len(block)
        self.visible[offset:end] = block
        if self.orphaned:
            parts = [part for a, b in self.orphaned for part in ((a, min(b, offset)), (max(a, end), b))]
            self.orphaned = [(a, b) for a, b in parts if a < b]

    def cut(self, length: int) -> None:
        """Cut it off."""
        del self.visible[length:]
        self.orphaned = [(a, min(b, length)) for a, b in self.orphaned if a < length]

    def sync(self) -> None:
        """What is visible becomes durable, but for what is orphaned."""
        durable = self.visible
        if self.orphaned:
            durable = bytearray(durable)
            for start, end in self.orphaned:
                durable[start:end] = bytes(end - start)
        self.durable = bytes(durable)

    def fail_to_sync(self) -> None:
        """What was not durable is orphaned."""
        same = 0
        while same < min(len(self.visible), len(self.durable)) and self.visible[same] == self.durable[same]:
            same += 1
        if same < len(self.visible):
            self.orphaned.append((same, len(self.visible)))


@dataclass(eq=False)
class Machine:
    """The disk of one machine; processes see it through `ProcessDisk`.

    ``room`` is how many more bytes may be written (None: plenty); the rest are probabilities of failure of
    one call, and ``delay_s`` how long a commit takes.
    """

    world: World
    room: int | None = None
    sync_fails: float = 0.0
    cut_fails: float = 0.0
    short_writes: float = 0.0
    delay_s: float = 0.0
    names: dict[Path, Inode] = field(default_factory=dict)
    durable_names: dict[Path, Inode] = field(default_factory=dict)
    locks: dict[Path, Process] = field(default_factory=dict)

    def heal(self) -> None:
        """No more failures."""
        self.room, self.sync_fails, self.cut_fails, self.short_writes, self.delay_s = None, 0.0, 0.0, 0.0, 0.0

    def cut_power(self) -> None:
        """Everything that is not durable is at chance's mercy."""
        chance = self.world.chance
        for path in [*self.names, *self.durable_names]:
            if self.names.get(path) is not self.durable_names.get(path) and chance.random() < 0.5:
                if path in self.durable_names:
                    self.names[path] = self.durable_names[path]
                else:
                    del self.names[path]
        for inode in self.names.values():
            inode.visible = self._what_is_left(inode)
            inode.durable = bytes(inode.visible)
            inode.orphaned.clear()
        self.durable_names = dict(self.names)

    def _what_is_left(self, inode: Inode) -> bytearray:
        chance = self.world.chance
        visible, durable = inode.visible, inode.durable
        if not visible.startswith(durable):
            # It was cut, or written over: one state or the other.
            return bytearray(durable if chance.random() < 0.5 else visible)
        if len(visible) == len(durable) or chance.random() < 0.4:
            return bytearray(durable)
        left = visible[: chance.choice([len(visible), chance.randint(len(durable), len(visible))])]
        if chance.random() < 0.4:
            # A part of the last line never reached the device: it reads as zeros.
            begin = max(len(durable), left.rfind(b"\n", 0, len(left) - 1) + 1)
            hole, end = sorted((chance.randint(begin, len(left)), chance.randint(begin, len(left))))
            left[hole:end] = bytes(end - hole)
        return left


class ProcessDisk(Disk):
    """A machine's disk as one process sees it: every call may be its last."""

    def __init__(self, machine: Machine, process: Process) -> None:
        self._machine = machine
        self._process = process
        self._open: dict[int, Inode] = {}
        self._next = 3

    def exists(self, path: Path) -> bool:
        return path in self._machine.names

    def make_directory(self, path: Path) -> None:
        pass

    def open(self, path: Path, *, empty: bool = False, at_end: bool = False) -> int:
        del at_end
        self._process.call()
        inode = self._machine.names.get(path)
        if inode is None:
            inode = self._machine.names[path] = Inode()
        if empty:
            inode.visible = bytearray()
        self._next += 1
        self._open[self._next] = inode
        return self._next

    def reader(self, path: Path) -> tuple[BinaryIO, int]:
        self._process.call()
        content = bytes(self._machine.names[path].visible)
        return io.BytesIO(content), len(content)

    def append(self, descriptor: int, block: memoryview | bytes) -> int:
        return self.write(descriptor, bytes(block), len(self._open[descriptor].visible))

    def write(self, descriptor: int, block: bytes, offset: int) -> int:
        machine = self._machine
        inode = self._open[descriptor]
        length = len(block)
        if machine.world.chosen(machine.short_writes):
            length = machine.world.chance.randint(1, length)
        if machine.room is not None:
            length = min(length, machine.room)
            machine.room -= length
            if length == 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if self._process.calls_left == 0:
            # Killed while it writes: a part may be there.
            length = machine.world.chance.randint(0, length)
        inode.write(block[:length], offset)
        self._process.call()
        return length

    def cut(self, descriptor: int, length: int) -> None:
        self._process.call()
        if self._machine.world.chosen(self._machine.cut_fails):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self._open[descriptor].cut(length)

    def sync(self, descriptor: int) -> None:
        self._process.call()
        inode = self._open[descriptor]
        if self._machine.world.chosen(self._machine.sync_fails):
            if self._machine.world.chance.random() < 0.5:
                inode.fail_to_sync()
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        inode.sync()

    def named(self, descriptor: int) -> bool:
        return self._open[descriptor] in self._machine.names.values()

    def place_of(self, descriptor: int, path: Path) -> Path | None:
        del descriptor
        return path

    def close(self, descriptor: int) -> None:
        if self._open.pop(descriptor, None) is None:
            locks = self._machine.locks
            self._machine.locks = {path: owner for path, owner in locks.items() if owner is not self._process}

    def replace(self, path: Path, by: Path) -> None:
        self._process.call()
        self._machine.names[path] = self._machine.names.pop(by)

    def copy(self, path: Path, to: Path) -> None:
        self._process.call()
        self._machine.names[to] = Inode(bytearray(self._machine.names[path].visible))

    def sync_directory(self, path: Path) -> None:
        self._process.call()
        if self._machine.world.chosen(self._machine.sync_fails):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        machine = self._machine
        for name in [name for name in machine.durable_names if name.parent == path]:
            del machine.durable_names[name]
        machine.durable_names.update((n, inode) for n, inode in machine.names.items() if n.parent == path)

    def lock(self, path: Path, holder: str) -> int:
        del holder
        self._process.call()
        owner = self._machine.locks.get(path)
        if owner is not None and owner.alive and owner is not self._process:
            raise Held(owner.name)
        self._machine.locks[path] = self._process
        # Of no open file: `close` knows it for a lock.
        return 0
