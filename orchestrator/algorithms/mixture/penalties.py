"""Values that stand for failures: a penalty, such as 1e6 or the largest number there is, told for what broke.

As values they would be all that a model sees; as failures they say where not to go, and no more.

Notation: n results.
"""

from __future__ import annotations

import numpy as np

from orchestrator.algorithms.history import History
from orchestrator.arrays import BoolArray, FloatArray, IndexArray

FEWEST = 4
"""Penalties can be told from other values where there are so many others, no two of them alike, and so many
others from the start design.
"""
EQUAL, APART = 1.0, 10.0
"""How wide the gap above penalties is at least, as a multiple of the range of all values above it: where they
are the same to the bit, and where they are not.
"""
FAR_APART = 1e3
"""How wide it is at least above penalties that are the same to the bit, where hardly any of the start design
came off. Whoever climbs a hill out of a plain meets values in between.
"""
ALONE = 1e6
"""How wide it is at least below all other values for a single one to be a penalty. Nothing that is worth
knowing of the others is left on a scale that holds both.
"""
SHARE_OF_GAP = 0.25
"""Penalties to come may be higher than those told, up to this part of a gap that is `APART` times as wide."""
LARGEST = 1000
"""Among more results penalties are not looked for: where evaluations break, some have by then."""


def highest_penalty(values: FloatArray, designed: int, apart: BoolArray | None = None) -> float | None:
    """The highest number that counts as a penalty beside (n,) values, NaN for failures; None if there are no
    penalties among them. Those that stand ``apart`` (n,) are not looked at: a room that is too cold, or a
    mesh that is too coarse, is no failure.

    Penalties are two values or more, below a gap. Where they are all equal, the gap is wider than the range
    of the values above it; else it is 10 times as wide as that, and wider than their own range. One alone is
    a penalty if its gap is a million times as wide. Of the first ``designed`` values, which lie all over the
    domain, four at least have to be above the gap: where a search has closed in on a top, values below may
    well be far away. Penalties that are all equal need none of these above a gap a thousand times as wide.
    """
    if not designed <= len(values) <= LARGEST:
        return None
    if apart is not None and apart.any():
        values = np.where(apart, np.nan, values)
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
    enough, all_over = others >= max(FEWEST, designed / 2), of_the_design >= FEWEST
    equal = (own_spans == 0.0) & (gaps > np.where(all_over, EQUAL, FAR_APART) * spans)
    wide = (gaps > APART * spans) & (gaps > own_spans)
    found = np.flatnonzero(enough & (equal | (wide & all_over)))
    if len(found) == 0:
        return _alone(ascending, order, designed)
    last = found[-1]
    highest = ascending[1 + last] + (SHARE_OF_GAP * gaps[last] if wide[last] else 0.0)
    return float(highest)


def penalty_among(values: FloatArray, designed: int, apart: BoolArray | None = None) -> float:
    """The same number; below all others where there are no penalties."""
    penalty = highest_penalty(values, designed, apart)
    return float(np.finfo(float).min) if penalty is None else penalty


def count_penalties_as_failures(history: History, designed: int) -> None:
    """Of the values told, whose first ``designed`` are those of the start design, and of those to come."""
    penalty = highest_penalty(history.values, designed, history.apart)
    if penalty is not None:
        history.count_as_failed(penalty)


def _alone(ascending: FloatArray, order: IndexArray, designed: int) -> float | None:
    """The lowest value if it is a penalty by itself; None if not."""
    above = ascending[1:]
    enough = len(np.unique(above)) >= max(FEWEST, designed / 2)
    of_the_design = np.count_nonzero(order[1:] < designed) >= FEWEST
    far = above[0] - ascending[0] > ALONE * (above[-1] - above[0])
    return float(ascending[0]) if enough and of_the_design and far else None
