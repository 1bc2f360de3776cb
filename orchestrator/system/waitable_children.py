"""Whether this Python can look whether a child has ended, and leave it waitable: macOS's can from 3.13 on."""

from __future__ import annotations

import os
import platform

from orchestrator.errors import UsageError


def refuse_unwaitable() -> None:
    """Raises UsageError where a worker could not tell that its evaluation's process has ended."""
    if not hasattr(os, "waitid"):
        raise UsageError(
            "expected a Python that can look whether a process has ended (os.waitid), as Linux's can and "
            f"macOS's from 3.13 on, got {platform.python_version()}: make the environment anew with one, "
            "as by make clean run PYTHON=python3.13, or let workers of other machines evaluate"
        )
