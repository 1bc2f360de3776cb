"""Standard input, output and error of a process that may have been started without them, or lose them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress


def open_closed_streams() -> None:
    """Open what is closed of them to nothing: else the next file takes its place, be it a journal."""
    for descriptor, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        try:
            os.fstat(descriptor)
        except OSError:
            # The lowest number that is free, which is this one.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if getattr(sys, name) is None:
            stream = open(descriptor, mode, encoding="utf-8", closefd=False)  # noqa: SIM115  # as long as we live
            setattr(sys, name, stream)


def leave_streams() -> None:
    """What could not be said, as its terminal was closed, is tried no more: Python would end with 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def speaker(who: str) -> Callable[[str], None]:
    """What says sentences on standard error, after ``who`` says them; none where its terminal was closed."""

    def say(sentence: str) -> None:
        with suppress(OSError):
            print(f"{who}: {sentence}", file=sys.stderr, flush=True)

    return say
