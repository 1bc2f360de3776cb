"""The values of an expression for many points at once.

What Python's own arithmetic says of each, to the bit; NaN where it would raise or leave the real numbers: so
each value depends on its own point alone, whatever else is computed beside it.

Notation: n points.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.expressions.arithmetic import Expression, Name, Negative, Number, Operation
from orchestrator.expressions.comparisons import Comparison
from orchestrator.expressions.constraints import Constraint

TO_WHOLE: Mapping[str, Callable[[FloatArray], FloatArray]] = {
    "ceil": np.ceil,
    "floor": np.floor,
    "round": np.rint,
}
"""Of what lies halfway, `round` takes the even one, as Python does. `count` is of what is not 0."""

_Side: TypeAlias = FloatArray | float
_RING: Mapping[str, Callable[[_Side, _Side], _Side]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
"""What is the same of a number and an array as of two arrays."""

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
    with np.errstate(all="ignore"):
        for c in comparisons:
            low, high = _side(c.low, known, count), _side(c.high, known, count)
            holds &= low < high if c.strict else low <= high
    return holds


def differences_of(comparison: Comparison, known: Mapping[str, FloatArray], count: int) -> FloatArray:
    """(n,) by how much what is to be less exceeds the other side."""
    with np.errstate(all="ignore"):
        return _values(comparison.low, known, count) - _side(comparison.high, known, count)


def _values(expression: Expression, known: Mapping[str, FloatArray], count: int) -> FloatArray:
    found = _side(expression, known, count)
    return found if isinstance(found, np.ndarray) else np.full(count, found)


def _side(expression: Expression, known: Mapping[str, FloatArray], count: int) -> _Side:
    """(n,), or a number that stands for as many: what it comes to beside an array is the same to the bit."""
    # By attributes, which takes half the time of patterns: this is where long constraints are computed.
    if isinstance(expression, Name):
        return known[expression.name]
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, Operation):
        sign, left, right = expression.sign, expression.left, expression.right
        if sign in _RING:
            return _RING[sign](_side(left, known, count), _side(right, known, count))
        return _operated(sign, _values(left, known, count), _values(right, known, count))
    if isinstance(expression, Negative):
        return -_side(expression.operand, known, count)
    return _called(expression.function, [_values(one, known, count) for one in expression.arguments])


def _operated(sign: str, a: FloatArray, b: FloatArray) -> FloatArray:
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
