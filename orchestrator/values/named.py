"""What the values of parameters are to code that passes them on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Value: TypeAlias = object
"""Of a parameter: a number, a text, true or false, or whatever else is listed to choose from. What it is has
to be asked before anything is made of it.
"""
Values: TypeAlias = Mapping[str, Value]
"""Of parameters, by their names."""
