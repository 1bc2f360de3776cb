"""A way through a part of the unit cube that constraints leave: straight, or by way of random points of it.

Notation: D coordinates, n nodes, k ways.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray
from orchestrator.unit_cube.domain import Domain

# Random points, and to how many of the nearest there may be a way from each, itself among them.
NODES, NEIGHBOURS = 256, 12
# Points that are looked at on a way for each stride of it, and at the most.
LOOKED_AT_A_STRIDE, MOST_LOOKED_AT = 2, 64
SEED = 20261127


def next_stop(domain: Domain, start: FloatArray, target: FloatArray, stride: FloatArray) -> FloatArray | None:
    """Where to make for from a (D,) start, so as to come to a (D,) feasible target: straight there, if that
    way is open, else to the first corner of the shortest way that is found; None where none is.

    ``stride`` (D,) > 0 is how far each coordinate may go at once. Those that may go anywhere, whose stride is
    infinite, are where they are at the target.
    """
    if _open(domain, start[None, :], target[None, :], stride)[0]:
        return target
    # Imported where it is needed: few constraints are in the way.
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import dijkstra

    nodes = domain.sample(NODES, np.random.default_rng(SEED))
    nodes[:, np.isinf(stride)] = target[np.isinf(stride)]
    nodes = np.vstack([start, target, nodes[domain.feasible(nodes)]])
    lengths = _strides(nodes[:, None, :], nodes[None, :, :], stride)
    everywhere = np.arange(len(nodes))
    nearest = np.argsort(lengths[1:], axis=1, kind="stable")[:, :NEIGHBOURS]
    # From the start a way to any of them, so that whoever is on one may go on. Each way once: lengths of one
    # that is named twice would be added up.
    begins = np.hstack([0 * everywhere, np.repeat(everywhere[1:], nearest.shape[1])])
    ends = np.hstack([everywhere, nearest.ravel()])
    ways = (begins != ends) & _open(domain, nodes[begins], nodes[ends], stride)
    begins, ends = begins[ways], ends[ways]
    graph = csr_matrix((lengths[begins, ends], (begins, ends)), shape=lengths.shape)
    _, following = dijkstra(graph, directed=False, indices=1, return_predecessors=True)
    return None if following[0] < 0 else np.asarray(nodes[following[0]])


def _strides(begins: FloatArray, ends: FloatArray, stride: FloatArray) -> FloatArray:
    """How many strides there are from some points to others; the last axis is that of coordinates."""
    return np.asarray((np.abs(ends - begins) / stride).max(axis=-1))


def _open(domain: Domain, begins: FloatArray, ends: FloatArray, stride: FloatArray) -> BoolArray:
    """(k,) which of the straight ways between (k, D) points are feasible, but for where they begin."""
    longest = float(_strides(begins, ends, stride).max(initial=0.0))
    count = int(min(max(1.0, np.ceil(LOOKED_AT_A_STRIDE * longest)), MOST_LOOKED_AT))
    shares = np.arange(1, count + 1)[None, :, None] / count
    points = begins[:, None, :] + shares * (ends - begins)[:, None, :]
    feasible = domain.feasible(points.reshape(-1, domain.dimension))
    return np.asarray(feasible.reshape(len(begins), count).all(axis=1))
