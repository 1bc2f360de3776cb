"""A point is chosen for what it promises, and may be evaluated elsewhere, where that tells more of it.

Notation: M members, p places, k points that run, E embedded columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.mixture.belief import Member, MixtureBelief
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain


def part_told(member: Member, X: FloatArray, goal: int, running: FloatArray) -> FloatArray:
    """(p,) the part of what a member does not know of one of (p, E) embedded places, the ``goal``, that an
    evaluation at each of them tells, beside (k, E) that run.
    """
    posterior, told = member.posterior, np.zeros(len(X))
    with posterior.hallucinating(running):
        unknown = _variance(member, X[goal])
        for place in range(len(X)):
            with posterior.hallucinating(X[place : place + 1]):
                told[place] = max(0.0, 1.0 - _variance(member, X[goal]) / unknown)
    return told


def moved(
    chosen: Suggestion, point: FloatArray, domain: Domain, values: MixtureBelief, why: Mapping[str, Any]
) -> Suggestion:
    """A suggestion to be evaluated at another (D,) point, with what is believed of ``values`` there, and
    more of ``why``.
    """
    X = domain.embed(point[None, :])
    return replace(
        chosen,
        point=point,
        predicted=values.leader.predicted(X),
        parts=values.leader.parts(X[0]),
        why={**chosen.why, **why},
    )


def _variance(member: Member, x: FloatArray) -> float:
    return float(member.posterior.mean_and_variance(x[None, :])[1][0])
