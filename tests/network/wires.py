"""Two network namespaces and the wire between them: real TCP over a link that is slow, loses, and is cut.

Each side has a TUN device; this process holds the other ends, and passes packets on as it pleases. So it
needs nothing of the kernel but namespaces and TUN, where delay and loss by `tc` need a module that many
kernels lack; and a cut is silent, as that of a cable between two switches is.
"""

from __future__ import annotations

import fcntl
import heapq
import math
import os
import random
import select
import struct
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

TUNSETIFF = 0x400454CA
IFF_TUN_WITHOUT_HEADER = 0x0001 | 0x1000
TCP, SYN, ACK = 6, 0x02, 0x10
WAITS_S = 1.0


class Refused(Exception):
    """The kernel, or who we are, does not allow it; the text says what."""


@dataclass
class Side:
    """One namespace: its name, its address, and our end of its device."""

    namespace: str
    address: str
    descriptor: int = -1

    def command(self, *arguments: str) -> list[str]:
        """A command that runs in it."""
        return ["ip", "netns", "exec", self.namespace, *arguments]


@dataclass
class Link:
    """What becomes of packets. ``delay_s`` is one way; ``loss`` a share of them; ``rate`` bytes a second each
    way, of which `WAITS_S` may wait.

    ``lab`` is the orchestrator's side, ``field_`` the workers'; ``walled`` lets nobody dial the latter.
    """

    delay_s: float = 0.0
    loss: float = 0.0
    rate: float = math.inf
    cut: bool = False
    walled: bool = False
    seed: int = 0
    passed: int = 0
    dropped: int = 0
    refused_at_the_wall: int = 0
    lab: Side = field(default_factory=lambda: Side(f"lab-{os.getpid()}", "10.213.77.1"))
    field_: Side = field(default_factory=lambda: Side(f"field-{os.getpid()}", "10.213.77.2"))
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        try:
            for side, other in ((self.lab, self.field_), (self.field_, self.lab)):
                _ip("netns", "add", side.namespace)
                side.descriptor = _tun(side.namespace)
                _ip("link", "set", side.namespace[:15], "netns", side.namespace)
                inside = ("-n", side.namespace)
                _ip(*inside, "addr", "add", side.address, "peer", other.address, "dev", side.namespace[:15])
                _ip(*inside, "link", "set", "lo", "up")
                _ip(*inside, "link", "set", side.namespace[:15], "up")
        except BaseException:
            self._take_down()
            raise
        self._thread = threading.Thread(target=self._carry)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self._take_down()

    def _take_down(self) -> None:
        for side in (self.lab, self.field_):
            if side.descriptor >= 0:
                os.close(side.descriptor)
            with suppress(Refused):
                _ip("netns", "del", side.namespace)

    def _carry(self) -> None:
        rng = random.Random(self.seed)
        ends = {self.lab.descriptor: self.field_.descriptor, self.field_.descriptor: self.lab.descriptor}
        flying: list[tuple[float, int, int, bytes]] = []
        free_at = dict.fromkeys(ends, 0.0)
        while not self._stop.is_set():
            wait = max(0.0, flying[0][0] - time.monotonic()) if flying else 0.05
            ready, _, _ = select.select(list(ends), [], [], min(wait, 0.05))
            for end in ready:
                packet = os.read(end, 1 << 16)
                if self._stopped(packet, ends[end], rng):
                    continue
                now = time.monotonic()
                begins = max(now, free_at[end])
                if begins - now > WAITS_S:
                    self.dropped += 1
                    continue
                free_at[end] = begins + len(packet) / self.rate
                self.passed += 1
                heapq.heappush(flying, (free_at[end] + self.delay_s, self.passed, ends[end], packet))
            while flying and flying[0][0] <= time.monotonic():
                _, _, to, packet = heapq.heappop(flying)
                if not self.cut:
                    os.write(to, packet)

    def _stopped(self, packet: bytes, to: int, rng: random.Random) -> bool:
        if packet[0] >> 4 != 4:
            return True
        if self.walled and to == self.field_.descriptor and _dials(packet):
            self.refused_at_the_wall += 1
            return True
        if self.cut or rng.random() < self.loss:
            self.dropped += 1
            return True
        return False


def _dials(packet: bytes) -> bool:
    """Whether it is the first packet of a TCP connection."""
    header = 4 * (packet[0] & 0x0F)
    return packet[9] == TCP and packet[header + 13] & (SYN | ACK) == SYN


def _tun(name: str) -> int:
    try:
        descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_CLOEXEC)
        try:
            request = struct.pack("16sH22x", name[:15].encode(), IFF_TUN_WITHOUT_HEADER)
            fcntl.ioctl(descriptor, TUNSETIFF, request)
        except OSError:
            os.close(descriptor)
            raise
    except OSError as error:
        raise Refused(f"no TUN device can be made: {error.strerror}") from None
    return descriptor


def _ip(*arguments: str) -> None:
    try:
        done = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise Refused("iproute2's `ip` is not installed") from None
    if done.returncode != 0:
        raise Refused(f"`ip {' '.join(arguments)}`: {done.stderr.strip()}")


def why_not() -> str:
    """Why there can be no namespaces and wires here; empty where there can."""
    if not Path("/dev/net/tun").exists():
        return "the kernel has no /dev/net/tun"
    try:
        with Link():
            return ""
    except Refused as refusal:
        return str(refusal)
