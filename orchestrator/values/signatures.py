"""What a function that a person gives takes, whatever its annotations name."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any


def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """Raises TypeError or ValueError, as `inspect.signature` does, for some not written in Python."""
    if sys.version_info >= (3, 14):
        from annotationlib import Format

        # An annotation is evaluated there once it is asked for, and may name what only type checkers import.
        return inspect.signature(function, annotation_format=Format.FORWARDREF)
    return inspect.signature(function)
