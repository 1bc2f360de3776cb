"""Room for the connections of a run: each worker takes a descriptor, and many systems give 1,024 or 256.

Who comes when there is none left is told nothing, nor is the run: ZeroMQ does not take the connection. So it
is tried whether there is one.
"""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from orchestrator.errors import UsageError

ENOUGH: Final = 8_192
"""Descriptors: for several times as many workers as a run has been measured with."""
LEAST: Final = 64
"""Descriptors: a run with one worker of its own needs about thirty, and cannot say so once it has none."""
FOR_A_LOCAL_WORKER: Final = 3
"""Descriptors: its connection, its standard input, and what tells of its end."""


@contextmanager
def room_for_connections() -> Iterator[None]:
    """While this is entered, as many descriptors as the system lets us have, up to `ENOUGH`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    room = ENOUGH if hard == resource.RLIM_INFINITY else min(ENOUGH, hard)
    if soft == resource.RLIM_INFINITY or soft >= room:
        yield
        return
    # Where it is refused, the run has what it had.
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (room, hard))
    try:
        yield
    finally:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def refuse_too_few(local_workers: int) -> None:
    """Raises UsageError where a run with so many local workers would have no descriptor left for the rest."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    least = max(LEAST, LEAST // 2 + FOR_A_LOCAL_WORKER * local_workers)
    if soft != resource.RLIM_INFINITY and soft < least:
        raise UsageError(
            f"expected to be let have at least {least} files open at a time, for connections, programs and "
            f"the journal, and this process may have {soft}; start it where it may have more (ulimit -n)"
        )


def why_no_connection() -> str:
    """Why nobody can connect now, and what to do; nothing where another descriptor is to be had."""
    try:
        os.close(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
    except OSError as error:
        if error.errno == errno.EMFILE:
            limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
            return (
                f"expected room for another connection, and this process has {limit:,} files open and may "
                "have no more: workers that come now wait, and are not heard. Start it where it may have "
                f"more (ulimit -n {4 * limit}, then: orchestrator resume), or fewer workers with more "
                "--slots each"
            )
        if error.errno == errno.ENFILE:
            return (
                "expected room for another connection, and this machine has no open file left to give: "
                "workers that come now wait, and are not heard. End what has so many open, or allow more "
                "(sysctl fs.file-max)"
            )
    return ""
