"""The values of a formula as the decimals that are meant: ``1 - 0.7`` is 0.3, not 0.30000000000000004.

A value that lies within rounding of a number of few decimals is that number; any other is as it is computed,
so that what was exact stays so.

Notation: n points.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.expressions.arithmetic import Call, Expression, Name, Negative, Number, Operation
from orchestrator.expressions.values import values_of

DIGITS = 12
"""Of the largest part of a formula: a number with no more is taken for one that a person would write."""
ROUNDING = 4 * float(np.finfo(float).eps)
"""Of that part: what a few steps of arithmetic err by."""
LARGEST_POWER = 300


def meant_values_of(expression: Expression, known: Mapping[str, FloatArray], count: int) -> FloatArray:
    """(n,) values, where ``known`` has (n,) values of each name; ``count`` is n. NaN where there is none."""
    values = values_of(expression, known, count)
    with np.errstate(all="ignore"):
        size = _size(expression, known, count)
        usable = np.isfinite(values) & np.isfinite(size) & (size > 0.0)
        magnitude = np.floor(np.log10(np.where(usable, size, 1.0)))
        digits = np.clip(DIGITS - magnitude, -LARGEST_POWER, LARGEST_POWER)
        up, down = 10.0 ** np.maximum(digits, 0.0), 10.0 ** np.maximum(-digits, 0.0)
        short = np.rint(values * up / down) / up * down
        near = usable & (np.abs(values - short) <= ROUNDING * size)
    # Not minus 0.
    return np.where(near, short, values) + 0.0


def _size(expression: Expression, known: Mapping[str, FloatArray], count: int) -> FloatArray:
    """(n,) how large the parts are that a value comes of, by which it may be off."""
    match expression:
        case Number() | Name():
            return np.abs(values_of(expression, known, count))
        case Negative(operand):
            return _size(operand, known, count)
        case Operation("+" | "-", left, right):
            return _size(left, known, count) + _size(right, known, count)
        case Operation("*", left, right):
            return _size(left, known, count) * _size(right, known, count)
        case Operation("/", left, right):
            return _size(left, known, count) / np.abs(values_of(right, known, count))
        case Call("abs", (only,)):
            return _size(only, known, count)
        case Call("min" | "max", arguments):
            return np.asarray(np.max([_size(one, known, count) for one in arguments], axis=0))
        case _:
            return np.abs(values_of(expression, known, count))
