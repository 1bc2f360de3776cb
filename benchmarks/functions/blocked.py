"""Noisy functions whose values come in blocks, each off by an offset of its own, for comparisons.

Notation: D parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from benchmarks.functions.shifted import regret_at, shifted_copy, within_bounds
from evaluators.synthetic import synthetic
from evaluators.synthetic.definition import SyntheticFunction
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream

A_BLOCK, EVALUATIONS = 8, 40
NOISE = 0.1
"""Its deviation, as a part of that of the function's values."""
PLACES = 500


@dataclass(frozen=True)
class Blocked:
    """A ``function`` to be minimised whose blocks of `A_BLOCK` trials have offsets that vary ``times`` as
    much as the noise.
    """

    function: str
    times: float
    evaluations: int = EVALUATIONS

    @property
    def dimension(self) -> int:
        """D."""
        return synthetic(self.function).dimension

    def of_seed(self, seed: int) -> BlockedCopy:
        """The copy of a seed, shifted and permuted, with noise and offsets of its own."""
        return BlockedCopy.of(self, seed)


@dataclass(frozen=True, eq=False)
class BlockedCopy:
    """Of one seed: the (n,) ``luck`` of each trial and the (b,) ``offsets`` of blocks, in the values' units,
    of which ``noise`` is the luck's deviation.
    """

    function: SyntheticFunction
    luck: FloatArray
    offsets: FloatArray
    noise: float

    @classmethod
    @cache
    def of(cls, blocked: Blocked, seed: int) -> BlockedCopy:
        """See `Blocked.of_seed`."""
        function = shifted_copy(blocked.function, seed)
        rng = stream(seed, "blocks of a comparison", function.dimension)
        places = rng.random((PLACES, function.dimension))
        values = function.evaluate(within_bounds(function, places))
        noise = NOISE * float(np.std(values))
        blocks = -(-blocked.evaluations // A_BLOCK)
        luck, offsets = rng.standard_normal(blocked.evaluations), rng.standard_normal(blocks)
        return cls(function, noise * luck, blocked.times * noise * offsets, noise)

    def regret(self, u: FloatArray) -> float:
        """How much more the function is at a (D,) point of the unit cube than its least value."""
        return regret_at(self.function, u)

    def told(self, u: FloatArray, trial: int) -> float:
        """The same as a trial, from 0, of its block is told: with its luck and the offset."""
        return self.regret(u) + float(self.luck[trial] + self.offsets[trial // A_BLOCK])


BLOCKED: Mapping[str, Blocked] = {
    "griewank-3": Blocked("griewank-3", 1.0),
    "ackley-3": Blocked("ackley-3", 2.0),
    "hartmann-3": Blocked("hartmann-3", 3.0),
    "camel": Blocked("camel", 2.0),
}
