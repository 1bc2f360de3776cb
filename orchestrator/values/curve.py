"""Curves, as evaluations and files bring them: the numbers of their points, in order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from orchestrator.values.finite import in_short, is_finite

Outcomes: TypeAlias = Mapping[str, float | Sequence[float]]
"""By their names: numbers, and curves as their points."""


def curve_of(told: Any) -> list[Any] | None:
    """The points of what is a list, a tuple, or an array of one dimension; None of anything else."""
    if hasattr(told, "tolist") and len(getattr(told, "shape", ())) == 1:
        told = told.tolist()
    return list(told) if isinstance(told, list | tuple) else None


def numbers_of(told: Any) -> list[float] | None:
    """The points of a curve, all of which are finite numbers; None of anything else."""
    points = curve_of(told)
    if points is None or not all(isinstance(one, int | float) and is_finite(one) for one in points):
        return None
    return [float(one) for one in points]


def written_curve(text: str) -> list[Any] | None:
    """What a cell or an option says that is a list, as ``[0.1, 0.2]``; None of anything else."""
    if not text.lstrip().startswith("["):
        return None
    try:
        told = json.loads(text)
    except ValueError:
        return None
    return told if isinstance(told, list) else None


def why_no_curve(told: Any, points: int) -> str:
    """What was expected in place of what is no curve of so many ``points``, and what came; empty if it is."""
    came = curve_of(told)
    if came is None:
        return f"a list of {points:,} finite numbers, got {in_short(told)[:60]}"
    if len(came) != points:
        return f"a list of {points:,} finite numbers, got {len(came):,} of them"
    for number, one in enumerate(came, 1):
        if not (isinstance(one, int | float) and is_finite(one)):
            null = "null, as which NaN and infinities come" if one is None else in_short(one)[:60]
            return f"a list of {points:,} finite numbers, got {null} as point {number:,}"
    return ""


def in_a_row(outcomes: Iterable[float | Sequence[float]]) -> Iterator[float]:
    """Numbers, and the points of curves, one after the other."""
    for one in outcomes:
        yield from one if isinstance(one, Sequence) else (one,)
