"""What outcomes may be at a point, by draws that move with it: each is a smooth function of where it is.

Notation: m outcomes in groups of q that share a kernel, S draws, p points, E embedded columns; z (S, r)
standard normal numbers of a group, R (q, r) its root: draw s is mean(x) + deviation(x) R z_s.
Source: reparametrised draws, Wilson et al. 2018; of composite functions, Astudillo & Frazier 2019, 3.3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.special import ndtri
from scipy.stats import qmc

from orchestrator.arrays import FloatArray
from orchestrator.surrogates.posteriors.shared_kernel import SharedKernelGP

FARTHEST = 1e-9
"""From 0 and 1: a draw is at most six deviations off."""

Pullback = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, eq=False, slots=True)
class OutcomeGroup:
    """The outcomes numbered ``first`` and following: (q,) ``shift`` plus (q,) ``scale`` > 0 times those of a
    ``model``.
    """

    first: int
    model: SharedKernelGP
    shift: FloatArray
    scale: FloatArray

    @property
    def columns(self) -> slice:
        """Which outcomes these are."""
        return slice(self.first, self.first + self.model.outputs)


@dataclass(frozen=True, eq=False)
class OutcomeDraws:
    """Draws of the outcomes of all ``groups``, by the ``normals`` (S, r) of each."""

    groups: Sequence[OutcomeGroup]
    normals: Sequence[FloatArray]

    @classmethod
    def of(cls, groups: Sequence[OutcomeGroup], log2_draws: int, rng: np.random.Generator) -> OutcomeDraws:
        """2 to the power of ``log2_draws``, spread evenly by a scrambled Sobol sequence."""
        ends = np.cumsum([0, *(group.model.root.shape[1] for group in groups)])
        uniform = qmc.Sobol(int(ends[-1]), seed=rng).random_base2(log2_draws)
        spread = ndtri(np.clip(uniform, FARTHEST, 1.0 - FARTHEST))
        return cls(groups, [spread[:, start:end] for start, end in pairwise(ends)])

    def at(self, X: FloatArray) -> FloatArray:
        """(S, p, m) at (p, E) inputs."""
        drawn = []
        for group, deviates in self._each():
            mean, deviation = group.model.beliefs(X)
            drawn.append(_in_units(group, mean, deviation, deviates))
        return np.concatenate(drawn, axis=2)

    def with_slopes(self, X: FloatArray) -> tuple[FloatArray, Pullback]:
        """The same, and what turns (S, p, m) slopes of a (p,) function along the draws into its (p, E) slopes
        along the inputs.
        """
        found = [(group, deviates, group.model.gradients(X)) for group, deviates in self._each()]

        def pulled(slopes: FloatArray) -> FloatArray:
            total = np.zeros(X.shape)
            for group, deviates, at in found:
                own = slopes[:, :, group.columns] * group.scale
                total += np.einsum("pq,pqe->pe", own.sum(axis=0), at.mean_gradient)
                along = np.einsum("spq,sq->p", own, deviates)
                total += along[:, None] * at.deviation_gradient
            return total

        drawn = [_in_units(group, at.mean, at.deviation, deviates) for group, deviates, at in found]
        return np.concatenate(drawn, axis=2), pulled

    def _each(self) -> list[tuple[OutcomeGroup, FloatArray]]:
        """Each group with its (S, q) R z."""
        return [
            (group, normals @ group.model.root.T)
            for group, normals in zip(self.groups, self.normals, strict=True)
        ]


def _in_units(
    group: OutcomeGroup, mean: FloatArray, deviation: FloatArray, deviates: FloatArray
) -> FloatArray:
    drawn = mean[None, :, :] + deviation[None, :, None] * deviates[:, None, :]
    return np.asarray(group.shift + group.scale * drawn)
