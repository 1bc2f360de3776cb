"""What people type of what they know of a parameter: of what is none argparse says what was expected."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from orchestrator.values.table_files import FILE_ENDINGS
from orchestrator.values.typed_numbers import typed_number

NOTHING = "none"
EVENLY = "evenly"
EXPECTED = (
    "expected what is known of a parameter beforehand, as h0=67.4+-0.5 (a mean and its deviation),"
    " rate=0.02x/1.5 (a mean and a factor), kind=0.2,0.8 (chances), {}a CSV file of draws, or h0=none, got {}"
)
OR_EVENLY = "h0=evenly (between its bounds), "
_SIGNS = (("+-", "deviation"), ("+/-", "deviation"), ("±", "deviation"), ("x/", "factor"), ("×/", "factor"))


@dataclass(frozen=True, slots=True)
class OfFile:
    """Draws in a CSV file at a ``path``: of a parameter by its ``name``, or of all that have a column."""

    path: str
    name: str | None = None


TypedPrior: TypeAlias = tuple[str, Mapping[str, Any] | OfFile | None]
"""A parameter's name, and what a spec would say of it; None to leave out what that says. Of a file that is
not for one parameter the name is empty.
"""


def typed_prior(text: str) -> TypedPrior:
    """``h0=67.4+-0.5``: numbers are not looked at. Raises `ArgumentTypeError`."""
    return _typed(text, "")


def typed_uncertain(text: str) -> tuple[str, Mapping[str, Any] | OfFile | str | None]:
    """The same, or ``load=evenly``, between its bounds."""
    name, _, known = text.rpartition("=")
    return (name, EVENLY) if name and known == EVENLY else _typed(text, OR_EVENLY)


def _typed(text: str, also: str) -> TypedPrior:
    name, _, known = text.rpartition("=")
    if known.lower().endswith(FILE_ENDINGS):
        return (name, OfFile(known, name)) if name else ("", OfFile(text))
    if not name:
        raise ArgumentTypeError(EXPECTED.format(also, text))
    if known == NOTHING:
        return name, None
    for sign, second in _SIGNS:
        mean, found, other = known.partition(sign)
        if found:
            return name, {"mean": typed_number(mean), second: typed_number(other)}
    if "," in known:
        return name, {"chances": [typed_number(one) for one in known.split(",")]}
    raise ArgumentTypeError(EXPECTED.format(also, text))
