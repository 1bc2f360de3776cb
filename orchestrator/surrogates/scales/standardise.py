"""Outputs made comparable: shifted and scaled to mean 0 and deviation 1, warped first if tails are heavy.

Standardised values do not depend on the objective's units: multiplying every output by a positive number,
or adding one, changes nothing that the model sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.scales.warp import Warp

# A spread under this part of the magnitude is rounding, not signal.
_RESOLUTION = 1e-14
# One divided by less is not a number.
_SMALLEST_SCALE = float(np.finfo(float).tiny)
# Of the noise of a value, in standardised units.
_LARGEST_DEVIATION = 1e6
# Of a value, in standardised units. Of those that a scale was fitted to none has more than root n; one that
# is told later, and lies so far off, would be all that a model sees.
_LARGEST_VALUE = 1e6
# In standardised units. A value that is known exactly is known to about a hundredth of it.
_AT_IT = 1e-4


@dataclass(frozen=True, slots=True)
class Standardisation:
    """The map z = (warp(y) - shift) / scale, where scale > 0 and 1 / scale are finite. Without a warp it is
    affine.
    """

    shift: float = 0.0
    scale: float = 1.0
    warp: Warp | None = None

    @classmethod
    def of(cls, values: ArrayLike, warped: bool = False) -> Standardisation:
        """Fitted to (n,) finite values, n >= 0; ``warped`` allows a warp where the likelihood wants one.

        Constant outputs are scaled by their magnitude (by 1 if they are zero); no outputs, not at all.
        Raises ValueError for values that are not finite.
        """
        y = np.asarray(values, dtype=float)
        return cls.under(Warp.fitted(y) if warped and np.isfinite(y).all() else None, y)

    @classmethod
    def under(cls, warp: Warp | None, values: ArrayLike) -> Standardisation:
        """As `of`, with a given warp, or none."""
        y = np.asarray(values, dtype=float)
        if not np.isfinite(y).all():
            raise ValueError("values to standardise must be finite; leave failed evaluations out")
        if y.size == 0:
            return cls()
        if warp is not None:
            y = warp.apply(y)
        magnitude = float(np.abs(y).max())
        if magnitude == 0.0:
            return cls(0.0, 1.0, warp)
        shift = float((y / magnitude).mean()) * magnitude
        scale = float((y / magnitude).std()) * magnitude
        if scale <= _RESOLUTION * magnitude:
            scale = magnitude
        return cls(shift, max(scale, _SMALLEST_SCALE), warp)

    def apply(self, values: ArrayLike) -> FloatArray:
        """Objective's units to standardised, at most 10^6 from 0; any shape."""
        y = np.asarray(values, dtype=float)
        if self.warp is not None:
            y = self.warp.apply(y)
        with np.errstate(over="ignore"):
            z = (y - self.shift) / self.scale
            if np.isinf(z).any():
                z = np.where(np.isinf(z), y / self.scale - self.shift / self.scale, z)
        return np.clip(z, -_LARGEST_VALUE, _LARGEST_VALUE)

    def barely_above(self, bounds: ArrayLike) -> FloatArray:
        """Standardised, what is just above bounds in the objective's units; any shape: a value at a bound,
        which is not above it, lies below this for whoever knows it exactly, and not as likely on either side.
        """
        return self.apply(bounds) + _AT_IT

    def slopes(self, values: ArrayLike) -> FloatArray:
        """d standardised / d value, > 0, at each value in the objective's units; any shape."""
        y = np.asarray(values, dtype=float)
        return (np.ones(y.shape) if self.warp is None else self.warp.slope(y)) / self.scale

    def log_slopes(self, values: ArrayLike) -> FloatArray:
        """The logarithms of `slopes`; NaN where a value is NaN."""
        y = np.asarray(values, dtype=float)
        return np.where(np.isnan(y), np.nan, np.log(self.slopes(y)))

    def undo(self, standardised: ArrayLike) -> FloatArray:
        """Standardised to the objective's units; any shape. The inverse of `apply`."""
        y: FloatArray = np.asarray(standardised, dtype=float) * self.scale + self.shift
        return y if self.warp is None else self.warp.undo(y)

    def apply_variance(self, values: ArrayLike, variances: ArrayLike) -> FloatArray:
        """Noise variances of observed ``values``, in standardised units (to first order, if warped).

        At most 10^12: such a value says nothing, and a model could not calculate with much more.
        """
        slope: FloatArray | float = 1.0 if self.warp is None else self.warp.slope(np.asarray(values, float))
        with np.errstate(over="ignore"):
            deviations: FloatArray = np.sqrt(np.asarray(variances, dtype=float)) * slope / self.scale
        return np.minimum(deviations, _LARGEST_DEVIATION) ** 2

    def units_at(self, standardised: float) -> float:
        """d value / d standardised there, > 0."""
        return float(np.exp(-self.log_slopes(self.undo(standardised))))

    def undo_prediction(self, mean: float, deviation: float) -> tuple[float, float]:
        """A standardised normal belief in the objective's units: mean and deviation.

        Under a warp: the median, and how far the nearer of the points one deviation either side is. The other
        lies in the tail that was drawn in, and may be farther away than any value can be.
        """
        if self.warp is None:
            return float(self.undo(mean)), deviation * self.scale
        low, middle, high = self.undo(np.array([mean - deviation, mean, mean + deviation]))
        return float(middle), float(min(high - middle, middle - low))

    def to_json(self) -> dict[str, Any]:
        """JSON values, exact to the bit."""
        warp = None if self.warp is None else self.warp.to_json()
        return {"shift": self.shift, "scale": self.scale, "warp": warp}

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> Standardisation:
        """What `to_json` wrote."""
        warp = payload.get("warp")
        return cls(
            float(payload["shift"]), float(payload["scale"]), None if warp is None else Warp.from_json(warp)
        )
