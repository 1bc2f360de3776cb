"""What a model of results asks of the hypotheses that it is made of, whatever these were told.

Notation: M hypotheses, n results, p points, E embedded columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.scales.standardise import Standardisation


class PosteriorOfValues(Protocol):
    """Of a function, standardised and without noise."""

    def mean_at(self, X: FloatArray) -> FloatArray:
        """(p,) means at (p, E) inputs."""
        ...

    def mean_and_variance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The same, and (p,) variances."""
        ...


class BelievedFunction(Protocol):
    """A hypothesis with its posterior."""

    @property
    def scale(self) -> Standardisation:
        """On which it sees values."""
        ...

    @property
    def posterior(self) -> PosteriorOfValues:
        """By all results."""
        ...

    @property
    def unresolved_variance(self) -> float:
        """Of detail that results do not resolve, standardised."""
        ...

    @property
    def inferred_noise(self) -> float:
        """How one more value varies about the function, but for what is told with it, standardised."""
        ...

    def expected(self, X: FloatArray) -> FloatArray:
        """(p,) what values are believed to be without their noise, in the objective's units."""
        ...

    def covariances(self, X: FloatArray) -> FloatArray:
        """(p, p) of the function at (p, E) inputs together."""
        ...

    def covariances_between(self, X: FloatArray, places: FloatArray) -> FloatArray:
        """(p, P) of the function at (p, E) inputs with (P, E) places."""
        ...

    def left_out(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(n,) values, by how much each is above what the other results say of it, and variances of that,
        noise and all; standardised.
        """
        ...


class BeliefOfResults(Protocol):
    """M of them, weighted."""

    @property
    def members(self) -> Sequence[BelievedFunction]:
        """All of them."""
        ...

    @property
    def weights(self) -> FloatArray:
        """(M,) probabilities."""
        ...

    @property
    def by_name(self) -> dict[str, float]:
        """The probability of each by what it is called, the most probable first."""
        ...

    @property
    def leader(self) -> BelievedFunction:
        """The most probable one."""
        ...
