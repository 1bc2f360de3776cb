"""Who of those that came to a rung goes on to the next.

Notation: n results, C slacks of constraints on outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from orchestrator.algorithms.standing import best_first, standings
from orchestrator.arrays import FloatArray, IndexArray

Entry = TypeVar("Entry")


def promotable(ranked: Sequence[Entry], reduction: int, waits: Callable[[Entry], bool]) -> Iterator[int]:
    """The places, from 0 on, of those among the first 1/``reduction`` of a rung's entries, the best first,
    that still wait there.

    Source: Li et al. 2020, Algorithm 2, lines 13 to 18.
    """
    for place, entry in enumerate(ranked[: len(ranked) // reduction]):
        if waits(entry):
            yield place


def ranks(values: FloatArray, slacks: FloatArray) -> IndexArray:
    """(n,) the place of each among all by (n,) ``values``, NaN where an evaluation failed, the highest first:
    after those that satisfy constraints by (n, C) ``slacks`` those that do not, the more they lack the
    later; then those that failed. Among equals the first told leads.
    """
    places = np.empty(len(values), dtype=np.intp)
    places[best_first(standings(values, slacks))] = np.arange(len(values))
    return places
