"""Nodes of a factor graph that see only their neighbours' messages, and programs made of them.

A node is pure: rounds go in, messages come out; it knows its *place* (its own index, its parameters and who
shares them), its own function if it is a factor, and what its neighbours said. It can run beside all the
others in one process or alone on a robot, and cannot tell the difference.

A round: every node's `outgoing` is delivered, then every node `receive`s. A phase ends when all nodes have
`finished` at once (each judges by what it sees), or after a limit of rounds. Factors talk to variables and
variables to factors, never to their own kind.

Notation: V_i the parameters of factor i, F_j the factors of parameter j, D, F as in `factor_graph`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from orchestrator.arrays import FloatArray
from orchestrator.maximisers.factors.factor_objective import LocalObjective
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph

Message = Mapping[str, FloatArray]
"""Named arrays of finite numbers: whatever crosses between nodes can be written as JSON, exactly."""

Mail = Mapping[str, Message]
"""Messages by the name of their recipient (outgoing) or of their sender (incoming)."""

Settings = Mapping[str, float]

Shapes = Mapping[str, tuple[int, ...]]
"""Of the arrays of a message, by their names."""


def factor_name(i: int) -> str:
    """The name of factor i's node."""
    return f"factor:{i}"


def variable_name(j: int) -> str:
    """The name of parameter j's node."""
    return f"variable:{j}"


@dataclass(frozen=True, slots=True)
class FactorPlace:
    """What factor i's node knows of the graph.

    ``parameters`` is V_i in the order of the function's coordinates, ``sharers`` F_j for each of them.
    ``coupled``: whether the roots of `factor_objective` run over its neighbours. ``decides``: for each
    parameter, whether this factor speaks first when max-sum's answer is read off, in an order in which on
    a tree no two decisions contradict each other.
    """

    index: int
    parameters: tuple[int, ...]
    sharers: tuple[tuple[int, ...], ...]
    coupled: bool
    decides: tuple[bool, ...]

    @property
    def name(self) -> str:
        """The node's name."""
        return factor_name(self.index)

    @property
    def neighbours(self) -> tuple[int, ...]:
        """Other factors under whose root this factor's shared part stands; none if not coupled."""
        if not self.coupled:
            return ()
        return tuple(sorted({k for near in self.sharers for k in near} - {self.index}))


@dataclass(frozen=True, slots=True)
class VariablePlace:
    """What parameter j's node knows of the graph: ``factors`` is F_j, never empty."""

    index: int
    factors: tuple[int, ...]

    @property
    def name(self) -> str:
        """The node's name."""
        return variable_name(self.index)


class Node(Protocol):
    """One node of a running program. `outgoing`, `finished` and `result` change nothing."""

    @property
    def name(self) -> str:
        """`factor_name` or `variable_name` of its place."""
        ...

    @property
    def finished(self) -> bool:
        """Whether, by all this node sees, the phase may end."""
        ...

    def begin(self, phase: int) -> None:
        """Phase 0, 1, ... starts."""
        ...

    def outgoing(self) -> Mail:
        """What this node says now, by recipient."""
        ...

    def receive(self, mail: Mail) -> None:
        """What the others said, by sender; empty if nobody spoke to this node."""
        ...

    def result(self) -> Message:
        """What the node found, once the last phase is over."""
        ...


class Program(Protocol):
    """A message-passing algorithm: how to build its nodes, and how long each phase may be."""

    def limits(self, settings: Settings) -> Sequence[int]:
        """The most rounds of each phase."""
        ...

    def factor_node(
        self, place: FactorPlace, local: LocalObjective, settings: Settings, inputs: Message
    ) -> Node:
        """The node of one factor."""
        ...

    def variable_node(self, place: VariablePlace, settings: Settings, inputs: Message) -> Node:
        """The node of one parameter."""
        ...

    def factor_result(self, inputs: Message) -> Shapes:
        """What the result of a factor's node holds, which was given ``inputs``."""
        ...

    def variable_result(self, inputs: Message) -> Shapes:
        """What the result of a parameter's node holds, which was given ``inputs``."""
        ...


def factor_places(graph: FactorGraph, coupled: bool) -> list[FactorPlace]:
    """The places of all factors, in order."""
    rank = _ranks(graph)
    first = [min(near, key=rank.__getitem__) for near in graph.factors_of]
    return [
        FactorPlace(
            index=i,
            parameters=parameters,
            sharers=tuple(graph.factors_of[j] for j in parameters),
            coupled=coupled,
            decides=tuple(first[j] == i for j in parameters),
        )
        for i, parameters in enumerate(graph.factors)
    ]


def variable_places(graph: FactorGraph) -> list[VariablePlace]:
    """The places of all parameters, in order."""
    return [VariablePlace(j, near) for j, near in enumerate(graph.factors_of)]


def _ranks(graph: FactorGraph) -> list[int]:
    # Breadth first from the first factor of each component: on a tree the factor nearer to the root comes
    # first, so that each factor meets at most one parameter that is already decided.
    order: dict[int, int] = {}
    for component in graph.components:
        frontier: list[int] = [component[0]]
        while frontier:
            for i in frontier:
                order[i] = len(order)
            frontier = sorted({k for i in frontier for k in graph.neighbours[i]} - order.keys())
    return [order[i] for i in range(graph.size)]


class NodeHost:
    """Nodes of a running program that live in the same process."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._nodes = {node.name: node for node in nodes}

    @property
    def finished(self) -> bool:
        """Whether all nodes here would let the phase end."""
        return all(node.finished for node in self._nodes.values())

    def begin(self, phase: int) -> None:
        """Phase 0, 1, ... starts for all nodes here."""
        for node in self._nodes.values():
            node.begin(phase)

    def outgoing(self) -> dict[str, dict[str, Message]]:
        """All messages said here now: recipient -> sender -> message."""
        letters: dict[str, dict[str, Message]] = {}
        for sender, node in self._nodes.items():
            for recipient, message in node.outgoing().items():
                letters.setdefault(recipient, {})[sender] = message
        return letters

    def deliver(self, letters: Mapping[str, Mail]) -> None:
        """One round's messages, recipient -> sender -> message; those for other hosts' nodes are ignored."""
        for name, node in self._nodes.items():
            node.receive(letters.get(name, {}))

    def results(self) -> dict[str, Message]:
        """What each node found, by name."""
        return {name: node.result() for name, node in self._nodes.items()}
