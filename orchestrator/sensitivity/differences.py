"""By how much a function's value is believed to be other at one point than at another, and how surely.

Notation: p points, C outcomes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.believed_together import Drawn, even_normals
from orchestrator.sensitivity.value_model import ValueModel
from orchestrator.unit_cube.settings_off import SettingsOff

LOW, HIGH = 0.025, 0.975
"""Between these shares of what is believed of a difference lies the interval that is told."""
WAYS = 4096
"""In which values may come out together; a power of two."""
SURELY_OF_ONE_SIGN = 0.995
"""How much of what is believed of a value lies on one side of 0 where a difference is a share of it."""


@dataclass(frozen=True, slots=True)
class Share:
    """A difference as a share of the size of what it is measured from: ``mean``, and ``low`` and ``high``."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """Of one quantity, in its own units and without noise: what is expected at a point, ``here``, and at
    another, ``there``; the ``mean`` of here less there, the ``deviation`` of that, ``low`` and ``high``,
    between which it is believed to lie nineteen times out of twenty; how likely it is to be ``higher`` here;
    and the ``share`` that it is of the size of what is there, None where that may be 0.
    """

    here: float
    there: float
    mean: float
    deviation: float
    low: float
    high: float
    higher: float
    share: Share | None

    def better(self, sign: float) -> float:
        """How likely here is better, where high values are good, or with ``sign`` -1 low ones."""
        return self.higher if sign > 0.0 else 1.0 - self.higher


def difference(
    model: ValueModel, here: FloatArray, there: FloatArray, off: SettingsOff | None = None
) -> Difference:
    """Of one (D,) point from another, by what is believed of both together; of their averages over settings
    that are ``off``. The same models and points give the same answer to the bit.
    """
    believed = model.together(np.array([here, there]), off)
    expected, drawn = believed.expected(), believed.drawn(even_normals(WAYS, believed.places, "differences"))
    same = bool((here == there).all())
    # Of what is one value twice, rounding alone would say which is higher.
    apart = Drawn(drawn.weights, (0.0 if same else 1.0) * (drawn.values[:, :, 0] - drawn.values[:, :, 1]))
    low, high = apart.quantiles((LOW, HIGH))
    mean = 0.0 if same else float(expected[0] - expected[1])
    return Difference(
        float(expected[0]),
        float(expected[1]),
        mean,
        apart.deviation(),
        float(low),
        float(high),
        apart.above(0.0),
        _share(mean, apart, float(expected[1]), drawn.at(1)),
    )


def differences(
    models: Mapping[str, ValueModel], here: FloatArray, there: FloatArray, off: SettingsOff | None = None
) -> dict[str, Difference]:
    """The same of each of several quantities, by name."""
    return {name: difference(model, here, there, off) for name, model in models.items()}


def _share(mean: float, apart: Drawn, expected: float, there: Drawn) -> Share | None:
    above = there.above(0.0)
    if max(above, 1.0 - above) < SURELY_OF_ONE_SIGN or expected == 0.0:
        return None
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        shares = apart.values / np.abs(there.values)
    low, high = Drawn(apart.weights, np.nan_to_num(shares)).quantiles((LOW, HIGH))
    return Share(mean / abs(expected), float(low), float(high))
