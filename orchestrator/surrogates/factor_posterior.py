"""What acquisitions and maximisers ask of an additive surrogate, however it learned its factors.

Points are in the unit cube here, not embedded: (m, D) whole points, or (m, |V_j|) the coordinates of factor
j in the factor's own order.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from orchestrator.domain import Domain
from orchestrator.surrogates.exact import PosteriorGradients
from orchestrator.surrogates.factor_graph import FactorGraph

FloatArray = NDArray[np.float64]


class FactorPosterior(Protocol):
    """Beliefs in each factor and in their sum."""

    @property
    def graph(self) -> FactorGraph:
        """The decomposition."""
        ...

    def factor_mean_and_variance(self, j: int, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(m,) posterior means and variances of factor j at (m, |V_j|) coordinates."""
        ...

    def factor_gradients(self, j: int, X: FloatArray) -> PosteriorGradients:
        """The same with gradients (m, |V_j|) in the coordinates; 0 in a categorical one."""
        ...

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(m,) posterior means and variances of the sum at (m, D) points."""
        ...


def coordinate_gradient(embedded: FloatArray, domain: Domain) -> FloatArray:
    """(m, E) gradients in embedded columns to (m, D) in coordinates: 0 where a coordinate is categorical."""
    gradient = np.zeros((len(embedded), domain.dimension))
    for e, parameter in enumerate(domain.embedded_parameter):
        if domain.coordinates[parameter].kind != "categorical":
            gradient[:, parameter] = embedded[:, e]
    return gradient


def in_coordinates(gradients: PosteriorGradients, domain: Domain) -> PosteriorGradients:
    """A posterior whose gradients are in the coordinates of ``domain`` rather than in its embedding."""
    return PosteriorGradients(
        gradients.mean,
        gradients.variance,
        coordinate_gradient(gradients.mean_gradient, domain),
        coordinate_gradient(gradients.variance_gradient, domain),
    )
