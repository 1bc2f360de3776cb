"""What outcomes are to be that are fitted: numbers, or curves of many points, each with its error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from orchestrator.errors import SpecError
from orchestrator.spelling import did_you_mean
from orchestrator.values.curve import curve_of
from orchestrator.values.finite import is_finite, is_number

MOST_TARGETS = 200
"""Outcomes that are fitted; a curve is one."""
MOST_POINTS = 2_000
"""Of a curve."""
PARTS = ("value", "error", "at")


@dataclass(frozen=True, slots=True)
class Target:
    """What an outcome is to be, ``value``, and by how much it may well be off, ``error`` > 0, which is 1
    where it was not ``told``.
    """

    value: float
    error: float = 1.0
    told: bool = field(default=True, compare=False)


@dataclass(frozen=True, slots=True)
class CurveTarget:
    """What each point of an outcome that is a curve is to be, with the error of each, > 0, and where each is,
    as at a wavelength, if that is known: for people, who see the curve by it. ``told``: whether errors were.
    """

    values: tuple[float, ...]
    errors: tuple[float, ...]
    places: tuple[float, ...] | None = None
    told: bool = field(default=True, compare=False)


AnyTarget: TypeAlias = Target | CurveTarget


def target_of(outcome: str, told: object) -> AnyTarget:
    """From a number, a list of them, or ``{"value": 3.2, "error": 0.1}`` of either; one error may stand for
    all points of a curve, which may say ``at`` what places they are. Raises SpecError for anything else.
    """
    parts: Mapping[str, Any] = told if isinstance(told, Mapping) else {"value": told}
    for name in parts:
        if name not in PARTS:
            near = did_you_mean(str(name), PARTS)
            raise SpecError(f"target of `{outcome}`: expected `value` and `error`, got `{name}`{near}")
    value, error, places = parts.get("value"), parts.get("error", 1.0), parts.get("at")
    points = curve_of(value)
    if points is None:
        if value is None or not (is_number(value) and is_finite(value)):
            expected = (
                "expected a finite number, a list of them, or one with its error, as {value: 3.2, error: 0.1}"
            )
            raise SpecError(f"target of `{outcome}`: {expected}, got {value!r}")
        if not (is_number(error) and is_finite(error) and error > 0):
            raise SpecError(f"target of `{outcome}`: expected an error above 0, got {error!r}")
        if places is not None:
            raise SpecError(f"target of `{outcome}`: expected `at` beside a curve, which a number is not")
        return Target(float(value), float(error), "error" in parts)
    try:
        return replace(curve_target(points, error, places), told="error" in parts)
    except ValueError as mistake:
        raise SpecError(f"target of `{outcome}`: {mistake}") from None


def curve_target(points: Sequence[object], error: object, places: object = None) -> CurveTarget:
    """Of the ``points`` of a curve, with one error or a list of as many, and as many places, if these are
    told. Raises ValueError, with what was expected and what came.
    """
    if not 1 <= len(points) <= MOST_POINTS:
        raise ValueError(f"expected a curve of 1 to {MOST_POINTS:,} points, got {len(points):,}")
    values = [_number(one, "a finite number", f"point {k} of the curve") for k, one in enumerate(points, 1)]
    told = curve_of(error)
    if told is not None and len(told) != len(points):
        raise ValueError(f"expected as many errors as the curve has points, {len(points)}, got {len(told)}")
    errors = [_error(one, f"point {k}") for k, one in enumerate(told or [error] * len(points), 1)]
    return CurveTarget(tuple(values), tuple(errors), None if places is None else _places(places, len(points)))


def _places(told: object, count: int) -> tuple[float, ...]:
    places = curve_of(told)
    if places is None:
        raise ValueError(f"expected `at` as a list of numbers, one for each point, got {told!r}")
    if len(places) != count:
        raise ValueError(f"expected `at` as many places as the curve has points, {count}, got {len(places)}")
    return tuple(_number(one, "a finite number", f"`at` of point {k}") for k, one in enumerate(places, 1))


def _error(told: object, where: str) -> float:
    error = _number(told, "an error above 0", where)
    if error <= 0.0:
        raise ValueError(f"{where}: expected an error above 0, got {told!r}")
    return error


def _number(told: Any, expected: str, where: str) -> float:
    if not is_number(told):
        raise ValueError(f"{where}: expected {expected}, got {told!r}")
    return float(told)
