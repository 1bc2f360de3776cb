"""Points worth a climb that differ from a good one in a few coordinates, by as much as need be.

A gradient cannot leave the hill it is on. Where parameters act mostly on their own, a better hill lies along
one coordinate or another, and all of those can be looked at.

Notation: D coordinates, m points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

Values = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True)
class Sweep:
    """``positions`` are tried along each of at most ``coordinates``, in so many ``rounds``."""

    positions: int = 24
    coordinates: int = 40
    rounds: int = 2

    def improve(
        self, values: Values, domain: Domain, start: FloatArray, rng: np.random.Generator
    ) -> FloatArray:
        """A (D,) point no worse than the nearest feasible one to ``start``, by ``values``, (m, D) -> (m,).

        Each round tries every coordinate on its own; then takes the best single change or all that help at
        once, whichever is better: the latter where the coordinates do not interact. All at once they may
        break a tie; else the point is feasible.
        """
        point = domain.snap(start)
        for _ in range(self.rounds):
            chosen = rng.permutation(domain.dimension)[: self.coordinates]
            grid = (np.arange(self.positions) + rng.random()) / self.positions
            trials = np.tile(point, (len(chosen), self.positions, 1))
            trials[np.arange(len(chosen)), :, chosen] = grid
            trials = domain.snap(trials.reshape(-1, domain.dimension))
            found = values(np.vstack([point, trials]))
            here, along = found[0], found[1:].reshape(len(chosen), self.positions)
            best = along.argmax(axis=1)
            helpful = along[np.arange(len(chosen)), best] > here
            if not helpful.any():
                break
            together = point.copy()
            places = trials.reshape(len(chosen), self.positions, -1)[np.arange(len(chosen)), best]
            together[chosen[helpful]] = places[np.arange(len(chosen)), chosen][helpful]
            together = domain.folded(together)
            single = trials[int(np.argmax(found[1:]))]
            point = together if values(together[None, :])[0] > found[1:].max() else single
        return point


def changed_in_a_few(
    domain: Domain, incumbents: FloatArray, count: int, rng: np.random.Generator
) -> FloatArray:
    """(count, D) points, feasible but for what ties say: an incumbent (k, D) each, with one coordinate or two
    drawn anew.
    """
    D = domain.dimension
    anew = rng.random((count, D)) < min(1.0, 1.0 / D)
    anew[np.arange(count), rng.integers(D, size=count)] = True
    kept = incumbents[rng.integers(len(incumbents), size=count)]
    return domain.folded(np.where(anew, domain.sample(count, rng), kept))
