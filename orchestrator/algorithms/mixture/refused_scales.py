"""Scales that looked likelier at a glance, but were not: for a while they are not weighed again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from orchestrator.unit_cube.by_logarithm import Scales

GROWTH_TO_ASK_AGAIN = 1.5
"""Times as many results may say something else."""


@dataclass(frozen=True)
class RefusedScales:
    """Each with by how many ``results`` it was refused."""

    refusals: tuple[tuple[Scales, int], ...] = ()

    def has(self, scales: Scales, results: int) -> bool:
        """Whether so many results need not be asked again of scales, whatever their ratios are."""
        return any(
            one.by_end == scales.by_end and results < GROWTH_TO_ASK_AGAIN * before
            for one, before in self.refusals
        )

    def after(self, scales: Scales, results: int) -> RefusedScales:
        """With these, which so many results refused, and without those that may be asked about again."""
        others = [one for one in self.refusals if self.has(one[0], results)]
        return RefusedScales((*others, (scales, results)))

    def to_json(self) -> list[list[Any]]:
        """JSON values, exact to the bit."""
        return [[scales.to_json(), results] for scales, results in self.refusals]

    @classmethod
    def from_json(cls, told: Sequence[Sequence[Any]]) -> RefusedScales:
        """What `to_json` wrote."""
        return cls(tuple((Scales.from_json(scales), int(results)) for scales, results in told))
