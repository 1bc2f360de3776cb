"""What algorithms have in common whose factors choose the next point together, by messages."""

from __future__ import annotations

import math
from typing import ClassVar, TypeVar

from pydantic import Field

from orchestrator.algorithms.additive.algorithm import AdditiveAlgorithm
from orchestrator.algorithms.additive.belief import Belief
from orchestrator.algorithms.additive.decentralised_choice import DecentralisedChoice
from orchestrator.algorithms.additive.node_places import NodePlace
from orchestrator.algorithms.additive.options import AdditiveOptions
from orchestrator.algorithms.base import Problem
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.unit_cube.coordinate import Coordinate

# Of the practical schedule's root: a sum over factors overstates the deviation of their total, the more so
# the more factors there are.
SHARE_OF_EXPLORATION = 0.5
# The theoretical schedules are for a domain of finitely many points: so many for each continuous parameter.
POSITIONS = 33


class DecentralisedOptions(AdditiveOptions):
    """Options of algorithms whose factors exchange messages, and those of `AdditiveOptions`.

    ``decompositions``: how many to keep at most, weighted by their probability. ``evidences``: after how many
    decompositions weighed, each of which costs a short fit, a refit looks for no more; those that it starts
    from are weighed in any case. ``nodes``: where messages are exchanged, all in this process, in processes
    of their own, or on other machines (`RemoteNodes`). The root of ``beta: practical`` is halved;
    ``theoretical`` is for finitely many points, of which a continuous parameter counts as 33.
    """

    holds_parameters: ClassVar[bool] = True
    decompositions: int = Field(3, ge=1, le=20)
    evidences: int = Field(40, ge=2, le=1000)
    nodes: NodePlace = "in-process"

    of_learning: ClassVar[tuple[str, ...]] = ("maximum_factor_size", "decompositions", "evidences")

    def _practical(self, t: int, graph: FactorGraph) -> FloatArray:
        return SHARE_OF_EXPLORATION**2 * super()._practical(t, graph)


DecentralisedT = TypeVar("DecentralisedT", bound=DecentralisedOptions)


class DecentralisedAlgorithm(AdditiveAlgorithm[DecentralisedT]):
    """An additive algorithm with nodes, which it ends when it is closed."""

    # In noise nothing is known so well that it is passed over: explored half as far, a good point is asked
    # for again and again while other choices have a few results each.
    in_noise: ClassVar[float] = 1.0 / SHARE_OF_EXPLORATION

    def __init__(self, problem: Problem, options: DecentralisedT) -> None:
        super().__init__(problem, options)
        self.nodes = DecentralisedChoice(options.nodes, problem.domain)

    def close(self) -> None:
        """End the nodes, wherever they are."""
        self.nodes.close()

    @property
    def _members(self) -> int:
        return self._options.decompositions

    @property
    def _log_points(self) -> float:
        """log |X| of the theoretical schedules."""
        return sum(math.log(_positions(coordinate)) for coordinate in self._problem.domain.coordinates)

    def _notes(self, belief: Belief) -> list[str]:
        return [*super()._notes(belief), *self.nodes.notes]


def _positions(coordinate: Coordinate) -> int:
    if coordinate.whole is not None:
        return coordinate.whole.count
    return len(coordinate.positions) or POSITIONS
