"""What is said while nobody answers a dialled address: soon the first time, then seldom."""

from __future__ import annotations

import ipaddress
import math
import re
import socket
import threading
from typing import Final

from orchestrator.errors import UsageError
from orchestrator.wire.reached import why_not_reached

LOOKED_AT_S: Final = 3.0
"""Before it is said that nobody answers, it is looked for so long what the machine itself says."""
FIRST_S: Final = 5.0
AGAIN_S: Final = (60.0, 600.0)
SELDOM_S: Final = 3600.0
_TCP: Final = re.compile(r"tcp://(?:.*;)?(.+):([0-9]+)")
_UNKNOWN_WHY: Final = "does the run go on there, at this port, and does no firewall stand between?"


class Unanswered:
    """Watches for how long nobody has answered. ``now`` is monotonic seconds throughout."""

    def __init__(self, address: str, now: float) -> None:
        """Looks the host's name up meanwhile, in a thread: that may take as long as it likes."""
        self._address = address
        self._since = now
        self._marks = [FIRST_S, *AGAIN_S]
        self._answered = False
        self._looks = False
        self._found = ""
        self._unknown = ""
        self._looked_up = host = host_of(address)
        if host:
            threading.Thread(target=self._look_up, args=(host,), daemon=True).start()

    @property
    def due(self) -> float:
        """The moment at which `on_time` must be called; infinity while somebody answers."""
        if self._answered:
            return math.inf
        return self._since + self._marks[0] - (0.0 if self._looks else LOOKED_AT_S)

    @property
    def unknown(self) -> str:
        """A sentence, if the host's name was looked up and is not known; none while that is being done."""
        return self._unknown

    @property
    def looked_up(self) -> str:
        """The host's name, while it is looked up."""
        return self._looked_up

    def connected(self, connected: bool, now: float) -> None:
        """Whether there is a connection now."""
        if connected != self._answered:
            self._answered = connected
            self._begin_anew(now)

    def refused(self, now: float) -> None:
        """Somebody answered that this side is not let in: until then nobody was missing."""
        self._begin_anew(now)

    def _begin_anew(self, now: float) -> None:
        self._unknown = ""
        self._looks = False
        self._since = now
        # Whoever was there once may only be restarting.
        self._marks = [*AGAIN_S]

    def on_time(self, now: float) -> str:
        """The sentence that is due; none if none is."""
        if now < self.due:
            return ""
        if not self._looks:
            self._looks, self._found = True, ""
            if not (self._unknown or self._looked_up):
                threading.Thread(target=self._look_there, daemon=True).start()
            return ""
        self._looks = False
        passed = self._marks.pop(0)
        if not self._marks:
            self._marks.append(passed + SELDOM_S)
        if self._unknown:
            return self._unknown
        waited = f"{passed:g} s" if passed < 60.0 else f"{passed / 60.0:g} min"
        return f"nobody has answered at {self._address} for {waited}: {self._found or _UNKNOWN_WHY}"

    def _look_there(self) -> None:
        if place := place_of(self._address):
            # Well before it is said.
            self._found = why_not_reached(*place, 0.8 * LOOKED_AT_S)

    def _look_up(self, host: str) -> None:
        try:
            found = socket.getaddrinfo(host, None)
        except (OSError, UnicodeError) as error:
            why = getattr(error, "strerror", None) or error
            self._unknown = f"expected a host that is known here, got `{host}` in {self._address}: {why}"
        else:
            if all(family == socket.AF_INET6 for family, *_ in found):
                by_number = self._address.replace(host, f"[{found[0][4][0]}]")
                self._unknown = (
                    f"expected a host with an address of IPv4, got `{host}` in {self._address}, which has one"
                    f" of IPv6 alone: dial it by its number, {by_number}, if the run listens at such a one "
                    '(`listen: "tcp://[::]:PORT"`)'
                )
        self._looked_up = ""


def place_of(address: str) -> tuple[str, int] | None:
    """Host and port of ``tcp://HOST:PORT``; None of another address."""
    parts = _TCP.fullmatch(address)
    return None if parts is None else (parts[1].strip("[]"), int(parts[2]))


def host_of(address: str) -> str:
    """The name to be looked up in ``tcp://HOST:PORT``; none if it is a number, or no such address.

    Raises `UsageError` for a port that no host has.
    """
    place = place_of(address)
    if place is None:
        return ""
    host, port = place
    if not 0 < port < 65536:
        raise UsageError(f"expected a port from 1 to 65535, got {port} in `{address}`")
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    return ""
