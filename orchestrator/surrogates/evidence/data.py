"""What hyperparameters are fitted to: results of a function, as its models see them.

Notation: n observations, E embedded columns, D parameters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.surrogates.covariances.block_offsets import Blocks


@dataclass(frozen=True, eq=False, slots=True)
class Data:
    """What hyperparameters are fitted to: (n, E) embedded inputs and (n,) standardised values.

    ``embedded_parameter`` (E,) is `Domain.embedded_parameter`, or `Domain.embedded_aspect` where each number
    that describes a choice, and each sum, counts as a parameter. ``extra_noise`` (n,), if any, holds noise
    variances that observations brought with them, in standardised units, on top of what all share.
    ``log_slopes`` (n,), if any, are `Standardisation.log_slopes` of the values, by which densities of
    standardised values become densities of values; NaN where a value stands for a failed evaluation.
    ``blocks``, if any, are those that the observations share offsets by.
    """

    X: FloatArray
    y: FloatArray
    embedded_parameter: IndexArray
    extra_noise: FloatArray | None = None
    log_slopes: FloatArray | None = None
    blocks: Blocks | None = None

    def __post_init__(self) -> None:
        n, columns = self.X.shape
        extra, slopes = self.extra_noise, self.log_slopes
        if self.blocks is not None and len(self.blocks) != n:
            raise ValueError(f"expected {n} blocks, one for each value, got {len(self.blocks)}")
        if (
            len(self.y) != n
            or len(self.embedded_parameter) != columns
            or (extra is not None and len(extra) != n)
            or (slopes is not None and len(slopes) != n)
        ):
            raise ValueError(
                f"expected {n} values and {columns} column owners for inputs of shape {self.X.shape}; "
                f"got {len(self.y)} and {len(self.embedded_parameter)}"
                + ("" if extra is None else f", and {len(extra)} noise variances")
                + ("" if slopes is None else f", and {len(slopes)} slopes")
            )

    @property
    def dimension(self) -> int:
        """D, the number of parameters."""
        return int(self.embedded_parameter.max()) + 1 if len(self.embedded_parameter) else 0

    def take(self, rows: IndexArray) -> Data:
        """Some of the observations."""
        extra = None if self.extra_noise is None else self.extra_noise[rows]
        slopes = None if self.log_slopes is None else self.log_slopes[rows]
        blocks = None if self.blocks is None else self.blocks.take(rows)
        return Data(self.X[rows], self.y[rows], self.embedded_parameter, extra, slopes, blocks)

    @property
    def ranked(self) -> FloatArray:
        """(n,) by what results are ranked: failures last, wherever a scale has its average."""
        return self.y if self.log_slopes is None else np.where(np.isnan(self.log_slopes), -np.inf, self.y)

    @property
    def log_jacobian(self) -> float:
        """The sum of ``log_slopes``, 0 if there are none: failures have no density that could change."""
        if self.log_slopes is None:
            return 0.0
        told = self.log_slopes[~np.isnan(self.log_slopes)]
        return len(told) * float(told.mean()) if len(told) else 0.0
