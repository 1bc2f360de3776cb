"""What the values of parameters are to code that passes them on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

Value: TypeAlias = object
"""Of a parameter: a number, a text, true or false, or whatever else is listed to choose from. What it is has
to be asked before anything is made of it.
"""
Values: TypeAlias = Mapping[str, Value]
"""Of parameters, by their names."""


def in_order(names: Iterable[str], values: Values) -> Values:
    """Those that have names, in the order of these."""
    return {name: values[name] for name in names if name in values}
