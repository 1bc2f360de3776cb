"""Python that is looked at and not run, and what is written as Python is."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_LOOKING = threading.Lock()
"""What warnings are shown is the whole process's before Python 3.14: who leaves last puts back what was."""


@contextmanager
def looked_at() -> Iterator[None]:
    """Of what is parsed inside Python warns nobody: it would name no file, again and again, and whoever
    imports a module is warned of that anyway. Threads take turns; inside it is not entered again.
    """
    with _LOOKING, warnings.catch_warnings():
        # What is a SyntaxWarning from Python 3.12 on is a DeprecationWarning before.
        warnings.simplefilter("ignore")
        yield
