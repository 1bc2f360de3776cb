"""Derivatives by parameters, in their own units, as ones by coordinates of the unit cube.

Notation: D coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.parameters.kinds import FloatParameter
from orchestrator.parameters.space import Space
from orchestrator.values.finite import is_number
from orchestrator.values.named import Values


def differentiable(space: Space) -> tuple[str, ...]:
    """The parameters by which there may be derivatives: those that take any value between bounds."""
    return tuple(one.name for one in space.parameters if isinstance(one, FloatParameter) and not one.periodic)


def in_the_cube(space: Space, parameters: Values, derivatives: Mapping[str, float]) -> FloatArray:
    """(D,) by the chain rule, at ``parameters``, NaN where one is not known; what does not vary in this space
    is left out.
    """
    found = np.full(len(space.parameters), np.nan)
    for j, one in enumerate(space.parameters):
        value = parameters.get(one.name)
        if isinstance(one, FloatParameter) and one.name in derivatives and is_number(value):
            found[j] = derivatives[one.name] * _stretch(one, value)
    return np.asarray(np.where(np.isfinite(found), found, np.nan))


def _stretch(parameter: FloatParameter, value: Any) -> float:
    """By how much the value changes with the position."""
    low, high = float(parameter.low), float(parameter.high)
    if parameter.scale == "log":
        # No logarithm of their ratio, which may be larger than a float.
        return float(value) * (math.log(high) - math.log(low))
    return high - low
