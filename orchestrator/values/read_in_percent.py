"""Differences as shares that people read in percent: no row of zeros, and not many times as much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from orchestrator.values.percent import MOST_IN_PERCENT

LEAST_IN_PERCENT: Final = 1e-6
LEAST_SEEN: Final = 1e-4


def is_read_in_percent(shares: Sequence[float]) -> bool:
    """Whether a person would read them so: the farthest from 0 is neither next to nothing nor many times as
    much. None at all is read, as 0 %.
    """
    farthest = max(map(abs, shares))
    return farthest == 0.0 or LEAST_IN_PERCENT <= farthest < MOST_IN_PERCENT


def shares_seen(shares: Sequence[float]) -> list[float]:
    """A share and its bounds; what is next to nothing beside the farthest as 0, for it would be told in a row
    of zeros.
    """
    least = LEAST_SEEN * max(map(abs, shares))
    return [share if abs(share) > least else 0.0 for share in shares]
