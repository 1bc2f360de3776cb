"""What factors tell each other of their shared parts, by way of their variables, and what they make of it."""

from collections.abc import Sequence

from orchestrator.arrays import FloatArray
from orchestrator.maximisers.factors.factor_objective import root
from orchestrator.maximisers.message_passing.neighbour_shares import NeighbourShares, gathered_shares
from orchestrator.maximisers.message_passing.nodes import variable_name
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph


def exchange_shares(
    graph: FactorGraph, nodes: Sequence[NeighbourShares], parts: Sequence[FloatArray] | FloatArray
) -> None:
    """Every node says its (R,) shared part, and learns what its variables pass on."""
    said = [{"share": node.own_share(part)} for node, part in zip(nodes, parts, strict=True)]
    passed_on = {
        variable_name(j): gathered_shares([said[i] for i in near]) for j, near in enumerate(graph.factors_of)
    }
    for node in nodes:
        node.learn(passed_on)


def weighted_roots(node: NeighbourShares, shared: FloatArray) -> FloatArray:
    """(R,) all the weighted roots that a node's (R,) shared part stands under, as far as the node knows."""
    value: FloatArray = node._weight * root(shared + node._surroundings)
    if len(node._rests):
        value = value + (node._weights * root(shared + node._rests)).sum(axis=0)
    return value
