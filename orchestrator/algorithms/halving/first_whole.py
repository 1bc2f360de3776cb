"""What a search by successive halving spends until the first settings come to full fidelity.

Notation: K rungs.
"""

from __future__ import annotations

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.fidelity_levels import Levels


def trials_before(rungs: int, reduction: int) -> int:
    """How many trials there are before the first at full fidelity, if each waits for those before it."""
    return sum(reduction**rung for rung in range(1, rungs))


def cost_before(levels: Levels, rungs: FloatArray, reduction: int) -> float:
    """What these cost together, of (K,) ``rungs``, in evaluations at full fidelity."""
    costs = [levels.cost_at(float(position)) for position in rungs]
    begun = [0.0, *costs] if levels.continues else [0.0] * len(costs)
    paid = 0.0
    for rung in range(len(rungs) - 1):
        paid += float(reduction) ** (len(rungs) - 1 - rung) * (costs[rung] - begun[rung])
    return paid
