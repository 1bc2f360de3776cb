"""Signals that ask a run to stop; what is left to do once it has ended takes a moment, and is still said."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

IGNORED_AT_THE_END = (signal.SIGINT, signal.SIGHUP)


def stop_signals() -> list[signal.Signals]:
    """Those that ask for an orderly end. A terminal that is closed does, unless `nohup` has it ignored."""
    hung_up = [] if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN else [signal.SIGHUP]
    return [signal.SIGINT, signal.SIGTERM, *hung_up]


def ignore_interrupts() -> None:
    """From now on; to be called in the main thread."""
    for number in IGNORED_AT_THE_END:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def interrupts_as_before() -> Iterator[None]:
    """Whatever is made of interrupts while this is entered, they are afterwards what they were."""
    before = {number: signal.getsignal(number) for number in (*IGNORED_AT_THE_END, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
