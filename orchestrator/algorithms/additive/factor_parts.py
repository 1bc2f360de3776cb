"""What each factor is believed to add at a point, for people.

Notation: F factors.
"""

from __future__ import annotations

import math

from orchestrator.algorithms.base import Part, Prediction
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.decompositions.factor_graph import Decomposition
from orchestrator.surrogates.scales.standardise import Standardisation


def parts(
    factors: Decomposition,
    moments: tuple[FloatArray, FloatArray],
    total: float,
    scale: Standardisation,
) -> tuple[Part, ...]:
    """Of (F,) means and variances, standardised by ``scale``, as ``total`` is, the sum of them."""
    units = scale.units_at(total)
    means, variances = moments
    return tuple(
        Part(factor, Prediction(units * float(mean), units * math.sqrt(variance)))
        for factor, mean, variance in zip(factors, means, variances, strict=True)
    )
