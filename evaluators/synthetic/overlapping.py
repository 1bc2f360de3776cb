"""Additive functions whose factors share parameters, on a tree and on a loop of factors.

Every factor has its highest point where all the factors agree, so the optimum is exact. Each also has a
decoy, and the decoys of neighbouring factors contradict each other.
"""

from __future__ import annotations

import numpy as np

from evaluators.synthetic.definition import EVERYWHERE, Box, Factors, FloatArray, Optimum, SyntheticFunction

_WIDTH = 0.25
_DECOY_HEIGHT = 0.6


def overlapping_chain(dimension: int) -> SyntheticFunction:
    """Factors (1, 2, 3), (3, 4, 5), ... on [0, 1]^D: a tree. D is odd and at least 3 (else ValueError)."""
    if dimension < 3 or dimension % 2 == 0:
        raise ValueError(f"expected overlapping-chain in an odd number (3 or more), got {dimension}")
    factors = tuple((i, i + 1, i + 2) for i in range(0, dimension - 2, 2))
    return _overlapping(f"overlapping-chain-{dimension}", dimension, factors)


def overlapping_ring(dimension: int) -> SyntheticFunction:
    """As the chain, its last factor closing the loop. D is even and at least 6 (else ValueError)."""
    if dimension < 6 or dimension % 2:
        raise ValueError(f"expected overlapping-ring in an even number (6 or more), got {dimension}")
    factors = tuple((i, i + 1, (i + 2) % dimension) for i in range(0, dimension, 2))
    return _overlapping(f"overlapping-ring-{dimension}", dimension, factors)


def _overlapping(name: str, dimension: int, factors: Factors) -> SyntheticFunction:
    """Each factor is a + 0.6 b (1 - a), with a its main bump and b its decoy.

    Both lie in (0, 1], so a factor is at most 1, and it is 1 only where a is.
    """
    rng = np.random.default_rng(np.random.SeedSequence([dimension, len(factors)]))
    point = 0.2 + 0.6 * rng.random(dimension)
    members = np.array(factors)
    centres = point[members]
    decoys = np.clip((centres + 0.5) % 1.0 + 0.4 * (rng.random(members.shape) - 0.5), 0.0, 1.0)

    def terms(points: FloatArray) -> FloatArray:
        groups = points[:, members]
        away = groups - centres
        coupled = (away**2).sum(axis=2) + 0.5 * away.sum(axis=2) ** 2
        main = np.exp(-coupled / (2.0 * _WIDTH**2))
        decoy = np.exp(-((groups - decoys) ** 2).sum(axis=2) / (2.0 * _WIDTH**2))
        values: FloatArray = main + _DECOY_HEIGHT * decoy * (1.0 - main)
        return values

    return SyntheticFunction(
        name=name,
        box=Box.cube(0.0, 1.0, dimension, reach=EVERYWHERE),
        optimum=Optimum(float(len(factors)), point),
        terms=terms,
        factors=factors,
    )
