"""What a spec says of an outcome: a number, or the points of a curve."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from orchestrator.spec.document.section import no_number_hint, refuse, shown
from orchestrator.values.curve import written_curve
from orchestrator.values.finite import is_number


def number_or_curve(told: object) -> object:
    """Of a curve the values of its points, which may be written as text. Raises what a validator does for
    anything else.
    """
    if isinstance(told, str):
        told = written_curve(told) or told
    if isinstance(told, list | tuple):
        return all_numbers(told, "the points of a curve")
    if not is_number(told):
        raise refuse(f"expected a number, got {shown(told)}{no_number_hint(told)}")
    return told


def all_numbers(told: Iterable[Any], what: str) -> tuple[float, ...]:
    """Each, of ``what`` a refusal names. Raises what a validator does for one that is no finite number."""
    for one in told:
        if not is_number(one):
            raise refuse(f"expected {what} as finite numbers, got {shown(one)}{no_number_hint(one)}")
    return tuple(map(float, told))
