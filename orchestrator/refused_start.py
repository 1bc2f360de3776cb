"""A process that the system does not start: out of memory or of process numbers, it may have some later."""

from __future__ import annotations

START_AGAIN_AFTER_S = 5.0


def could_not_be_started(what: str, error: OSError) -> str:
    """A sentence for people."""
    return (
        f"{what} could not be started ({error.strerror}); it is tried again every {START_AGAIN_AFTER_S:g} s"
    )
