"""Where a factor's node can live, by the names that a spec uses, loaded when asked for.

The exchange between processes belongs to the runtime, which the algorithms do not know: as with the
registry of algorithms, a name stands for where it is found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Literal, Protocol

from orchestrator.maximisers.exchange import Exchange, InProcessExchange
from orchestrator.maximisers.gaussian_factor import GaussianFactor
from orchestrator.surrogates.factor_graph import FactorGraph

NodePlace = Literal["in-process", "processes"]

TEAMS: Mapping[str, tuple[str, str]] = {
    "processes": ("orchestrator.runtime.node_exchange", "NodeTeam"),
}


class Team(Protocol):
    """Nodes that can be given factors, again and again."""

    def __call__(
        self, graph: FactorGraph, factors: Sequence[GaussianFactor], coupled: bool = False
    ) -> Exchange: ...

    def close(self) -> None: ...


class InProcess:
    """All nodes here."""

    def __call__(
        self, graph: FactorGraph, factors: Sequence[GaussianFactor], coupled: bool = False
    ) -> Exchange:
        return InProcessExchange(graph, factors, coupled)

    def close(self) -> None:
        """Nothing to end."""


def open_team(place: NodePlace) -> Team:
    """Nodes in that place. Whoever opens it closes it; what it started ends with this process."""
    if place == "in-process":
        return InProcess()
    module, attribute = TEAMS[place]
    team: Team = getattr(import_module(module), attribute)()
    return team
