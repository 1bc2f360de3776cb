"""How children differ from their parents.

Sources: of numbers, simulated binary crossover and polynomial mutation within bounds, Deb & Agrawal 1995 and
Deb et al. 2002, section IV, with the distribution indices and rates of that.
Notation: n coordinates, in [0, 1].
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

CROSSED = 0.9
"""The chance that a child has something of both parents; else it is the first one, mutated."""
CROSSOVER_INDEX = MUTATION_INDEX = 20.0
"""The higher, the nearer are children to their parents, η_c and η_m."""


def bred(first: FloatArray, second: FloatArray, domain: Domain, rng: np.random.Generator) -> FloatArray:
    """(D,) a child of two (D,) points, mutated in one coordinate on average and in one at least, perhaps
    between positions; where ties do not hold, it is not feasible.
    """
    categorical = domain.is_categorical
    child = first.copy()
    if rng.random() < CROSSED:
        crossed = rng.random(len(child)) < 0.5
        numbers = crossed & ~categorical
        child[numbers] = simulated_binary(first[numbers], second[numbers], rng)
        child[crossed & categorical] = second[crossed & categorical]
    mutated = rng.random(len(child)) < 1.0 / len(child)
    mutated[rng.integers(len(child))] = True
    numbers = mutated & ~categorical
    before = domain.rounded(child)
    child[numbers] = polynomial(child[numbers], rng)
    after = domain.rounded(child)
    # What has positions would most often stay where it is.
    for j in np.flatnonzero(mutated & domain.is_discrete & (after == before)):
        others = domain.coordinates[j].alternatives(before[j])
        if len(others):
            child[j] = others[rng.integers(len(others))]
    return child


def simulated_binary(first: FloatArray, second: FloatArray, rng: np.random.Generator) -> FloatArray:
    """(n,) of (n,) and (n,) coordinates: as far about their middle as a cut of binary numbers would leave
    them, on either side, and within the cube.
    """
    low, high = np.minimum(first, second), np.maximum(first, second)
    distance = high - low
    apart = distance > 1e-14
    width = np.where(apart, distance, 1.0)
    upper = rng.random(len(first)) < 0.5
    room = np.where(upper, 1.0 - high, low)
    # The density within the bounds adds up to 1, on the side that the child is on.
    share = 2.0 - (1.0 + 2.0 * room / width) ** -(CROSSOVER_INDEX + 1.0)
    u = rng.random(len(first))
    inner = (u * share) ** (1.0 / (CROSSOVER_INDEX + 1.0))
    outer = (1.0 / np.maximum(2.0 - u * share, 1e-300)) ** (1.0 / (CROSSOVER_INDEX + 1.0))
    spread = np.where(u <= 1.0 / share, inner, outer)
    middle = (low + high) / 2.0
    children = np.where(upper, middle + spread * distance / 2.0, middle - spread * distance / 2.0)
    return np.asarray(np.where(apart, np.clip(children, 0.0, 1.0), first))


def polynomial(coordinates: FloatArray, rng: np.random.Generator) -> FloatArray:
    """(n,) near (n,) coordinates, and within the cube: below and above alike often."""
    u = rng.random(len(coordinates))
    power = MUTATION_INDEX + 1.0
    below = (2.0 * u + (1.0 - 2.0 * u) * (1.0 - coordinates) ** power) ** (1.0 / power) - 1.0
    above = 1.0 - (2.0 * (1.0 - u) + (2.0 * u - 1.0) * coordinates**power) ** (1.0 / power)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.clip(coordinates + np.where(u < 0.5, below, above), 0.0, 1.0))
