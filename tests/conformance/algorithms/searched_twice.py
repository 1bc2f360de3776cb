"""Two searches that are asked and told alike, and have to answer alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orchestrator.algorithms.base import Algorithm, AskKey, Observation
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.unit_cube.domain import Domain


def points_of_both(searches: Sequence[Algorithm], domain: Domain, asks: int) -> list[np.ndarray]:
    """What they are asked for, two points at a time beside more and more that run, of which the third fails:
    each may be tried, and is new.
    """
    rng = np.random.default_rng(2)
    found: list[np.ndarray] = []
    under_way: dict[int, np.ndarray] = {}
    for ask in range(1, asks + 1):
        for search in searches:
            bring_up_to_date(search)
        pending, key = list(under_way.values()), AskKey(ask, len(found) + 1)
        suggestions, same = (search.ask(2, pending, key) for search in searches)
        assert all((one.point == other.point).all() for one, other in zip(suggestions, same, strict=True))
        for suggestion in suggestions:
            point = suggestion.point
            assert domain.feasible(point[None, :])[0]
            assert (domain.snap(point) == point).all()
            assert not any((point == other).all() for other in found)
            found.append(point)
            under_way[len(found)] = point
        finished = next(iter(under_way))
        point = under_way.pop(finished)
        value = None if finished == 3 else float(point.sum() + 0.1 * rng.standard_normal())
        for search in searches:
            search.tell([Observation(finished, point, value)])
    return found
