"""Cleanup that is given up on: a library that does not let go must not keep an ended run from returning."""

from __future__ import annotations

import threading
from collections.abc import Callable

SECONDS_TO_LET_GO = 5.0


def let_go(close: Callable[[], object], seconds: float = SECONDS_TO_LET_GO) -> bool:
    """Call ``close`` and wait so long for it; whether it returned.

    In a thread that nobody waits for when the process ends. Raises what ``close`` raises in time.
    """
    raised: list[Exception] = []

    def calling() -> None:
        try:
            close()
        except Exception as error:
            raised.append(error)

    caller = threading.Thread(target=calling, name="farewell", daemon=True)
    caller.start()
    caller.join(seconds)
    if raised:
        raise raised[0]
    return not caller.is_alive()
