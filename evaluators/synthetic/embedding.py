"""A function hidden among parameters that do nothing."""

from __future__ import annotations

import numpy as np

from evaluators.synthetic.definition import Box, FloatArray, Optimum, SyntheticFunction


def embedded(inner: SyntheticFunction, dimension: int) -> SyntheticFunction:
    """The same function with further continuous parameters in [0, 1] that it ignores.

    Its own parameters keep their order and bounds, at places drawn from a stream that depends on the
    dimensions alone. The optimum is listed with the idle parameters at 0.5, where any value will do. No
    decomposition is told: that only a few parameters count is for the optimiser to find.
    """
    if dimension <= inner.dimension:
        raise ValueError(
            f"expected more than the {inner.dimension} dimensions of {inner.name}, got {dimension}"
        )
    rng = np.random.default_rng(np.random.SeedSequence([inner.dimension, dimension]))
    active = np.sort(np.argsort(rng.random(dimension), kind="stable")[: inner.dimension])

    def spread(rows: FloatArray, filling: tuple[float, float]) -> FloatArray:
        everywhere = np.tile(filling, (dimension, 1))
        everywhere[active] = rows
        return everywhere

    kinds = list(Box.cube(0.0, 1.0, dimension).kinds)
    for place, kind in zip(active, inner.box.kinds, strict=True):
        kinds[place] = kind
    points = np.full((len(inner.optimum.points), dimension), 0.5)
    points[:, active] = inner.optimum.points
    return SyntheticFunction(
        name=f"{inner.name}-in-{dimension}",
        box=Box(
            spread(inner.bounds, (0.0, 1.0)), tuple(kinds), reach=spread(inner.box.extent, (-np.inf, np.inf))
        ),
        optimum=Optimum(inner.optimum.value, points),
        terms=lambda everything: inner.terms(everything[:, active]),
        goal=inner.goal,
    )
