"""An expression's values for many points at once with their slopes, for what climbs by them.

Quicker than `values`, and so not to the last bit what Python's own arithmetic says of each. Where a value is
no real number it is NaN, and its slopes say nothing. Where a function bends they are those of a side.

Notation: n points.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.expressions.arithmetic import Call, Expression, Name, Negative, Number, Operation
from orchestrator.expressions.values import TO_WHOLE

Slopes = dict[str, FloatArray]


@dataclass(frozen=True, eq=False, slots=True)
class Differentiated:
    """Values of any shape, or a number, with the slopes along names; those left out are 0."""

    value: FloatArray
    slopes: Slopes


def differentiated(
    expression: Expression, known: Mapping[str, FloatArray], along: Collection[str] = ()
) -> Differentiated:
    """Of arrays that broadcast, ``known`` by name, with slopes ``along`` some of these."""
    with np.errstate(all="ignore"):
        found = _of(expression, known, along)
        return Differentiated(np.where(np.isfinite(found.value), found.value, np.nan), found.slopes)


def _of(expression: Expression, known: Mapping[str, FloatArray], along: Collection[str]) -> Differentiated:
    match expression:
        case Number(value):
            return Differentiated(np.asarray(value), {})
        case Name(name):
            return Differentiated(known[name], {name: np.asarray(1.0)} if name in along else {})
        case Negative(operand):
            inner = _of(operand, known, along)
            return Differentiated(-inner.value, _scaled(inner.slopes, np.asarray(-1.0)))
        case Operation(sign, left, right):
            return _operated(sign, _of(left, known, along), _of(right, known, along))
        case Call(function, arguments):
            return _called(function, [_of(argument, known, along) for argument in arguments])


def _operated(sign: str, a: Differentiated, b: Differentiated) -> Differentiated:
    x, y = a.value, b.value
    if sign in "+-":
        negative = np.asarray(1.0 if sign == "+" else -1.0)
        return Differentiated(x + negative * y, _sum(a.slopes, _scaled(b.slopes, negative)))
    if sign == "*":
        return Differentiated(x * y, _sum(_scaled(a.slopes, y), _scaled(b.slopes, x)))
    if sign == "/":
        by_y = -x / y**2
        return Differentiated(
            np.where(y == 0.0, np.nan, x / y), _sum(_scaled(a.slopes, 1.0 / y), _scaled(b.slopes, by_y))
        )
    power = np.power(x, y)
    by_exponent = _scaled(b.slopes, power * np.log(x)) if b.slopes else {}
    return Differentiated(power, _sum(_scaled(a.slopes, y * np.power(x, y - 1.0)), by_exponent))


def _called(function: str, arguments: list[Differentiated]) -> Differentiated:
    first = arguments[0]
    x = first.value
    if function in ("min", "max"):
        for other in arguments[1:]:
            first = _picked(function, first, other)
        return first
    if function == "count":
        used = np.sum([np.where(np.isnan(one.value), np.nan, one.value != 0.0) for one in arguments], axis=0)
        return Differentiated(np.asarray(used, dtype=float), {})
    if function in TO_WHOLE:
        return Differentiated(TO_WHOLE[function](x), {})
    if function == "abs":
        return Differentiated(np.abs(x), _scaled(first.slopes, np.sign(x)))
    if function == "sqrt":
        root = np.sqrt(x)
        return Differentiated(root, _scaled(first.slopes, 0.5 / root))
    if function == "exp":
        grown = np.exp(x)
        return Differentiated(grown, _scaled(first.slopes, grown))
    if function == "sin":
        return Differentiated(np.sin(x), _scaled(first.slopes, np.cos(x)))
    if function == "cos":
        return Differentiated(np.cos(x), _scaled(first.slopes, -np.sin(x)))
    if function == "tan":
        return Differentiated(np.tan(x), _scaled(first.slopes, 1.0 / np.cos(x) ** 2))
    assert function == "log", "one of `FUNCTIONS`"
    return Differentiated(np.where(x > 0.0, np.log(x), np.nan), _scaled(first.slopes, 1.0 / x))


def _picked(function: str, a: Differentiated, b: Differentiated) -> Differentiated:
    pick = np.minimum if function == "min" else np.maximum
    is_first = a.value <= b.value if function == "min" else a.value >= b.value
    own, other = np.where(is_first, 1.0, 0.0), np.where(is_first, 0.0, 1.0)
    return Differentiated(pick(a.value, b.value), _sum(_scaled(a.slopes, own), _scaled(b.slopes, other)))


def _scaled(slopes: Slopes, by: FloatArray) -> Slopes:
    return {name: slope * by for name, slope in slopes.items()}


def _sum(some: Slopes, others: Slopes) -> Slopes:
    both = dict(some)
    for name, slope in others.items():
        both[name] = both[name] + slope if name in both else slope
    return both
