"""Room for what a worker holds open: one that has too little cannot start evaluations, nor say so in time."""

from __future__ import annotations

import resource
from typing import Final

from orchestrator.errors import UsageError

LEAST: Final = 28
"""Descriptors: for the connection, what is kept on disk, signals, and an evaluation that is being started."""
FOR_A_SLOT: Final = 4
"""Descriptors: three pipes to its child, and what that prints to."""


def refuse_too_few(slots: int) -> None:
    """Raises UsageError where a worker with so many slots would run out of them."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    least = LEAST + FOR_A_SLOT * slots
    if soft != resource.RLIM_INFINITY and soft < least:
        fewer = ", or with fewer --slots" if slots > 1 else ""
        raise UsageError(
            f"expected to be let have at least {least} files open at a time, and this worker may have {soft};"
            f" start it where it may have more (ulimit -n){fewer}"
        )
