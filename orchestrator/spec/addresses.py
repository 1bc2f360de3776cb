"""The address that workers dial: what is one, and whether it leaves this machine."""

from __future__ import annotations

import ipaddress
import re

_TCP = re.compile(r"tcp://(\[[0-9a-fA-F:.%]+\]|[^\[\]:/\s]+):(\*|[0-9]{1,5})")


def is_address(text: str) -> bool:
    """Whether it is ``tcp://host:port`` (a port of ``*`` is any free one) or ``ipc://path``."""
    if text.startswith("ipc://"):
        return len(text) > len("ipc://")
    match = _TCP.fullmatch(text)
    return match is not None and (match[2] == "*" or 0 < int(match[2]) <= 65535)


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach it: 127.0.0.0/8, ::1, localhost, or a socket in a file."""
    if address.startswith("ipc://"):
        return True
    match = _TCP.fullmatch(address)
    host = match[1].strip("[]") if match else ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
