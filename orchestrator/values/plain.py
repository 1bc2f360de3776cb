"""What callers of the Python interface hand over, as plain values of Python: numpy's are taken for them, and
numbers of libraries like it.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np

from orchestrator.values.finite import is_finite


def plain(value: Any) -> Any:
    """A scalar or an array of numpy as Python's own numbers, text and lists, and a `scalar` of others, also
    where a list or a tuple holds them; anything else as it came.
    """
    if type(value) in (list, tuple):
        return type(value)(map(scalar, value))
    return value.tolist() if isinstance(value, (np.generic, np.ndarray)) else scalar(value)


def scalar(value: Any) -> Any:
    """What has no dimensions, as numpy, torch and others have numbers, as Python's own; else as it came."""
    without_dimensions = getattr(value, "shape", None) == () and hasattr(value, "item")
    return value.item() if without_dimensions else value


def number_of(value: Any) -> Any:
    """`plain`, and a real number of another type than Python's own, as a Fraction, as a float."""
    number = plain(value)
    foreign = isinstance(number, Real) and not isinstance(number, (int, float))
    return float(number) if foreign and is_finite(number) else number


def plain_throughout(value: Any) -> Any:
    """`plain`, of what mappings and lists hold, too."""
    if isinstance(value, Mapping):
        return {name: plain_throughout(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_throughout(one) for one in value]
    return plain(value)


def copied(value: Any) -> Any:
    """Python's own lists, tuples, sets and mappings anew, with what they hold; anything else as it is."""
    if type(value) is dict:
        return {name: copied(one) for name, one in value.items()}
    return type(value)(map(copied, value)) if type(value) in (list, tuple, set) else value


def whole_number(value: Any) -> int | None:
    """A whole number of Python or numpy, or None: a boolean is none, nor is 2.0."""
    number = plain(value) if isinstance(value, np.integer) else value
    return number if isinstance(number, int) and not isinstance(number, bool) else None
