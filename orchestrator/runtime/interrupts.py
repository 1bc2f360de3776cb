"""Ctrl-C once a run has ended: what is left to do takes a moment, and what came of it is still to be said."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


def ignore_interrupts() -> None:
    """From now on; to be called in the main thread."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def interrupts_as_before() -> Iterator[None]:
    """Whatever is made of interrupts while this is entered, they are afterwards what they were."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
