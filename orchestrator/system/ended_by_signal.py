"""How a process ends that put things in order after a signal: by that signal, so that who waits knows why."""

from __future__ import annotations

import os
import signal
from typing import NoReturn


def end_by(number: signal.Signals) -> NoReturn:
    """End this process by a signal that ends those which do not handle it; in the main thread."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    raise AssertionError(f"{number.name} did not end the process")
