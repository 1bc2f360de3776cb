"""How values and distances are measured, before any structure is searched: what has most evidence.

Where a function has narrow peaks, their values are a heavy tail only as long as points are spread over the
domain. Once an optimiser gathers its points on one peak, the values told look like two heaps, and a warp
fitted to them draws nothing in. So the start design says where the values of the function lie, and the
evidence of the process, which knows that close points have like values, how far their tails are drawn in.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from orchestrator.algorithms.additive.results import AdditiveResults
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.hyperparameters.one_kernel import KernelTemplate
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.surrogates.scales.warp import Warp

LengthScales = Literal["learned", "each", "shared"]
Outputs = Literal["learned", "plain", "warped"]
Centre = Literal["all results", "start design"]

FEWEST_DESIGNED = 8
# Exponents above and below the median: the upper tail drawn in, the lower, or both.
SHAPES = ((0.0, 1.0), (1.0, 0.0), (0.0, 0.0))
# How far from the median tails begin, in interquartile ranges of the start design's values: the first for
# every shape, the others for the best one. A warp that is fitted to all results counts as having the first.
SPREADS = (0.3, 1.0, 0.1)


@dataclass(frozen=True, eq=False, slots=True)
class Scale:
    """A map of values, and which length-scales are free."""

    standardisation: Standardisation
    template: KernelTemplate


Evidence = Callable[[Scale], float]


@dataclass(frozen=True, slots=True)
class ScaleChoice:
    """What may be chosen. ``designed``: how many of the first results came from the start design.

    ``centre``: whose average is what a model expects where it knows nothing. That of all results moves
    towards the peaks that an optimiser gathers them on; that of a start design is the function's own, as far
    as so few points say.
    """

    family: KernelFamily
    length_scales: LengthScales
    outputs: Outputs
    designed: int
    centre: Centre = "all results"

    def choose(self, results: AdditiveResults, evidence: Evidence) -> Scale:
        """The scale with most evidence, found one thing after another: which length-scales are free; under
        these the shape of the tails; where tails begin; and once more which length-scales are free.

        ``evidence`` gives log p of the values under a scale. Where whether to draw tails in is learned too, a
        warp needs log n more of it than none.
        """
        values = results.succeeded
        plain = self._scales(None, values)
        if self.outputs == "plain":
            return plain[0] if len(plain) == 1 else _most(plain, evidence)[1]
        to_beat, leader = _most(plain, evidence)

        def under(warps: Iterable[Warp | None]) -> list[Scale]:
            return [
                Scale(self._standardised(warp, values), leader.template) for warp in warps if warp is not None
            ]

        start = self._first(values)
        shaped = under([Warp.fitted(values), *(Warp.about(start, *shape, SPREADS[0]) for shape in SHAPES)])
        if not shaped:
            return leader
        most, warped = _most(shaped, evidence)
        shape = warped.standardisation.warp
        assert shape is not None
        wider = under(replace(shape, spread=shape.spread * times / SPREADS[0]) for times in SPREADS[1:])
        most, warped = max((most, warped), _most(wider, evidence), key=_evidence)
        if self.outputs == "learned" and most <= to_beat + math.log(len(values)):
            return leader
        others = [
            scale
            for scale in self._scales(warped.standardisation.warp, values)
            if scale.template != leader.template
        ]
        return max([(most, warped), *((evidence(other), other) for other in others)], key=_evidence)[1]

    def _scales(self, warp: Warp | None, values: FloatArray) -> list[Scale]:
        """One for each template of length-scales."""
        each = KernelTemplate("each", self.family)
        shared = KernelTemplate("shared", self.family, shared=True)
        templates = {"each": [each], "shared": [shared], "learned": [each, shared]}[self.length_scales]
        return [Scale(self._standardised(warp, values), template) for template in templates]

    def _standardised(self, warp: Warp | None, values: FloatArray) -> Standardisation:
        found = Standardisation.under(warp, values)
        if self.centre == "all results":
            return found
        return replace(found, shift=Standardisation.under(warp, self._first(values)).shift)

    def _first(self, values: FloatArray) -> FloatArray:
        """Those of the start design, or as many as say something."""
        return values[: max(self.designed, FEWEST_DESIGNED)]


def _most(scales: Iterable[Scale], evidence: Evidence) -> tuple[float, Scale]:
    """The one with most evidence, the first of equals, and how much."""
    return max(((evidence(scale), scale) for scale in scales), key=_evidence)


def _evidence(weighed: tuple[float, Scale]) -> float:
    return weighed[0]
