"""Maximising a sum whose factors share no parameter: each node climbs alone, and the best blocks join.

What ADMM is where there is nothing to agree on, at a cost linear in the number of factors.

Notation: F factors, D parameters, R starts, V_i as in `factor_graph`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.maximisers.maximum import Maximum
from orchestrator.maximisers.message_passing.admm_nodes import MOVES, inputs_of_climbs
from orchestrator.maximisers.message_passing.exchange import Exchange
from orchestrator.maximisers.message_passing.exchange_objective import ExchangeObjective
from orchestrator.maximisers.message_passing.nodes import factor_name
from orchestrator.unit_cube.domain import Domain

# Of ADMM's nodes, which end before they hear of one another.
FIRST_CLIMB = {
    "iterations": 0,
    "steps": 0,
    "penalty": 0.0,
    "largest_penalty": 0.0,
    "tolerance": 1e-3,
    **MOVES,
}


@dataclass(frozen=True, slots=True)
class SeparateFactors:
    """Each factor climbs for ``steps`` gradients from the best of ``candidates`` points, ``restarts`` times.

    The climbs are the first ones of ADMM's nodes. Continuous domains only.
    """

    name: ClassVar[str] = "separate factors"
    restarts: int = 8
    candidates: int = 16
    steps: int = 30

    def maximise(
        self,
        exchange: Exchange,
        domain: Domain,
        rng: np.random.Generator,
        incumbents: FloatArray | None = None,
    ) -> Maximum:
        """The best point found; ``incumbents`` (k, D) lend their blocks.

        Raises ValueError for factors that share a parameter and for discrete coordinates.
        """
        graph = exchange.graph
        if not graph.is_partition or domain.is_discrete.any():
            raise ValueError("factors can be maximised alone only if they share no parameter, all continuous")
        starts = domain.sample(self.restarts, rng)
        drawn = domain.sample(self.restarts * self.candidates, rng).reshape(self.restarts, -1, len(starts[0]))
        inputs = inputs_of_climbs(graph, starts, drawn, np.ones(domain.dimension))
        climbed = exchange.run("admm", {**FIRST_CLIMB, "first_steps": self.steps}, inputs).results
        points = starts.copy()
        for i, v in enumerate(graph.indices):
            points[:, v] = climbed[factor_name(i)]["alone"]
        points = domain.snap(points)
        if incumbents is not None:
            points = np.vstack([points, incumbents])
        objective = ExchangeObjective(exchange)
        best = points[0].copy()
        for v, scores in zip(graph.indices, objective.alone(points), strict=True):
            best[v] = points[int(np.argmax(scores))][v]
        return Maximum(best, float(objective.values(best[None, :])[0]))
