"""Room for the connections of a run: each worker takes a descriptor, and many systems give 1,024 or 256.

Who comes when there is none left is told nothing, nor is the run: ZeroMQ does not take the connection.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

ENOUGH: Final = 8_192
"""Descriptors: for several times as many workers as a run has been measured with."""


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
