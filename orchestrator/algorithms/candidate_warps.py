"""Ways of drawing heavy tails in that are worth weighing by evidence.

Where a function has narrow peaks, their values are a heavy tail only as long as points are spread over the
domain. Once an optimiser gathers its points on one peak, the values told look like two heaps, and a warp
fitted to them draws nothing in. So the start design's values say where tails begin.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from orchestrator.algorithms.additive_scales import FEWEST_DESIGNED, SHAPES
from orchestrator.surrogates.warp import Warp

FloatArray = NDArray[np.float64]

# In interquartile ranges of the start design's values.
SPREADS = (0.3, 1.0)


def candidate_warps(values: FloatArray, designed: int) -> list[Warp]:
    """At most seven, for (n,) values that succeeded, in the order told, of which the first ``designed`` came
    from the start design: that fitted to all of them, and three shapes about the start design's median.
    """
    start = values[: max(designed, FEWEST_DESIGNED)]
    candidates = [Warp.fitted(values)]
    if len(start) >= FEWEST_DESIGNED:
        candidates += [Warp.about(start, *shape, spread) for shape in SHAPES for spread in SPREADS]
    return [warp for warp in candidates if warp is not None]
