"""Running a program of nodes, wherever the nodes are.

`Exchange` is what a decentralised maximiser asks for; `InProcessExchange` runs all nodes here, and
`orchestrator.runtime.nodes.exchange` runs them in processes of their own. Either way the nodes are the same,
and so is the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from orchestrator.errors import OptimiserError
from orchestrator.maximisers.factors.factor_objective import LocalObjective
from orchestrator.maximisers.message_passing.nodes import (
    Message,
    NodeHost,
    Program,
    Settings,
    factor_places,
    variable_places,
)
from orchestrator.maximisers.message_passing.programs import program_called
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph


class NodeError(OptimiserError):
    """A node died, fell silent or failed, so that no point could be chosen."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the nodes found, by name, and in how many rounds."""

    results: Mapping[str, Message]
    rounds: int


class Exchange(Protocol):
    """A factor graph whose factors each have a node somewhere."""

    @property
    def graph(self) -> FactorGraph:
        """The factors, in order."""
        ...

    @property
    def coupled(self) -> bool:
        """Whether roots run over N_i (DuMBO's bound) or over each factor alone."""
        ...

    def run(self, program: str, settings: Settings, inputs: Mapping[str, Message]) -> Outcome:
        """Run a program, named as in `programs`, with ``inputs`` by node. Raises NodeError, never hangs."""
        ...


class InProcessExchange:
    """All nodes in this process. ``factors`` are the local objectives, in the graph's order."""

    def __init__(self, graph: FactorGraph, factors: Sequence[LocalObjective], coupled: bool = False) -> None:
        if len(factors) != graph.size:
            raise ValueError(
                f"expected {graph.size} local objectives, one for each factor; got {len(factors)}"
            )
        self.graph = graph
        self.coupled = coupled
        self._factors = tuple(factors)
        self._factor_places = factor_places(graph, coupled)
        self._variable_places = variable_places(graph)

    def run(self, program: str, settings: Settings, inputs: Mapping[str, Message]) -> Outcome:
        """See `Exchange.run`."""
        chosen = program_called(program)
        host = NodeHost(
            [
                *(
                    chosen.factor_node(
                        place, self._factors[place.index], settings, inputs.get(place.name, {})
                    )
                    for place in self._factor_places
                ),
                *(
                    chosen.variable_node(place, settings, inputs.get(place.name, {}))
                    for place in self._variable_places
                ),
            ]
        )
        return _run(host, chosen, settings)


def _run(host: NodeHost, program: Program, settings: Settings) -> Outcome:
    rounds = 0
    for phase, limit in enumerate(program.limits(settings)):
        host.begin(phase)
        for _ in range(limit):
            host.deliver(host.outgoing())
            rounds += 1
            if host.finished:
                break
    return Outcome(host.results(), rounds)
