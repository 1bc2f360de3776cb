"""Listed values whose order means something: what they may be, and where they lie in the unit interval.

Notation: k values.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from orchestrator.values.finite import in_short, is_number, written

MOST_VALUES = 4096
LEAST_DISTANCE = 1e-5
"""Between positions: points closer together than a tenth of it are one (`algorithms.exclusion.CELLS`)."""


def mistake_in(values: Sequence[Any], scale: str) -> str:
    """Why values cannot be ordered ones, in a sentence; empty where they can."""
    if len(values) < 2:
        return f"expected at least two values in their order, got {len(values)}; one is `type: fixed`"
    if len(values) > MOST_VALUES:
        return (
            f"expected at most {MOST_VALUES} values, got {len(values)}; numbers that lie evenly are written"
            " as an int or a float with a `step`"
        )
    if all(isinstance(value, str) for value in values):
        if scale == "log":
            return "expected numbers on a log scale, got texts, which lie evenly; leave `scale` out"
        twice = next((value for value, count in Counter(values).items() if count > 1), None)
        return "" if twice is None else f"expected each value once, got `{twice}` again"
    if not all(map(is_number, values)):
        other = next(value for value in values if not is_number(value))
        if isinstance(other, str):
            number = next((value for value in values if is_number(value)), None)
            if number is not None:
                return (
                    f"expected numbers alone, or texts alone, got `{other}` beside {written(number)};"
                    " in quotation marks a number is text"
                )
        return f"expected finite numbers, or texts, in their order, got {in_short(other)}"
    return _mistake_in_numbers(values, scale)


def _mistake_in_numbers(values: Sequence[float], scale: str) -> str:
    rises = values[1] > values[0]
    for one, following in pairwise(values):
        came = f"got {written(following)} after {written(one)}"
        if one == following:
            return f"expected each value once, {came}"
        if (following > one) != rises:
            return (
                f"expected numbers that ascend or descend throughout, {came}; if their order means nothing,"
                " say `type: choice`"
            )
    low, high = min(values), max(values)
    if scale == "log" and low <= 0:
        return f"a log scale needs values above 0, got {written(low)}"
    if not math.isfinite(len(values) * (float(high) - float(low))):
        return f"expected numbers that differ by less than 1e304, got {written(low)} and {written(high)}"
    positions = positions_of(values, scale)
    nearest = min(range(1, len(values)), key=lambda i: positions[i] - positions[i - 1])
    if positions[nearest] - positions[nearest - 1] < LEAST_DISTANCE:
        pair = f"{written(values[nearest - 1])} and {written(values[nearest])}"
        advice = "say `scale: log`, or " if scale == "linear" and low > 0 else ""
        return (
            f"expected values that can be told apart, got {pair} in a range from {written(low)} to"
            f" {written(high)}; {advice}put quotation marks about all of them: texts lie evenly"
        )
    return ""


def positions_of(values: Sequence[Any], scale: str) -> tuple[float, ...]:
    """(k,) ascending, of values without a mistake: the first and the last half a k-th from the ends, as those
    of k whole numbers have it, numbers in between by their distances, or those of their logarithms, texts
    evenly.
    """
    k = len(values)
    places: Sequence[float] = range(k)
    if is_number(values[0]):
        places = [math.log(value) for value in values] if scale == "log" else values
    first, last = places[0], places[-1]
    return tuple((0.5 + (k - 1) * (place - first) / (last - first)) / k for place in places)
