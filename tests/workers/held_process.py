"""A process that does not end though it is killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

TRACED = """
import ctypes, sys
SEIZE = 0x4206
print(ctypes.CDLL(None).ptrace(SEIZE, int(sys.argv[1]), 0, 0), flush=True)
input()
"""


@contextmanager
def held_by_the_system(pid: int) -> Iterator[None]:
    """As by a disk that does not answer: it does not end for its parent as long as another process traces it
    and does not take note of its end.
    """
    with subprocess.Popen(
        [sys.executable, "-c", TRACED, str(pid)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as tracer:
        assert tracer.stdout is not None
        if tracer.stdout.readline().strip() != "0":
            pytest.skip("processes may not be traced here")
        yield
        tracer.communicate("\n")
