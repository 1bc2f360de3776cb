"""ADMM over a factor graph: each factor climbs alone, and duals make them agree (DuMBO).

Source: Bardou, Thiran & Begin 2024, section 4, Eqs. 10-17, and Alg. 1; the penalty as in Boyd et al. 2011,
section 3.4.1.

Notation: D parameters, R starts, V_i, F_j, N_i as in `factor_graph`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.maximisers.climbs.ascent import MOST_HESSIAN_ENTRIES, ascend
from orchestrator.maximisers.maximum import Maximum, Report
from orchestrator.maximisers.message_passing.admm_nodes import MOVES, inputs_of_climbs
from orchestrator.maximisers.message_passing.exchange import Exchange, Outcome
from orchestrator.maximisers.message_passing.exchange_objective import ExchangeObjective
from orchestrator.maximisers.message_passing.nodes import factor_name, variable_name
from orchestrator.maximisers.sums.block_search import improve_blocks
from orchestrator.maximisers.sums.discrete_search import improve_discrete
from orchestrator.unit_cube.domain import Domain

_DISCRETE_SWEEPS = 4


@dataclass(frozen=True, slots=True)
class Admm:
    """ADMM with settings.

    ``restarts`` R run side by side; ``iterations`` bounds them, ``steps`` is the gradients a factor takes in
    each; ``penalty`` is the first eta, in the acquisition's units over squared lengths; ``tolerance`` of
    positions ends them. The best ``kept`` are polished by gradient ascent of the whole sum for at most
    ``polish`` iterations; the best ``combined`` of those may take over any factor's block from any start,
    and change their discrete coordinates one at a time.

    Deviations: several starts instead of one, and each factor's first climb begins at the best of
    ``candidates`` points by its own function; the local maximiser is a sign-based ascent instead of Adam; a
    factor's function also counts its own variance in its neighbours' roots, which Eq. 9 freezes, so that a
    point where ADMM rests is stationary for Eq. 8; each variable adapts its own penalty. In the end the one
    who asks climbs from the points agreed on, by quasi-Newton and by combining blocks of several starts, with
    nothing but the values and gradients that the factors tell of their own coordinates. Ordinal coordinates
    and whole numbers are relaxed and then snapped; categorical ones stay as drawn until the end.
    """

    name: ClassVar[str] = "ADMM"
    restarts: int = 24
    candidates: int = 16
    iterations: int = 25
    steps: int = 4
    first_steps: int = 12
    penalty: float = 1.0
    largest_penalty: float = 1e4
    tolerance: float = 1e-3
    kept: int = 6
    combined: int = 3
    polish: int = 60

    def maximise(
        self,
        exchange: Exchange,
        domain: Domain,
        rng: np.random.Generator,
        incumbents: FloatArray | None = None,
    ) -> Maximum:
        """The best feasible point found. ``incumbents`` (k, D) feasible points are starts and compete."""
        starts = domain.sample(self.restarts, rng)
        if incumbents is not None and len(incumbents):
            starts[: len(incumbents)] = incumbents[: self.restarts]
        drawn = domain.sample(self.restarts * self.candidates, rng)
        outcome = self._agree(exchange, domain, starts, drawn.reshape(self.restarts, -1, domain.dimension))
        agreed = domain.snap(_positions(outcome, domain.dimension))
        objective = ExchangeObjective(exchange)
        points = agreed if incumbents is None else np.vstack([agreed, incumbents])
        points, values = _best(points, objective.values(points), self.kept)
        points, values = self._polish(objective, domain, points, values)
        points, values = _best(points, values, self.combined)
        points, values = improve_blocks(objective, _blocks(outcome, exchange, domain, agreed), points, 2)
        points, values = self._polish(objective, domain, points, values)
        if domain.is_discrete.any():
            for _ in range(2):
                points, values = improve_discrete(objective.values, domain, points, values, _DISCRETE_SWEEPS)
                points, values = self._polish(objective, domain, points, values)
        best = int(np.argmax(values))
        return Maximum(points[best], float(values[best]), Report(outcome.rounds, _residual(outcome)))

    def _agree(self, exchange: Exchange, domain: Domain, starts: FloatArray, drawn: FloatArray) -> Outcome:
        relaxed = domain.is_climbed.astype(float)
        settings = {
            "iterations": self.iterations,
            "steps": self.steps,
            "first_steps": self.first_steps,
            "penalty": self.penalty,
            "largest_penalty": self.largest_penalty,
            "tolerance": self.tolerance,
            **MOVES,
        }
        return exchange.run("admm", settings, inputs_of_climbs(exchange.graph, starts, drawn, relaxed))

    def _polish(
        self, objective: ExchangeObjective, domain: Domain, points: FloatArray, values: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Higher (k, D) points and their values, the discrete coordinates as they are."""
        # One inverse Hessian for each point is held.
        some = slice(max(1, MOST_HESSIAN_ENTRIES // domain.dimension**2))
        climbed, reached = ascend(objective, points[some], ~domain.is_discrete, self.polish)
        better = reached > values[some]
        points, values = points.copy(), values.copy()
        points[some][better], values[some][better] = climbed[better], reached[better]
        return points, values


def _best(points: FloatArray, values: FloatArray, count: int) -> tuple[FloatArray, FloatArray]:
    order = np.argsort(-values, kind="stable")[:count]
    return points[order], values[order]


def _blocks(outcome: Outcome, exchange: Exchange, domain: Domain, agreed: FloatArray) -> list[FloatArray]:
    """For each factor the blocks that some start agreed on, and those it would have chosen alone."""
    blocks = []
    for i, v in enumerate(exchange.graph.indices):
        alone = np.tile(agreed[0], (len(agreed), 1))
        alone[:, v] = outcome.results[factor_name(i)]["alone"]
        blocks.append(np.unique(np.vstack([agreed[:, v], domain.snap(alone)[:, v]]), axis=0))
    return blocks


def _positions(outcome: Outcome, dimension: int) -> FloatArray:
    """(R, D) where the variables' nodes are."""
    return np.stack([outcome.results[variable_name(j)]["position"] for j in range(dimension)], axis=1)


def _residual(outcome: Outcome) -> float:
    """The furthest any factor of any start is from its variables' mean."""
    return max(
        (float(found["residual"].max()) for found in outcome.results.values() if "residual" in found),
        default=0.0,
    )
