"""What algorithms have in common whose groups of parameters share none, so that each is maximised alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from orchestrator.algorithms.additive.algorithm import AdditiveAlgorithm
from orchestrator.algorithms.additive.group_options import GroupOptions
from orchestrator.algorithms.additive.structure_search import StructureSearch
from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.maximisers.climbs.multistart import Effort, anything, maximise
from orchestrator.maximisers.objective import Objective
from orchestrator.unit_cube.domain import Domain

MULTISTART = Effort(samples=150, starts=8, iterations=30, polished=3, moves=8)

GroupT = TypeVar("GroupT", bound=GroupOptions)


class GroupAlgorithm(AdditiveAlgorithm[GroupT]):
    """An additive algorithm of groups that are known, or learned by evidence."""

    @property
    def _structures(self) -> StructureSearch:
        return self._options.structures(self._problem)

    def _put_together(
        self,
        total: Objective,
        groups: Sequence[IndexArray],
        alone: Callable[[int], FloatArray],
        domain: Domain,
        incumbents: FloatArray,
        rng: np.random.Generator,
    ) -> FloatArray:
        """A feasible (D,) point of the domain: its coordinates in each group are what ``alone`` finds best
        for that by its number. Where parameters are tied to one another, what is best for each group may not
        go together, and the ``total`` is maximised over all of them at once.
        """
        if domain.ties is not None:
            together = maximise(total, domain, incumbents, domain.feasible, rng)
            assert together is not None
            return together.point
        point: FloatArray = domain.sample(1, rng)[0]
        for j, own in enumerate(groups):
            point[own] = alone(j)
        return point


def climbed(
    objective: Objective, domain: Domain, incumbents: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """(d,) where one group's own function is highest; ``incumbents`` (k, d) are among the starts."""
    found = maximise(objective, domain, incumbents, anything, rng, MULTISTART)
    assert found is not None
    return found.point
