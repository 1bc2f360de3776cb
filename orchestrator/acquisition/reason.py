"""Why a point was chosen, as far as its acquisition knows.

Notation: E embedded columns.
"""

from __future__ import annotations

from typing import Any, Protocol

from orchestrator.acquisition.thompson import ThompsonSample
from orchestrator.arrays import FloatArray


class Explores(Protocol):
    """An `Acquisition`, or what is one of points that are not embedded."""

    def exploration(self, X: FloatArray) -> FloatArray:
        """(n,) shares in [0, 1] of the score at n points that uncertainty makes, not the mean."""
        ...


def reason(acquisition: Explores, point: FloatArray) -> dict[str, Any]:
    """Of a point, (1, E) embedded or as its acquisition takes it: how much of its score was ``exploration``,
    and whether the score is that of a function ``drawn`` from the belief.
    """
    exploration = float(acquisition.exploration(point)[0])
    if isinstance(acquisition, ThompsonSample):
        return {"exploration": exploration, "drawn": True}
    return {"exploration": exploration}
