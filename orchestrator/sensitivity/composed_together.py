"""What is believed of a computed value at a few points together: where outcomes of two points are believed to
err alike, the difference of their values is known better than either.

Notation: m numbers that are modelled, in groups of q with a root R (q, r); p points, k draws, E embedded
columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.composite_improvement import LARGEST
from orchestrator.acquisition.known_function import KnownFunction
from orchestrator.acquisition.outcome_draws import OutcomeGroup
from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.believed_together import Drawn, singular_root


@dataclass(frozen=True, eq=False, slots=True)
class _Group:
    """(p, q) ``means`` in the outcomes' units, what draws are multiplied by, (p, p) ``among`` points and
    (r, q) among outcomes, ``apart``.
    """

    means: FloatArray
    among: FloatArray
    apart: FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class ComposedTogether:
    """Of a ``function`` at (p, D) ``points``, where (p,) values are ``likeliest``. See `Together`."""

    function: KnownFunction
    points: FloatArray
    sign: float
    likeliest: FloatArray
    groups: tuple[_Group, ...]

    @classmethod
    def of(
        cls,
        function: KnownFunction,
        groups: Sequence[OutcomeGroup],
        points: FloatArray,
        X: FloatArray,
        scale: tuple[float, float],
        expected: FloatArray,
    ) -> ComposedTogether:
        """At (p, D) points, as models of ``groups`` see them (p, E). ``scale``: the sign of values, and how
        many times as far draws reach as these models say.
        """
        sign, stretch = scale
        made = []
        for group in groups:
            mean, covariance = group.model.together(X)
            apart = stretch * group.scale[:, None] * group.model.root
            made.append(_Group(group.shift + group.scale * mean, singular_root(covariance), apart.T))
        return cls(function, points, sign, expected, tuple(made))

    @property
    def places(self) -> int:
        """See `Together`."""
        return len(self.points) * sum(len(group.apart) for group in self.groups)

    def expected(self) -> FloatArray:
        """See `Together`."""
        return self.likeliest

    def drawn(self, normals: FloatArray) -> Drawn:
        """See `Together`. Draws that are no number at one of the points say nothing; where all are so, there
        is nothing but what is expected.
        """
        outcomes, first, count = list[FloatArray](), 0, len(self.points)
        for group in self.groups:
            width = len(group.apart) * count
            own = normals[:, first : first + width].reshape(len(normals), count, -1)
            outcomes.append(group.means + (group.among @ own) @ group.apart)
            first += width
        with np.errstate(all="ignore"):
            values = self.sign * self.function.values(np.concatenate(outcomes, axis=2), self.points)
            values = np.where(np.isfinite(values), np.clip(values, -LARGEST, LARGEST), values)
        numbers = values[np.isfinite(values).all(axis=1)]
        return Drawn(np.ones(1), (numbers if len(numbers) else self.likeliest[None])[None])
