"""How much of a function's variance each parameter is the reason of: Sobol indices.

Over the whole of each parameter's range, or all of its choices, whatever constraints between parameters say:
shares are defined where parameters vary independently of one another. A parameter that does not count where
others have some values changes nothing there.

Notation: D parameters, m points of each sample. Source: Saltelli et al. 2010 (first-order indices), Jansen
1999 (total ones).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import qmc, sobol_indices

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.even_points import at_positions

MOST_SAMPLES, FEWEST_SAMPLES, MOST_POINTS = 1024, 64, 1 << 16


@dataclass(frozen=True, eq=False, slots=True)
class VarianceShares:
    """(D,) shares of the variance: ``alone``, which goes once a parameter is known, and ``in_all``, which
    stays while only it is unknown, and has what it does together with others besides. From 0 to 1.
    """

    alone: FloatArray
    in_all: FloatArray


def variance_shares(
    function: Callable[[FloatArray], FloatArray], domain: Domain, rng: np.random.Generator
) -> VarianceShares:
    """Of a function, (m, D) points to (m,) finite values. One that is constant has no shares: all are 0."""
    each = [(j,) for j in range(domain.dimension)]
    return shares_among(function, lambda uniform: at_positions(uniform, domain), each, rng)


def shares_among(
    function: Callable[[FloatArray], FloatArray],
    placed: Callable[[FloatArray], FloatArray],
    reasons: Sequence[Sequence[int]],
    rng: np.random.Generator,
) -> VarianceShares:
    """The same of D ``reasons``, each the coordinates that vary together, and apart from others, where
    ``placed`` turns (m, D) uniform numbers into points.
    """
    D = len(reasons)
    drawn = qmc.Sobol(2 * D, seed=rng).random(_samples(D)) if 2 * D <= qmc.Sobol.MAXDIM else None
    if drawn is None:
        drawn = rng.random((_samples(D), 2 * D))
    first, second = placed(drawn[:, :D]), placed(drawn[:, D:])
    mixed = np.tile(first, (D, 1, 1))
    for own, columns in zip(mixed, reasons, strict=True):
        own[:, columns] = second[:, columns]
    every = np.vstack([first, second, mixed.reshape(-1, first.shape[1])])
    values = function(every).reshape(D + 2, 1, -1)
    values = values - values[:2].mean()
    largest = float(np.abs(values).max())
    if largest == 0.0:
        return VarianceShares(np.zeros(D), np.zeros(D))
    # The squares of what is near 1 are doubles.
    values = values / largest
    if not values[:2].std() > 1e-12:
        return VarianceShares(np.zeros(D), np.zeros(D))
    if D == 1:
        # SciPy has no indices of one parameter: all of the variance is that one's.
        return VarianceShares(np.ones(1), np.ones(1))
    found = sobol_indices(func={"f_A": values[0], "f_B": values[1], "f_AB": values[2:]}, n=len(first))
    alone, in_all = (np.clip(np.ravel(shares), 0.0, 1.0) for shares in (found.first_order, found.total_order))
    # What is estimated of either has errors of its own.
    return VarianceShares(np.minimum(alone, in_all), in_all)


def _samples(dimension: int) -> int:
    """A power of two, as the sequence wants it."""
    affordable = 2 ** int(np.log2(MOST_POINTS / (dimension + 2))) if dimension + 2 < MOST_POINTS else 1
    return min(MOST_SAMPLES, max(FEWEST_SAMPLES, affordable))
