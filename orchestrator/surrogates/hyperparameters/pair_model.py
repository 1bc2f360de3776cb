"""What a kernel has to say to have its hyperparameters found: its covariances of all pairs of points, and how
they change with each hyperparameter.

Notation: n points, P = n (n - 1) / 2 pairs, k free hyperparameters, theta (k,) their logarithms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.hyperparameters.beliefs import LogNormal

H = TypeVar("H")


@dataclass(frozen=True, eq=False, slots=True)
class PairCovariances:
    """(P,) covariances of pairs, the prior ``variance`` and the ``noise`` of each value, and the derivatives
    of all three by theta: ``slopes`` (k, P), ``variance_slopes`` (k,) and ``noise_slopes`` (k,). Where values
    differ in their variance it is (n,), and its slopes are (k, n).
    """

    pairs: FloatArray
    variance: float | FloatArray
    noise: float
    slopes: FloatArray
    variance_slopes: FloatArray
    noise_slopes: FloatArray

    @property
    def diagonal_slopes(self) -> FloatArray:
        """(k, n), or (k, 1) where they are the same for all values: derivatives of variance and noise."""
        slopes: FloatArray = self.variance_slopes.reshape(len(self.slopes), -1) + self.noise_slopes[:, None]
        return slopes


class PairModel(Protocol[H]):
    """A kernel whose hyperparameters are to be found."""

    @property
    def beliefs(self) -> tuple[LogNormal, ...]:
        """(k,) what is believed of each free hyperparameter."""
        ...

    @property
    def cold_starts(self) -> Sequence[FloatArray]:
        """(k,) each: from where to search, in this order, if nothing better is known."""
        ...

    def hyperparameters(self, theta: FloatArray) -> H:
        """theta as a value that other parts can read."""
        ...

    def theta(self, values: H) -> FloatArray:
        """(k,) the free logarithms nearest to ``values``."""
        ...

    def covariances(self, theta: FloatArray) -> PairCovariances:
        """Of all pairs of points, without the noise that values brought themselves."""
        ...
