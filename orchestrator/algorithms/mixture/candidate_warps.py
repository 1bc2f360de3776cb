"""Ways of measuring values that are worth weighing by evidence: heavy tails drawn in, or what is lacking.

Where a function has narrow peaks, their values are a heavy tail only as long as points are spread over the
domain. Once an optimiser gathers its points on one peak, the values told look like two heaps, and a warp
fitted to them draws nothing in. So the start design's values say where tails begin.

Where a function falls off over several orders of magnitude, as a fourth power or an error squared does, all
that is near its top looks alike beside the rest. There the logarithm of what is lacking of the best value
told shows the one and the other. Hills on a plain have few high values and many low ones; the logarithm would
make the plain look flatter still, and other hills out of the question. And of noisy values the best one is
the luckiest: what the others lack of it says little.

Once a search has gathered its points on a top, they lack next to nothing. A logarithm that counted from there
would put any other, higher top as far above this one as nothing else ever was, and so out of the question.
"""

from __future__ import annotations

import numpy as np

from orchestrator.algorithms.additive.scales import FEWEST_DESIGNED, SHAPES
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.scales.warp import Warp

# In interquartile ranges of the start design's values.
SPREADS = (0.3, 1.0)
# Which quantile of all values the logarithm counts from.
QUANTILES = (0.5, 0.75, 0.9)
# And at the least from this part of what the start design's upper half spans.
NARROWEST = 0.01
# How many times as far from zero as its best value the start design's median is at the least, for the
# logarithm of magnitudes: over less it is next to a line.
SEVERAL = 3.0


def candidate_warps(values: FloatArray, designed: int, *, noisy: bool) -> list[Warp]:
    """At most ten, no two alike, for (n,) values that succeeded, in the order told, of which the first
    ``designed`` came from the start design: that fitted to all of them, three shapes about the start design's
    median, and logarithms below the best where values are not ``noisy`` and the start design's lower half is
    the wider.
    """
    start = values[: max(designed, FEWEST_DESIGNED)]
    candidates = [Warp.fitted(values)]
    if len(start) >= FEWEST_DESIGNED:
        candidates += [Warp.about(start, *shape, spread) for shape in SHAPES for spread in SPREADS]
        lowest, median, highest = (float(q) for q in np.quantile(start, [0.0, 0.5, 1.0]))
        if not noisy and median - lowest > highest - median:
            narrowest = NARROWEST * (highest - median)
            candidates += [Warp.below_best(values, part, narrowest) for part in QUANTILES]
    # Where all count from the same narrowest part, the logarithms are one.
    return [warp for warp in dict.fromkeys(candidates) if warp is not None]


def of_magnitudes(values: FloatArray, designed: int) -> list[Warp]:
    """The logarithm of magnitudes, of exact values told as above, if all are below zero; none where those of
    the start design are less than several times as far from it as their best.
    """
    start = values[: max(designed, FEWEST_DESIGNED)]
    if len(start) < FEWEST_DESIGNED:
        return []
    median, highest = float(np.median(start)), float(start.max())
    if not median < SEVERAL * highest < 0.0:
        return []
    warp = Warp.below_zero(values, NARROWEST * -highest)
    return [] if warp is None else [warp]
