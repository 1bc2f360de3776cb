"""Choosing a point together: a message-passing maximiser over nodes, here or in processes of their own.

Both places give the same point, as the nodes and their messages are the same.
"""

from __future__ import annotations

import weakref
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from orchestrator.algorithms.additive_algorithm import Climbed
from orchestrator.algorithms.factor_functions import FactorFunctions
from orchestrator.algorithms.node_places import NodePlace, Team, open_team
from orchestrator.domain import Domain
from orchestrator.maximisers.exchange import Exchange, NodeError
from orchestrator.maximisers.maximum import Maximum

FloatArray = NDArray[np.float64]

MOST_NODE_PROCESSES = 32


class MessagePassing(Protocol):
    """`Admm` or `MaxSum` with its settings."""

    def maximise(
        self,
        exchange: Exchange,
        domain: Domain,
        rng: np.random.Generator,
        incumbents: FloatArray | None = None,
    ) -> Maximum: ...


class DecentralisedChoice:
    """The nodes of one algorithm. They are opened at the first choice, and end when this object does."""

    def __init__(self, place: NodePlace, domain: Domain) -> None:
        self._place: NodePlace = place
        self._domain = domain
        self._team: Team | None = None

    def close(self) -> None:
        """End the nodes; the next choice opens them anew."""
        if self._team is not None:
            self._team.close()
            self._team = None

    def climb(
        self,
        acquisition: FactorFunctions,
        maximiser: MessagePassing,
        seed: int,
        incumbents: FloatArray,
        label: str,
    ) -> Climbed:
        """The maximum that the nodes agree on. ``label`` names the maximiser in ``why``.

        A node that is lost on the way is replaced and the choice made again, once; then NodeError is raised.
        """
        try:
            maximum = self._agree(acquisition, maximiser, seed, incumbents)
        except NodeError:
            self.close()
            maximum = self._agree(acquisition, maximiser, seed, incumbents)
        report = maximum.report
        why = {
            f"{label} rounds": report.rounds,
            f"{label} residual": report.residual,
            "nodes": acquisition.graph.size,
        }
        return Climbed(maximum.point, why, acquisition.objective.values)

    def _agree(
        self, acquisition: FactorFunctions, maximiser: MessagePassing, seed: int, incumbents: FloatArray
    ) -> Maximum:
        exchange = self._nodes()(acquisition.graph, acquisition.factors, acquisition.coupled)
        return maximiser.maximise(exchange, self._domain, np.random.default_rng(seed), incumbents)

    def _nodes(self) -> Team:
        if self._team is None:
            self._team = open_team(self._place)
            weakref.finalize(self, self._team.close)
        return self._team
