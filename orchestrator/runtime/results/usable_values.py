"""Whether a value can be used: one answer wherever values enter, from workers, people and files."""

from __future__ import annotations

import math
from collections.abc import Sequence

FACTORS_LIMIT = 10_000


def why_unusable(
    value: float,
    variance: float | None = None,
    factors: Sequence[float] | None = None,
    wanted: int | None = None,
) -> str:
    """Why a result cannot be used, whoever gave it; empty if it can.

    ``wanted`` is how many factors the spec has, None if it has none: factor values are then kept, and nothing
    is learned from them.
    """
    if not math.isfinite(value):
        return f"expected a finite value, got {value}"
    if variance is not None and not (0.0 <= variance < math.inf):
        return f"expected a variance of at least 0, got {variance}"
    if factors is None:
        return ""
    if not all(map(math.isfinite, factors)):
        return "expected finite factor values"
    if len(factors) > FACTORS_LIMIT:
        return f"expected at most {FACTORS_LIMIT} factor values, got {len(factors)}"
    if wanted is not None and len(factors) != wanted:
        return f"expected {wanted} factor values, as the spec has factors, got {len(factors)}"
    return ""
