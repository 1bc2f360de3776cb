"""What factors know of the shared parts around them, while all of them move."""

import numpy as np
from exchanged_shares import exchange_shares, weighted_roots

from orchestrator.maximisers.message_passing.neighbour_shares import NeighbourShares
from orchestrator.maximisers.message_passing.nodes import factor_places
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph


def test_a_factors_own_part_is_counted_once_under_its_neighbours_roots_while_parts_change():
    graph = FactorGraph(((0, 1), (1, 2), (2, 3)), 4)
    nodes = [NeighbourShares(place, 1.0, 1) for place in factor_places(graph, True)]
    parts = np.array([[0.4], [0.1], [0.3]])
    before = np.zeros_like(parts)
    for _ in range(4):
        exchange_shares(graph, nodes, parts)
        # The middle one's root stands over its own part, and both of the others' as it knew them then.
        expected = np.sqrt(parts[0] + parts[1]) + np.sqrt(parts[0] + parts[1] + before[2])
        np.testing.assert_allclose(weighted_roots(nodes[0], parts[0]), expected)
        before, parts = parts, 0.5 * parts
