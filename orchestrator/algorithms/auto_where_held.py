"""Where `auto` looks next while parameters are held: everywhere in that part of the domain, by the mixture.

What is to be improved on is what is believed best there, told or not: the best anywhere may lie where nothing
of this part comes near. There is no region: that of the whole goes on where it is.

Notation: D coordinates, k points.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from orchestrator.algorithms.auto_search import LEAST_LOCAL_IMPROVEMENT, LIKELY, Ground
from orchestrator.algorithms.best_where_held import BestWhereHeld, Mean
from orchestrator.algorithms.front_ends import Tradable
from orchestrator.algorithms.further_belief import FurtherBelief
from orchestrator.algorithms.history import History
from orchestrator.algorithms.outcome_belief import OutcomeBelief
from orchestrator.algorithms.turns import Turn
from orchestrator.arrays import FloatArray

# As many of the points believed best are in question.
CONTENDERS = 10


def ground_where_held(
    turn: Turn, history: History, mean: Mean, noisy: bool, outcomes: OutcomeBelief | None
) -> Ground:
    """What one point of the part is chosen from; ``mean`` is what the leader of the mixture believes.

    While nothing there is likely to satisfy constraints on outcomes, none of it counts as satisfying them,
    whatever was told elsewhere.
    """
    part = turn.domain
    best, satisfied = BestWhereHeld.of(part, history, mean), True
    if outcomes is not None:
        likely = outcomes.probability(part.embed(best.points)) > LIKELY
        satisfied = bool(likely.any())
        best = best.among(likely) if satisfied else best
    there = history.satisfying & part.contains(history.points) & part.feasible(history.points)
    return Ground(
        part,
        best.points[:CONTENDERS],
        turn.running,
        turn.exclusion.allows,
        turn.rng,
        noisy,
        outcomes,
        satisfied,
        float(history.values[there].max(initial=-np.inf)),
        best.points[best.told][:CONTENDERS],
        least=LEAST_LOCAL_IMPROVEMENT,
    )


def ground_at_full(
    turn: Turn, history: History, best: FloatArray, mean: Mean, noisy: bool, outcomes: OutcomeBelief | None
) -> Ground:
    """What one point is chosen from that promises most at full fidelity, where only fidelity is held: over
    the (k, D) ``best`` points told there, k >= 1, as where nothing is held. What cheap trials found that is
    better still promises something until it is looked at closely, and is searched about.
    """
    promising = BestWhereHeld.of(turn.domain, history, mean)
    return Ground(
        turn.domain,
        best,
        turn.running,
        turn.exclusion.allows,
        turn.rng,
        noisy,
        outcomes,
        True,
        history.highest,
        best,
        promising.points[~promising.told],
    )


def tradable_where_held(
    told: Tradable, further: FurtherBelief, mean: Callable[[FloatArray], FloatArray], turn: Turn
) -> Tradable:
    """Trade-offs told, of which there must be some, moved to where parameters are as they are held, and what
    is believed of them there.
    """
    points = np.unique(turn.domain.snap(told.points), axis=0)
    return Tradable(points, np.column_stack([mean(points), further.expected(turn.domain.embed(points))]))
