"""Processes that an evaluation started and that left its process group, as daemons do.

They are known by a mark in the environment that they began with, whoever is their parent by now. Linux only:
elsewhere none are found. One that is to outlive its evaluation is started without the mark.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from typing import Final

MARK: Final = "ORCHESTRATOR_EVALUATION"
"""The variable that tells the processes of one evaluation process from all others."""


def signal_strays(mark: str, group: int, number: signal.Signals) -> None:
    """Signal the processes with ``mark`` as the value of the variable that are not of ``group``.

    With SIGKILL those too that they start meanwhile.
    """
    if sys.platform != "linux":
        return
    seen: set[int] = set()
    while new := [pid for pid in _signalled(f"{MARK}={mark}".encode(), group, number) if pid not in seen]:
        seen.update(new)
        if number != signal.SIGKILL:
            return


def _signalled(entry: bytes, group: int, number: signal.Signals) -> Iterator[int]:
    for pid in _processes_within_reach():
        # A process that ends meanwhile is none; the descriptor is not that of its number's next owner.
        with contextlib.suppress(OSError):
            process = os.pidfd_open(pid)
            try:
                if os.getpgid(pid) != group and entry in _environment(pid):
                    signal.pidfd_send_signal(process, number)
                    yield pid
            finally:
                os.close(process)


def _processes_within_reach() -> Iterator[int]:
    """This user's; root's, as in a container, may have started servers as somebody else."""
    user = os.getuid()
    with contextlib.suppress(OSError), os.scandir("/proc") as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and user in (0, entry.stat().st_uid):
                    yield int(entry.name)


def _environment(pid: int) -> list[bytes]:
    with open(f"/proc/{pid}/environ", "rb") as file:
        return file.read().split(b"\0")
