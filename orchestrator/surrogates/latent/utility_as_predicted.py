"""What is believed of a utility once points that nobody has compared yet came out as predicted.

Where what is told is what was believed, means stay as they are, and only what is doubtful about the points
becomes certain.

Notation: k points pending, m comparisons, E embedded columns; g and W as in `laplace`.
Source: Ginsbourger, Le Riche & Carraro 2010, the kriging believer.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.latent.laplace import factorised
from orchestrator.surrogates.latent.utility import Compared, UtilityPosterior

KNOWN = 1e3
"""W of what is taken for certain, which is that of an error of 0.03, where that of a comparison is 1."""


def as_predicted(utility: UtilityPosterior, other: FloatArray, pending: FloatArray) -> UtilityPosterior:
    """As if by how much each of (k, E) ``pending`` points is better than an (E,) ``other`` one were known,
    and as it is expected to be. Raises FactorisationError where nothing can be factorised.
    """
    k = len(pending)
    compared = _with_pending(utility.compared, other, pending)
    C = compared.covariance(utility.kernel.matrix(compared.X))
    curvature = np.append(utility.found.curvature, np.full(k, KNOWN))
    gradient = np.append(utility.found.gradient, np.zeros(k))
    found = replace(
        utility.found,
        covariance=C,
        mode=C @ gradient,
        gradient=gradient,
        curvature=curvature,
        factor=factorised(C, np.sqrt(curvature)),
    )
    return UtilityPosterior(compared, utility.kernel, found)


def _with_pending(compared: Compared, other: FloatArray, pending: FloatArray) -> Compared:
    """As if they had been compared with the other one, in the last k places."""
    n, k = len(compared.X), len(pending)
    pairs = np.column_stack([np.arange(n + 1, n + 1 + k), np.full(k, n)])
    return Compared(
        np.vstack([compared.X, other, pending]),
        np.vstack([compared.pairs, pairs]).astype(np.intp),
        np.append(compared.alike, np.zeros(k, dtype=bool)),
    )
