"""What a design is worth over the conditions that it is used in, by its value in each of some of them.

Notation: m conditions, w their weights, which add up to 1; r(f) what values f (m,) are worth together; k rows
of values. r is of first order in f: r(f) = sum_j t_j f_j, with t_j the part of the weight of condition j that
counts, so that t is also the gradient of r.

Source: conditional value at risk, Rockafellar & Uryasev 2000.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.values.over import Over

ROUNDING = 1e-12
"""Of sums of weights."""


def counted_weights(values: FloatArray, weights: FloatArray, over: Over) -> FloatArray:
    """(k, m) t of (k, m) ``values``, the more the better, with (m,) ``weights``: those of the conditions
    whose values are the lowest, as far as the share of ``over`` goes, over that share. Each row adds up to 1.
    """
    if over.is_average:
        return np.broadcast_to(weights, values.shape)
    order = np.argsort(values, axis=1, kind="stable")
    ascending = weights[order]
    before = np.cumsum(ascending, axis=1) - ascending
    if over.quantile or over.share == 0.0:
        # The first at which the weights come to more than the share.
        reached = (before + ascending > over.share + ROUNDING).argmax(axis=1)
        counted = np.zeros(values.shape)
        counted[np.arange(len(values)), reached] = 1.0
    else:
        counted = np.clip(over.share - before, 0.0, ascending) / over.share
    found = np.empty(values.shape)
    np.put_along_axis(found, order, counted, axis=1)
    return found


def over_conditions(values: FloatArray, weights: FloatArray, over: Over) -> FloatArray:
    """(k,) r of (k, m) values, the more the better."""
    return np.asarray((counted_weights(values, weights, over) * values).sum(axis=1))
