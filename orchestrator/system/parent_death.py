"""A process that would otherwise compute on for nobody ends with the one that started it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress

_PR_SET_PDEATHSIG = 1


def end_with_parent(parent: int | None = None) -> None:
    """Have the kernel kill this process when its parent ends, however that ends.

    With the ``parent``'s number given, this process ends at once if the parent has ended already.

    Where the kernel does not offer it, the process ends when it next reads or writes the pipe to its parent.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if parent is not None and os.getppid() != parent:
        os._exit(1)
