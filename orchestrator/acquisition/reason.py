"""Why a point was chosen, as far as its acquisition knows.

Notation: E embedded columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from orchestrator.acquisition.posterior import Acquisition
from orchestrator.acquisition.thompson import ThompsonSample

FloatArray = NDArray[np.float64]


def reason(acquisition: Acquisition, point: FloatArray) -> dict[str, Any]:
    """Of an embedded (1, E) point: how much of its score was ``exploration``, and whether the score is that
    of a function ``drawn`` from the belief.
    """
    exploration = float(acquisition.exploration(point)[0])
    if isinstance(acquisition, ThompsonSample):
        return {"exploration": exploration, "drawn": True}
    return {"exploration": exploration}
