"""What a lock says of who has it, so that others know whether that is on their machine."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")


def this_start() -> str:
    """Which start of which machine this is, by which machines of one name are told apart; empty where the
    system does not say so.
    """
    with suppress(OSError, ValueError):
        return _BOOT.read_text("ascii").strip()
    return ""


def own_words() -> dict[str, object]:
    """Of this process."""
    start = this_start()
    return {"host": socket.gethostname(), "pid": os.getpid(), **({"boot": start} if start else {})}


def words_in(lock: str | bytes) -> dict[str, object]:
    """The host and process that a lock names, and the start of its machine; empty where it names none."""
    with suppress(ValueError, TypeError):
        return dict(json.loads(lock))
    return {}


def is_elsewhere(holder: Mapping[str, object]) -> bool:
    """Whether whoever is named as the one that has a lock is, or was, on another machine, or on this one
    before it was started anew.
    """
    host, start, here = holder.get("host"), holder.get("boot"), this_start()
    called_otherwise = isinstance(host, str) and host != socket.gethostname()
    return called_otherwise or (isinstance(start, str) and here != "" and start != here)


def another_in(lock: Path, own: Mapping[str, object]) -> dict[str, object] | None:
    """Whoever has written themselves into a lock on another machine; None where nobody has, or somebody of
    this machine emptied or deleted it: the journal has a lock as well, which is seen here.
    """
    try:
        told = words_in(lock.read_bytes())
    except OSError:
        return None
    if "host" not in told or "pid" not in told:
        return None
    other_start = "boot" in told and "boot" in own and told["boot"] != own["boot"]
    return told if told["host"] != own.get("host") or other_start else None
