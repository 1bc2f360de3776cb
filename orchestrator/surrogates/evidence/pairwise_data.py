"""Values, and the squared differences between all pairs of the inputs that they are of.

A fit looks at the same inputs dozens of times, a sampler at hundreds of decompositions of them: the
differences are computed once, for each parameter, and every kernel is a function of weighted sums of them.

Notation: n points, P = n (n - 1) / 2 pairs, D parameters, S (D, P) squared differences.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import pdist

from orchestrator.arrays import FloatArray
from orchestrator.numerics.pairs import above_diagonal
from orchestrator.surrogates.covariances.covariance import parameter_columns
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.thinning import best_and_spread, evenly


@dataclass(frozen=True, eq=False, slots=True)
class PairwiseData:
    """Values (n,), the noise variances they brought (n,), and S (D, P), which categories enter as 0 or 1.

    ``log_jacobian`` is `Data.log_jacobian` of these values. ``between`` (P,) is what offsets that results of
    a block share add to the covariances of pairs, if there are blocks; ``extra_noise`` has their variance.
    """

    y: FloatArray
    extra_noise: FloatArray
    squared: FloatArray
    log_jacobian: float = 0.0
    between: FloatArray | None = None

    @classmethod
    def of(cls, data: Data, largest: int | None = None) -> PairwiseData:
        """All of ``data``, or ``largest`` of its points: see `best_and_spread`."""
        kept = data.take(best_and_spread(data.ranked, largest))
        extra = np.zeros(len(kept.y)) if kept.extra_noise is None else kept.extra_noise
        columns_of = parameter_columns(data.embedded_parameter, data.dimension)
        squared = np.array([pdist(kept.X[:, columns], "sqeuclidean") for columns in columns_of])
        if kept.blocks is None:
            return cls(kept.y, extra, squared, kept.log_jacobian)
        shared = kept.blocks.matrix
        extra = extra + np.diagonal(shared)
        return cls(kept.y, extra, squared, kept.log_jacobian, above_diagonal(shared))

    def __len__(self) -> int:
        return len(self.y)

    def with_offsets(self, pairs: FloatArray) -> FloatArray:
        """(P,) covariances of pairs of values, by those of the function."""
        return pairs if self.between is None else pairs + self.between

    def thinned(self, count: int) -> PairwiseData:
        """At most ``count`` points, spread evenly."""
        if count >= len(self):
            return self
        kept = evenly(len(self), count)
        first, second = np.triu_indices(len(self), 1)
        inside = np.zeros(len(self), dtype=bool)
        inside[kept] = True
        pairs = inside[first] & inside[second]
        between = None if self.between is None else self.between[pairs]
        return PairwiseData(self.y[kept], self.extra_noise[kept], self.squared[:, pairs], between=between)
