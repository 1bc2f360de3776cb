"""What an evaluation is expected to add to the best that is believed in each of several conditions.

By a Gaussian process an evaluation moves all means along one line: that at place a by s_a Z, with Z standard
normal, where s_a is the covariance of a with the point evaluated over the deviation of what is found there.
What is believed best in a condition is the highest of its places' means. By the best place alone and one
other, which is behind it by d and moves by s more or less than it, the highest is expected to grow by
|s| h(-|d| / |s|). Others are overtaken where Z is above 0, and others where it is below, so that the most of
those that gain on the best place for a Z above 0, and the most of those that do for a Z below, add up.

Notation: k points evaluated, m conditions, A places of each beside the best one.

Source: Frazier, Powell & Dayanik 2009, "The knowledge-gradient policy for correlated normal beliefs"; summed
over conditions after Pearce & Branke 2018, "Continuous multi-task Bayesian optimisation with correlation".
Deviations: of the lines that are the highest for some Z, which they sort, one on each side counts, so that
what comes out is at most what is to be gained, and all of it where no third line takes part. Where a place is
ahead of what was taken for the best, the two are told apart as well, but what others gain is counted from the
latter: it may then be a little more.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.numerics import normal

NOTHING = float(np.finfo(float).tiny)
"""A move by less is none."""


def profile_gains(behind: FloatArray, moves: FloatArray) -> FloatArray:
    """(k, m) by how much the highest mean of each condition is expected to grow with an evaluation at each
    point: of (k, m, A) ``moves``, each that of a place less that of the best one, by a Z of 1, and (k, m, A)
    means by which places are ``behind`` it, below 0 where they are ahead, infinite for what is no place.
    """
    size = np.maximum(np.abs(moves), NOTHING)
    with np.errstate(over="ignore"):
        gains = size * normal.h_below_zero(-np.abs(behind) / size)
    above = np.where(moves > 0.0, gains, 0.0).max(axis=2)
    below = np.where(moves < 0.0, gains, 0.0).max(axis=2)
    return np.asarray(above + below)
