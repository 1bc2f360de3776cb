"""A process or a thread that the system does not start: out of memory or of process numbers, it may have some
later.
"""

from __future__ import annotations

START_AGAIN_AFTER_S = 5.0


def could_not_be_started(what: str, error: OSError) -> str:
    """A sentence for people."""
    return (
        f"{what} could not be started ({error.strerror}); it is tried again every {START_AGAIN_AFTER_S:g} s"
    )


def is_refused_thread(error: BaseException) -> bool:
    """Whether Python raises it where the system does not start a thread; it has no class of its own."""
    return isinstance(error, RuntimeError) and str(error) == "can't start new thread"


def what_is_refused(error: BaseException) -> str:
    """What of the machine there was not enough of, if an exception, or one of a group, is due to that."""
    if isinstance(error, BaseExceptionGroup):
        return next(filter(None, map(what_is_refused, error.exceptions)), "")
    # The system's loader has no other words for it; numpy's have pages around them.
    unmapped = isinstance(error, ImportError) and "failed to map segment" in str(error)
    if isinstance(error, MemoryError) or unmapped:
        return "memory"
    return "a thread" if is_refused_thread(error) else ""
