"""Which trial is believed best where parameters are held, by an algorithm that knows of others as well."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from orchestrator.algorithms.base import Algorithm, BelievedBest, Recommends
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

CONTENDERS = 8
"""Of the highest values there, one is believed best: what is believed of each takes a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A ``trial`` that may be the best, its (D,) ``point`` and its ``value``, which is to be maximised."""

    trial: int
    point: FloatArray
    value: float


def believed_where_held(
    algorithm: Algorithm, part: Domain, contenders: Iterable[Contender]
) -> BelievedBest | None:
    """The one of the ``contenders`` in a ``part`` of the domain of which most is believed; None where there
    is none, or the algorithm does not say what it believes of a point.
    """
    if not isinstance(algorithm, Recommends):
        return None
    there = [one for one in contenders if part.contains(one.point[None, :])[0]]
    there.sort(key=lambda one: -one.value)
    best: BelievedBest | None = None
    for one in there[:CONTENDERS]:
        # The part where all is held is that point.
        found = algorithm.recommend(part.holding(dict(enumerate(map(float, one.point)))))
        if found is not None and found.predicted is not None:
            believed = BelievedBest(one.trial, found.predicted)
            if best is None or believed.predicted.mean > best.predicted.mean:
                best = believed
    return best
