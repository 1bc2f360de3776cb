"""The values of an expression for many points at once.

What Python's own arithmetic says of each, to the bit; NaN where it would raise or leave the real numbers: so
each value depends on its own point alone, whatever else is computed beside it.

Notation: n points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.expressions.arithmetic import Call, Expression, Name, Negative, Number, Operation
from orchestrator.expressions.comparisons import Comparison
from orchestrator.expressions.constraints import Constraint

TO_WHOLE: Mapping[str, Callable[[FloatArray], FloatArray]] = {
    "ceil": np.ceil,
    "floor": np.floor,
    "round": np.rint,
}
"""Of what lies halfway, `round` takes the even one, as Python does. `count` is of what is not 0."""

_ALONE: Mapping[str, Callable[[float], float]] = {
    "cos": math.cos,
    "exp": math.exp,
    "log": math.log,
    "sin": math.sin,
    "tan": math.tan,
}
"""Of one number after the other."""


def values_of(expression: Expression, known: Mapping[str, FloatArray], count: int) -> FloatArray:
    """(n,) values, where ``known`` has (n,) values of each name; ``count`` is n."""
    with np.errstate(all="ignore"):
        return _values(expression, known, count)


def hold_at(constraint: Constraint, known: Mapping[str, FloatArray], count: int) -> BoolArray:
    """(n,) whether all comparisons of a constraint hold, whatever it says of when they need not."""
    return all_hold(constraint.comparisons, known, count)


def all_hold(comparisons: Iterable[Comparison], known: Mapping[str, FloatArray], count: int) -> BoolArray:
    """(n,) whether all of some comparisons hold; what is no number compares as false."""
    holds = np.ones(count, dtype=bool)
    for c in comparisons:
        low, high = values_of(c.low, known, count), values_of(c.high, known, count)
        with np.errstate(invalid="ignore"):
            holds &= low < high if c.strict else low <= high
    return holds


def _values(expression: Expression, known: Mapping[str, FloatArray], count: int) -> FloatArray:
    match expression:
        case Number(value):
            return np.full(count, value)
        case Name(name):
            return known[name]
        case Negative(operand):
            return -_values(operand, known, count)
        case Operation(sign, left, right):
            return _operated(sign, _values(left, known, count), _values(right, known, count))
        case Call(function, arguments):
            return _called(function, [_values(argument, known, count) for argument in arguments])


def _operated(sign: str, a: FloatArray, b: FloatArray) -> FloatArray:
    if sign == "+":
        return a + b
    if sign == "-":
        return a - b
    if sign == "*":
        return a * b
    if sign == "/":
        return np.where(b == 0.0, np.nan, a / np.where(b == 0.0, 1.0, b))
    return _powers(a, b)


def _called(function: str, arguments: list[FloatArray]) -> FloatArray:
    first = arguments[0]
    if function == "abs":
        return np.abs(first)
    if function in TO_WHOLE:
        # Of what is infinite there is no whole number.
        return np.asarray(TO_WHOLE[function](np.where(np.isinf(first), np.nan, first)))
    if function == "sqrt":
        return np.sqrt(first)
    if function == "count":
        every = np.stack(arguments)
        return np.where(np.isnan(every).any(axis=0), np.nan, np.count_nonzero(every, axis=0))
    if function in ("min", "max"):
        pick = np.minimum if function == "min" else np.maximum
        for other in arguments[1:]:
            first = pick(first, other)
        return first
    # Not numpy's, which may differ in the last bit with how many are computed together.
    alone = _ALONE[function]
    return np.array([_tried(alone, x) for x in first.tolist()], dtype=float)


def _tried(function: Callable[[float], float], x: float) -> float:
    try:
        return function(x)
    except (OverflowError, ValueError):
        return math.nan


def _powers(a: FloatArray, b: FloatArray) -> FloatArray:
    """(n,). Not numpy's either."""
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    try:
        powers = np.array([x**y for x, y in pairs])
    except (OverflowError, ZeroDivisionError):
        powers = np.empty(0, dtype=complex)
    if powers.dtype != float:
        # One of them is no real number, and the others are none the less.
        return np.array([_power(x, y) for x, y in pairs], dtype=float)
    # To the processor, what is no number to the power of 0 is 1, and so is 1 to the power of it.
    return np.where(np.isnan(a) | np.isnan(b), np.nan, powers)


def _power(x: float, y: float) -> float:
    try:
        power = x**y
    except (OverflowError, ZeroDivisionError):
        return math.nan
    number = isinstance(power, float) and not (math.isnan(x) or math.isnan(y))
    return power if number else math.nan
