"""Which fidelities there are to choose from, in the unit cube, and what they cost.

Notation: L levels, n points, D coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray

# Going on costs no less, however little is left to do: it is handed out as well.
LEAST_REST = 1e-3


@dataclass(frozen=True, eq=False, slots=True)
class Levels:
    """What algorithms know of it: the (L,) ``positions`` of a ``coordinate`` that they choose from, full
    fidelity the last, and the (L,) ``costs`` of an evaluation there, of which the last is 1 and the highest.
    ``budget``: what all trials may cost together; None: nobody knows. ``learned``: nobody told the costs,
    which stand for them until seconds that evaluations took say more. ``continues``: an evaluation may go on
    from what one of the same settings left that looked less closely, and costs what it costs more.
    """

    coordinate: int
    positions: FloatArray
    costs: FloatArray
    budget: float | None = None
    learned: bool = False
    continues: bool = False

    @property
    def full(self) -> float:
        """The position of full fidelity."""
        return float(self.positions[-1])

    def are_full(self, points: FloatArray) -> BoolArray:
        """(n,) which of (n, D) points are at full fidelity."""
        return np.asarray(points[:, self.coordinate] == self.full)

    def costs_of(self, points: FloatArray) -> FloatArray:
        """(n,) what (n, D) points cost, between levels about."""
        return self._between(points[:, self.coordinate])

    def cost_at(self, position: float) -> float:
        """What an evaluation at one position of the coordinate costs."""
        return float(self._between(np.array([position]))[0])

    def rest(self, costs: FloatArray, begun: float) -> FloatArray:
        """(n,) what is left of costs for what goes on from one position of the coordinate."""
        return np.maximum(costs - self.cost_at(begun), LEAST_REST)

    def are_closer(self, positions: FloatArray, than: float) -> BoolArray:
        """(n,) which positions of the coordinate are nearer to full fidelity."""
        return np.asarray(np.abs(positions - self.full) < abs(than - self.full))

    def _between(self, positions: FloatArray) -> FloatArray:
        order = np.argsort(self.positions)
        return np.interp(positions, self.positions[order], self.costs[order])
