"""Options of the algorithms whose groups of parameters share none, so that each is maximised alone."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from orchestrator.algorithms.additive.options import AdditiveOptions
from orchestrator.algorithms.additive.structure_search import KnownStructure, RandomGroups, StructureSearch
from orchestrator.algorithms.base import Problem
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph

USUAL_SIZE = 3
EXCHANGES_A_PARAMETER, MOST_EXCHANGES = 3, 300


class GroupOptions(AdditiveOptions):
    """Those of `AdditiveOptions`, and how groups are learned where the spec names none.

    ``group_size``: d, the most parameters of a group; 3 at most, if left out. ``exchanges``: how often, at
    each refit, parameters of the best grouping are tried in one another's groups; 3 times for each
    parameter and 300 at most, if left out; 0 leaves it at D random groupings.
    """

    keeps_constraints: ClassVar[bool] = True
    holds_parameters: ClassVar[bool] = True
    group_size: int | None = Field(None, ge=1)
    exchanges: int | None = Field(None, ge=0)

    of_learning: ClassVar[tuple[str, ...]] = ("group_size", "exchanges")

    def check(self, problem: Problem) -> list[str]:
        """See `Options.check`."""
        found = super().check(problem)
        if found:
            return found
        D = problem.domain.dimension
        if problem.factors is None:
            if self.group_size is not None and self.group_size > D:
                found.append(f"expected a group_size of at most {D}, the parameters; got {self.group_size}")
        elif not FactorGraph(problem.factors, D, nested=True).is_partition:
            found.append(
                "expected known factors that share no parameter, as each is maximised alone; use dec-hbo or "
                "dumbo for factors that overlap"
            )
        return found

    def structures(self, problem: Problem) -> StructureSearch:
        """What the spec says, or else groups learned by evidence."""
        if problem.factors is not None:
            return KnownStructure(problem.factors)
        D = problem.domain.dimension
        usual = min(EXCHANGES_A_PARAMETER * D, MOST_EXCHANGES)
        exchanges = usual if self.exchanges is None else self.exchanges
        return RandomGroups(D, min(self.group_size or USUAL_SIZE, D), exchanges)
