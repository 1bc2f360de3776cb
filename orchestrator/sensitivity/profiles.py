"""What is expected along each parameter, the others staying as they are at one point.

Notation: D parameters, k positions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.value_model import ValueModel
from orchestrator.unit_cube.by_logarithm import Scales
from orchestrator.unit_cube.domain import Domain

POSITIONS = 41


@dataclass(frozen=True, eq=False, slots=True)
class Profile:
    """At (k,) ``positions`` in [0, 1], ascending, the (k,) values expected and the deviations of the belief,
    in the values' units.
    """

    positions: FloatArray
    mean: FloatArray
    deviation: FloatArray

    @property
    def range(self) -> tuple[float, float]:
        """The least and the most that is expected."""
        return float(self.mean.min()), float(self.mean.max())


def profile(model: ValueModel, centre: FloatArray, parameter: int) -> Profile | None:
    """Along one parameter through a (D,) point; None where it does not count there."""
    domain = model.domain
    if not domain.active(centre[None, :])[0, parameter]:
        return None
    positions = _positions(domain, model.scales, centre, parameter)
    points = np.tile(centre, (len(positions), 1))
    points[:, parameter] = positions
    return Profile(positions, *model.predicted(points))


def _positions(domain: Domain, scales: Scales, centre: FloatArray, parameter: int) -> FloatArray:
    """Evenly over the range, as it is seen; of few all; that of the point among them."""
    coordinate = domain.coordinates[parameter]
    if coordinate.positions:
        count = len(coordinate.positions)
        rows = np.arange(count) if count <= POSITIONS else np.linspace(0, count - 1, POSITIONS).astype(int)
        even = coordinate.grid[rows]
    else:
        even = np.linspace(0.0, 1.0, POSITIONS)
        # The upper end of what comes round is its lower one, at the other side of a chart.
        even = even[:-1] if coordinate.comes_round else even
        if (by_logarithm := scales.of.get(parameter)) is not None:
            even = by_logarithm.told(even)
        if coordinate.whole is not None:
            even = coordinate.whole.snap(even)
    return np.unique(np.append(even, centre[parameter]))
