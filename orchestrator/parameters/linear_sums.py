"""What is computed from the parameters of a space that models may see as they see parameters: components of
mixtures, which the others leave so much.

Notation: n points, C coordinates of those that one is computed from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.expressions.computed import Computed
from orchestrator.parameters.computed_parameters import ComputedParameters
from orchestrator.parameters.kinds import FloatParameter
from orchestrator.unit_cube.polytope import linear_parts
from orchestrator.unit_cube.sums import Sum

LEAST_RANGE = 1e-9


def linear_sums(computed: ComputedParameters | None) -> Mapping[str, Sum]:
    """By name, of those with bounds that are linear in several coordinates of floats which always count and
    do not come round.
    """
    if computed is None:
        return {}
    found = {one.name: _sum(computed, one, one.bounds) for one in computed.formulas if one.bounds is not None}
    return {name: one for name, one in found.items() if one is not None}


def _sum(computed: ComputedParameters, one: Computed, bounds: tuple[float, float]) -> Sum | None:
    axes = [j for j, p in enumerate(computed.parameters) if p.name in computed.sources[one.name]]
    parents: list[FloatParameter] = []
    for j in axes:
        parent = computed.parameters[j]
        if not isinstance(parent, FloatParameter) or parent.periodic or parent.name in computed.conditional:
            return None
        parents.append(parent)

    def values(positions: FloatArray) -> FloatArray:
        n = len(positions)
        told = {name: np.full(n, value) for name, value in computed.constants}
        told |= {p.name: p.numbers(x) for p, x in zip(parents, positions.T, strict=True)}
        return computed.beside(told, None, n)[one.name][:, None]

    with np.errstate(all="ignore"):
        slopes, less = linear_parts(values, len(axes), np.random.default_rng(len(axes)))
    if not len(slopes) or np.count_nonzero(slopes[0]) < 2:
        return None
    return _share(slopes[0], -float(less[0]), bounds, axes, len(computed.parameters))


def _share(
    slopes: FloatArray, at_zero: float, bounds: tuple[float, float], axes: Sequence[int], dimension: int
) -> Sum | None:
    """As a share of the range that the bounds, its own and those of the others, leave."""
    low = max(bounds[0], at_zero + float(np.minimum(slopes, 0.0).sum()))
    high = min(bounds[1], at_zero + float(np.maximum(slopes, 0.0).sum()))
    width = high - low
    if not width > LEAST_RANGE * float(np.abs(slopes).max()):
        return None
    factors = np.zeros(dimension)
    factors[list(axes)] = slopes / width
    return Sum((at_zero - low) / width, tuple(factors.tolist()))
