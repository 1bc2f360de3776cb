"""How well a hypothesis foretells each result by all others, hyperparameters being those fitted to all.

Notation: n results.
"""

from __future__ import annotations

import math

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.numerics.moments import moments
from orchestrator.sensitivity.belief_of_results import BelievedFunction


def log_densities(function: BelievedFunction, values: FloatArray, finest: float = 0.0) -> FloatArray:
    """(n,) of the (n,) ``values`` that a function was told, each by all others, in the objective's units.
    None counts as foretold any nearer than ``finest`` of the deviation of all.
    """
    _, off, told = function.left_out()
    log_slopes = function.scale.log_slopes(values)
    deviation = float(moments(values[:, None])[1][0])
    variances = np.maximum(told, (finest * deviation * np.exp(log_slopes)) ** 2)
    return np.asarray(-0.5 * (off**2 / variances + np.log(2.0 * math.pi * variances)) + log_slopes)
