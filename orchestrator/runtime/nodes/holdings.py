"""Which node holds which factor, and how that is said. Pure.

The nodes are the same wherever they live, and so are their sums: who holds what changes no point.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from orchestrator.runtime.nodes.hub import Peer
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph

NAMED = 4
"""Factors named one by one in a sentence."""


def deal_out(
    factors: int, peers: Sequence[Peer], before: Mapping[str, Sequence[int]] = MappingProxyType({})
) -> list[Peer | None]:
    """(F,) the holder of each factor, None where nobody is left to hold it.

    What a node held ``before``, by its name, it keeps. The rest is dealt out evenly, in the order of
    ``peers``.
    """
    owner: list[Peer | None] = [None] * factors
    room = {peer: min(peer.factors, factors) for peer in peers}
    for peer in peers:
        for factor in before.get(peer.name, ()):
            if factor < factors and owner[factor] is None and room[peer] > 0:
                owner[factor] = peer
                room[peer] -= 1
    free = [factor for factor, peer in enumerate(owner) if peer is None]
    dealt = dict.fromkeys(peers, 0)
    held = Counter(peer for peer in owner if peer is not None)
    for _ in free:
        able = [peer for peer in peers if dealt[peer] < room[peer]]
        if not able:
            break
        dealt[min(able, key=lambda peer: held[peer] + dealt[peer])] += 1
    # One after the other, so that a node's factors follow each other.
    takers = [peer for peer in peers for _ in range(dealt[peer])]
    for taker, factor in zip(takers, free, strict=False):
        owner[factor] = taker
    return owner


class FactorWords:
    """Factors in words: numbers count from 1, as for people, and parameters have their names."""

    def __init__(self, graph: FactorGraph, names: Sequence[str]) -> None:
        self._graph = graph
        self._names = names

    def one(self, factor: int) -> str:
        """``factor 2 (x × y)``."""
        parameters = sorted(self._graph.factors[factor])
        shown = [self._names[j] if j < len(self._names) else f"parameter {j + 1}" for j in parameters[:NAMED]]
        more = ["…"] if len(parameters) > NAMED else []
        return f"factor {factor + 1} ({' × '.join([*shown, *more])})"

    def some(self, factors: Sequence[int]) -> str:
        """Several of them; many only by their number."""
        if len(factors) > NAMED:
            return f"{len(factors)} of the {self._graph.size} factors"
        named = [self.one(factor) for factor in factors]
        return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)

    def numbers(self, factors: Sequence[int]) -> str:
        """``factors 1, 2``."""
        some = ", ".join(str(factor + 1) for factor in islice(factors, 2 * NAMED))
        more = ", …" if len(factors) > 2 * NAMED else ""
        return f"factor{'s' if len(factors) > 1 else ''} {some}{more}"


def holdings(owner: Sequence[Peer]) -> Mapping[Peer, list[int]]:
    """Who holds what."""
    held: dict[Peer, list[int]] = {}
    for factor, peer in enumerate(owner):
        held.setdefault(peer, []).append(factor)
    return held
