"""The addresses that workers and nodes dial: what is one, whether it leaves this machine or is taken."""

from __future__ import annotations

import ipaddress
import re
import socket

# An address that holds on one link alone has the name of an interface behind it, as fe80::17%eth0.
_TCP = re.compile(r"tcp://(\[[0-9a-fA-F:.]+(?:%[\w.-]+)?\]|[^\[\]:/\s]+):(\*|[0-9]{1,5})")
_EVERYWHERE = re.compile(r"^tcp://(0\.0\.0\.0|\[::\]):")


def is_address(text: str) -> bool:
    """Whether it is ``tcp://host:port`` (a port of ``*`` is any free one) or ``ipc://path``."""
    if text.startswith("ipc://"):
        return len(text) > len("ipc://")
    match = _TCP.fullmatch(text)
    return match is not None and (match[2] == "*" or 0 < int(match[2]) <= 65535)


def is_ipv6(address: str) -> bool:
    """Whether it is ``tcp://[host]:port``, which ZeroMQ neither listens at nor dials unless it is told so.

    A name is looked up as one of IPv4.
    """
    return address.startswith("tcp://[")


def has_fixed_port(address: str) -> bool:
    """Whether an address is the same each time it is listened at."""
    return not address.endswith(":*")


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


def why_hidden(asked: str, listened_at: str) -> str:
    """Why no other machine reaches an address at which others were to be let in; empty where one may.

    Many a machine has its own name on its loopback.
    """
    if is_loopback(asked) or not is_loopback(listened_at):
        return ""
    return (
        f"no other machine reaches {asked}, which is {listened_at} here: give under workers.listen this "
        "machine's address in the network, or tcp://0.0.0.0:PORT for all that it has"
    )


def from_elsewhere(address: str, host: str) -> str:
    """What a process of another machine dials, where this one is called ``host``."""
    return _EVERYWHERE.sub(f"tcp://{host}:", address)


def nearby(address: str) -> str:
    """What a process of this machine dials, where ``address`` is listened at."""
    return _EVERYWHERE.sub("tcp://127.0.0.1:", address)


def is_listened_at(address: str) -> bool:
    """Whether somebody has a socket in a file, which ZeroMQ would take from them without a word."""
    path = address.removeprefix("ipc://")
    if path == address or path.startswith("@"):
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
        caller.setblocking(False)
        try:
            caller.connect(path)
        except BlockingIOError:
            # So many call it that this one would have to wait.
            return True
        except OSError:
            return False
    return True
