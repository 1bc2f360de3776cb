"""Which derivatives are left out as all the rest contradicts them, in words.

Notation: n results, D coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orchestrator.arrays import BoolArray

MOST_TOLD = 5
"""Trials, of which the first are named."""


def in_words(contradicted: BoolArray, told: BoolArray, trials: Sequence[int]) -> str:
    """Which derivatives are ``contradicted`` of those ``told``, both (n, D), one at least, by the (n,)
    numbers of ``trials`` and those of parameters, which count from 1.
    """
    every = (contradicted == told).all(axis=0) & contradicted.any(axis=0)
    parts = [f"all by parameter {j + 1}" for j in np.flatnonzero(every).tolist()]
    left = contradicted & ~every
    whole = left.any(axis=1) & (left == told & ~every).all(axis=1)
    groups: dict[str, list[int]] = {}
    for row in np.flatnonzero(left.any(axis=1)).tolist():
        numbers = [j + 1 for j in np.flatnonzero(left[row]).tolist()]
        along = "" if whole[row] else f" by parameter {_listed(numbers)}"
        groups.setdefault(along, []).append(trials[row])
    parts += [
        f"of {'trials' if len(own) > 1 else 'trial'} {_listed(own)}{along}" for along, own in groups.items()
    ]
    return "; ".join(parts)


def _listed(numbers: Sequence[int]) -> str:
    """At most so many, and how many more."""
    named = [str(number) for number in numbers[:MOST_TOLD]]
    more = [f"{len(numbers) - MOST_TOLD} more"] if len(numbers) > MOST_TOLD else []
    *first, last = [*named, *more]
    return f"{', '.join(first)} and {last}" if first else last
