"""What lies within reach of where a machine stands: from there its settings may travel only so far at once.

Notation: D coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.errors import SpecError
from orchestrator.parameters.kinds import Parameter
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.boxed import Boxed
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.feasible_region import FeasibleRegion, NoFeasiblePoint
from orchestrator.unit_cube.held_ties import TiesHeld
from orchestrator.unit_cube.road_map import next_stop
from orchestrator.values.travel import Travel

HALVINGS = 60
# A step of less than this part of what is within reach leads nowhere: constraints are in the way.
LEAST_STEP = 0.1


@dataclass(frozen=True, eq=False)
class Reach:
    """A box in the unit cube: its (D,) corners, ``low`` and ``high``, and where in it the machine is, the
    (D,) ``start``, of which only coordinates that do not reach everywhere are known.
    """

    low: FloatArray
    high: FloatArray
    start: FloatArray

    @classmethod
    def of(cls, space: Space, stands: Mapping[str, Any]) -> Reach:
        """From parameters, which may lie outside of the space's bounds. Raises SpecError where nothing within
        the bounds is within reach.
        """
        low, high = np.zeros(space.domain.dimension), np.ones(space.domain.dimension)
        start = np.full(space.domain.dimension, np.nan)
        for j, parameter in enumerate(space.parameters):
            travel = space.travel.get(parameter.name)
            if travel is not None and parameter.name in stands:
                low[j], start[j], high[j] = _within(parameter, travel, stands[parameter.name])
        return cls(low, high, start)

    def holds(self, point: FloatArray) -> bool:
        """Whether a (D,) point lies in it."""
        return bool(((self.low <= point) & (point <= self.high)).all())

    def towards(self, target: FloatArray, part: Domain, rng: np.random.Generator) -> FloatArray:
        """The (D,) point of it, and of a part of the domain, that is farthest on the way to a (D,) target:
        straight, or round what constraints forbid. Coordinates that reach everywhere are there at once. Where
        no way is found, the point nearest to the straight one, and where that leads nowhere, any. Raises
        SpecError where there is none.
        """
        boxed = Boxed(part.untied, self.low, self.high)
        if part.ties is None:
            return boxed.rounded(self._straight(target))
        start = np.where(np.isnan(self.start), target, self.start)
        stop = next_stop(part, start, target, self._stride)
        farthest = boxed.rounded(self._straight(target if stop is None else stop))
        if part.ties.hold(farthest[None, :])[0]:
            return farthest
        region = FeasibleRegion(boxed, TiesHeld(part.ties, boxed))
        try:
            near = np.asarray(region.moved_in(farthest[None, :])[0])
            return near if self._leads_on(near) else np.asarray(region.sample(1, rng)[0])
        except NoFeasiblePoint:
            raise SpecError(
                "no point was found that satisfies the constraints within reach of where the machine stands;"
                " widen the bounds, or lead it elsewhere by points of your own"
            ) from None

    @property
    def _stride(self) -> FloatArray:
        """(D,) how far coordinates go at once, where bounds do not stop them."""
        return np.where(
            np.isnan(self.start), np.inf, np.maximum(self.high - self.start, self.start - self.low)
        )

    def _straight(self, target: FloatArray) -> FloatArray:
        way = target - self.start
        room = np.where(way > 0.0, self.high - self.start, self.start - self.low)
        # What reaches everywhere has no known start, and none that stays has a way to go.
        shares = [r / abs(w) for r, w in zip(room, way, strict=True) if abs(w) > 0.0]
        return np.where(np.isnan(way), target, self.start + min([1.0, *shares]) * way)

    def _leads_on(self, point: FloatArray) -> bool:
        limited = ~np.isnan(self.start)
        moved = np.abs(point - self.start)[limited]
        return bool((moved > LEAST_STEP * (self.high - self.low)[limited] / 2.0).any())


def _within(parameter: Parameter, travel: Travel, stands: float) -> tuple[float, float, float]:
    """The lowest position of a parameter within reach of a value, the one nearest to it, and the highest."""
    ends = float(parameter.decode(0.0)), float(parameter.decode(1.0))

    def position(value: float) -> float:
        return parameter.encode(parameter.nearest(min(max(value, ends[0]), ends[1])))

    nearest = position(stands)
    if not travel.lets(stands, parameter.decode(nearest)):
        raise SpecError(
            f"expected bounds of `{parameter.name}` within reach of where it stands, {stands:.10g}, from"
            f" which it may travel {travel.words}, got [{ends[0]:.10g}, {ends[1]:.10g}]"
        )
    # Floats make 4.199999999999999 of 0.1 from 4.1: what a parameter takes there is 4.2.
    low, high = (
        taken if travel.lets(stands, taken := parameter.decode(position(end))) else end
        for end in travel.ends(stands)
    )
    return (
        _farthest(parameter, (nearest, 0.0), lambda value: value >= low),
        nearest,
        _farthest(parameter, (nearest, 1.0), lambda value: value <= high),
    )


def _farthest(parameter: Parameter, way: tuple[float, float], reached: Callable[[float], bool]) -> float:
    """The last position of a parameter on the way from one, which is reached, to another that is reached."""
    inside, outside = way
    if reached(parameter.decode(outside)):
        inside = outside
    for _ in range(HALVINGS):
        middle = 0.5 * (inside + outside)
        inside, outside = (middle, outside) if reached(parameter.decode(middle)) else (inside, middle)
    # Of one of the parameter's values, and not of where the next one begins.
    return parameter.encode(parameter.decode(inside))
