"""Outcomes whose errors hang together, as numbers whose errors do not: as many, each to be 0, its error 1.

What the first of a block is off its target counts as it is, and of each further one what those before it do
not say of it. Those that are modelled each by itself come first, so that they can be had back without others.

Notation: M outcomes, of which a block has b; C (b, b) the correlations of their errors, L its lower factor; y
of a block, with targets t and errors e, is z = L^-1 ((y - t) / e), and (y - t)' (e C e)^-1 (y - t) = z' z.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import connected_components

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.numerics.linalg import cholesky, solve_lower, solve_lower_transposed


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """The (b,) ``columns`` of outcomes whose errors hang together, and (b, b) ``lower``, L, in this order."""

    columns: IndexArray
    lower: FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class Whitening:
    """Of M outcomes with (M,) ``targets`` and ``errors`` > 0; those in no block stay as they are."""

    targets: FloatArray
    errors: FloatArray
    blocks: tuple[Block, ...]

    @classmethod
    def of(cls, targets: FloatArray, covariance: FloatArray, order: IndexArray) -> Whitening:
        """By the (M, M) covariance of errors, positive definite; ``order`` (M,) are all columns, those first
        that are to be had back without the others.
        """
        errors = np.sqrt(np.diagonal(covariance))
        correlations = covariance / errors[:, None] / errors
        count, block_of = connected_components(correlations != 0.0, directed=False)
        columns = [order[block_of[order] == block] for block in range(count)]
        blocks = [
            Block(own, cholesky(correlations[np.ix_(own, own)]).lower) for own in columns if len(own) > 1
        ]
        return cls(targets, errors, tuple(blocks))

    @property
    def whitened_targets(self) -> FloatArray:
        """(M,) what the numbers are to be."""
        return self._with_blocks(self.targets, 0.0)

    @property
    def whitened_errors(self) -> FloatArray:
        """(M,) by how much they may well be off."""
        return self._with_blocks(self.errors, 1.0)

    def whitened(self, outcomes: FloatArray) -> FloatArray:
        """(..., M) of (..., M) outcomes: NaN where they hang upon one that is NaN."""
        found = np.array(outcomes)
        for block in self.blocks:
            own = block.columns
            apart = (found[..., own] - self.targets[own]) / self.errors[own]
            found[..., own] = _along_the_last(solve_lower, block.lower, apart)
        return found

    def outcomes(self, whitened: FloatArray) -> FloatArray:
        """(..., M) outcomes of what they became."""
        found = np.array(whitened)
        for block in self.blocks:
            own = block.columns
            found[..., own] = self.targets[own] + self.errors[own] * (found[..., own] @ block.lower.T)
        return found

    def pulled_back(self, slopes: FloatArray) -> FloatArray:
        """(..., M) slopes along outcomes, of those along what they became."""
        found = np.array(slopes)
        for block in self.blocks:
            own = block.columns
            found[..., own] = (
                _along_the_last(solve_lower_transposed, block.lower, found[..., own]) / self.errors[own]
            )
        return found

    def among(self, columns: IndexArray) -> Whitening:
        """Of some outcomes alone, which come first in the blocks that they are in."""
        number = np.full(len(self.targets), -1)
        number[columns] = np.arange(len(columns))
        blocks = []
        for block in self.blocks:
            count = int(np.count_nonzero(number[block.columns] >= 0))
            own = number[block.columns[:count]]
            assert (own >= 0).all(), "none is behind one that is left out"
            if count:
                blocks.append(Block(own, block.lower[:count, :count]))
        return Whitening(self.targets[columns], self.errors[columns], tuple(blocks))

    def _with_blocks(self, own: FloatArray, value: float) -> FloatArray:
        found = own.copy()
        for block in self.blocks:
            found[block.columns] = value
        return found


def _along_the_last(
    solve: Callable[[FloatArray, FloatArray], FloatArray], lower: FloatArray, numbers: FloatArray
) -> FloatArray:
    """Of (..., b) numbers, each b by themselves."""
    flat = numbers.reshape(-1, numbers.shape[-1])
    with np.errstate(all="ignore"):
        return np.asarray(solve(lower, np.ascontiguousarray(flat.T)).T.reshape(numbers.shape))
