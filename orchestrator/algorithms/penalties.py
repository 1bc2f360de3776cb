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
EQUAL, APART = 1.0, 10.0
"""How many times farther below all others than these lie apart, for values that are the same to the bit, and
for any.
"""
SHARE_OF_GAP = 0.25
"""How far into the gap above penalties that differ those to come may lie."""
LARGEST = 1000
"""Of more results penalties are not looked for: who has so many has long been told one."""


def highest_penalty(values: FloatArray, designed: int) -> float | None:
    """The highest number that counts as a penalty beside (n,) values, NaN for failures; None if there are no
    penalties among them.

    Penalties are two or more, and below all others by more than these lie apart: by 10 times that, and by
    more than they themselves do, unless they are all equal. Of the first ``designed`` values, which lie all
    over the domain, four at least have to be among the others: where a search has closed in on a top, values
    below may well be far away.
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
    own_spans = ascending[1:-1] - ascending[0]
    steps = np.append(np.diff(ascending) > 0.0, True)
    others = np.cumsum(steps[::-1])[::-1][2:]
    of_the_design = np.cumsum((order < designed)[::-1])[::-1][2:]
    enough = (others >= max(FEWEST, designed / 2)) & (of_the_design >= FEWEST)
    equal = (own_spans == 0.0) & (gaps > EQUAL * spans)
    apart = (gaps > APART * spans) & (gaps > own_spans)
    found = np.flatnonzero(enough & (equal | apart))
    if len(found) == 0:
        return None
    last = found[-1]
    highest = ascending[1 + last] + (SHARE_OF_GAP * gaps[last] if apart[last] else 0.0)
    return float(highest)
