"""Putting the best blocks of several points together: one factor's coordinates at a time are replaced.

A start of ADMM that agreed on a good block for one factor may have a poor one for another. Only the factors
that share a parameter with a block are told the replacements, each its own coordinates.

Notation: k points, D parameters, F factors, m replacements of a block, V_i, N_i as in `factor_graph`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.maximisers.message_passing.exchange_objective import ExchangeObjective


@dataclass(slots=True)
class _Standing:
    """(k, D) points with the (F, k) parts of all factors there, and (k,) values."""

    points: FloatArray
    plain: FloatArray
    shared: FloatArray
    values: FloatArray


def improve_blocks(
    objective: ExchangeObjective, blocks: Sequence[FloatArray], points: FloatArray, sweeps: int
) -> tuple[FloatArray, FloatArray]:
    """Better (k, D) points and their (k,) values.

    ``blocks`` are, for each factor, (m, d) feasible values of its coordinates. Each sweep goes through the
    factors in order and takes the best replacement where it is better; a block is tried again only once
    another that bears on it has changed.
    """
    plain, shared = objective.all_parts(points)
    standing = _Standing(points.copy(), plain, shared, objective.combined(plain, shared))
    bearing = _bearing(objective)
    due = np.ones(len(blocks), dtype=bool)
    for _ in range(sweeps):
        for i, pool in enumerate(blocks):
            if due[i]:
                if _replaced(objective, i, pool, standing):
                    due |= bearing[i]
                # By itself it has nothing better.
                due[i] = False
    return standing.points, standing.values


def _bearing(objective: ExchangeObjective) -> BoolArray:
    """(F, F) whether a change of one block can change what another's replacements gain.

    It can if some factor sees coordinates of both, or, where roots run over neighbours, if some root holds
    the parts of such factors.
    """
    near = objective.graph.adjacency
    seen = near @ near > 0
    return seen @ seen if objective.coupled else seen


def _replaced(objective: ExchangeObjective, i: int, pool: FloatArray, standing: _Standing) -> bool:
    """Whether any point's block i got better; ``standing`` is brought up to date."""
    graph = objective.graph
    k, m = len(standing.points), len(pool)
    candidates = np.repeat(standing.points, m, axis=0)
    candidates[:, graph.indices[i]] = np.tile(pool, (k, 1))
    # The others' parts stay as they are.
    touched = list(graph.neighbours[i])
    told = objective.parts({a: pool if a == i else candidates[:, graph.indices[a]] for a in touched})
    plain, shared = np.repeat(standing.plain, m, axis=1), np.repeat(standing.shared, m, axis=1)
    for a in touched:
        repeats = k if a == i else 1
        plain[a], shared[a] = np.tile(told[a].plain, repeats), np.tile(told[a].shared, repeats)
    scores = objective.combined(plain, shared).reshape(k, m)
    best = np.arange(k) * m + scores.argmax(axis=1)
    reached = scores.max(axis=1)
    better = reached > standing.values + 1e-12 * (1.0 + np.abs(standing.values))
    taken = best[better]
    standing.points[better] = candidates[taken]
    standing.plain[:, better], standing.shared[:, better] = plain[:, taken], shared[:, taken]
    standing.values[better] = reached[better]
    return bool(better.any())
