"""Values that stand for failures: a penalty, such as 1e6 or the largest number there is, told for what broke.

As values they would be all that a model sees; as failures they say where not to go, and no more.

Notation: n results.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

FEWEST = 4
"""Other values, each another number, without which nothing can be told from penalties; and of those the start
design's.
"""
EQUAL, APART = 1.0, 100.0
"""How many times farther below all others than these lie apart, for values that are the same to the bit, and
for any.
"""
LARGEST = 1000
"""Of more results penalties are not looked for: who has so many has long been told one."""


def highest_penalty(values: FloatArray, designed: int) -> float | None:
    """The highest of (n,) values, NaN for failures, that looks like a penalty; None if none does.

    Penalties are two or more, and below all others by more than these lie apart: by 100 times that, unless
    they are all equal. Of the first ``designed`` values, which lie all over the domain, four at least have to
    be among the others: where a search has closed in on a top, values below may well be far away.
    """
    if not designed <= len(values) <= LARGEST:
        return None
    order = np.argsort(values, kind="stable")
    order = order[: np.count_nonzero(~np.isnan(values))]
    ascending = values[order]
    if len(ascending) < FEWEST + 2:
        return None
    # Candidates: the first k + 1 values are the penalties, k = 1, ..., n - 2.
    gaps = ascending[2:] - ascending[1:-1]
    spans = ascending[-1] - ascending[2:]
    equal = ascending[1:-1] == ascending[0]
    steps = np.append(np.diff(ascending) > 0.0, True)
    others = np.cumsum(steps[::-1])[::-1][2:]
    of_the_design = np.cumsum((order < designed)[::-1])[::-1][2:]
    enough = (others >= max(FEWEST, designed / 2)) & (of_the_design >= FEWEST)
    found = np.flatnonzero(enough & (gaps > np.where(equal, EQUAL, APART) * spans))
    return float(ascending[1 + found[-1]]) if len(found) else None
