"""Parameters that are not to be chosen this time, but are as they are, as how warm the room is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.errors import SpecError
from orchestrator.parameters.kinds import FloatParameter
from orchestrator.parameters.space import Space
from orchestrator.parameters.values import mismatch, number_in, same
from orchestrator.spelling import did_you_mean
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.feasible_region import NoFeasiblePoint
from orchestrator.unit_cube.held_ties import TiesAlsoExactly, TiesHeld
from orchestrator.values.named import Values
from orchestrator.values.quoted import quoted


def held_within(space: Space, held: Values) -> Domain | None:
    """The part of a space's domain where parameters, by name, have these values; None where none is held but
    what is fixed.

    Raises SpecError for a name that is unknown, a value that the parameter cannot have, a parameter that may
    not count there, and values beside which no others satisfy the constraints.
    """
    if not isinstance(held, Mapping):
        raise SpecError(
            "expected what is held as a mapping of names of parameters to their values, as"
            f' {{"temperature": 21.5}}, got {held!r}'
        )
    positions: dict[int, float] = {}
    for name, value in held.items():
        if name in space.fixed:
            if not same(space.fixed[name], value):
                raise mismatch(name, f"its fixed value {space.fixed[name]!r}", value)
            continue
        number = _number_of(name, space)
        positions[number] = space.parameters[number].encode(value)
    if not positions:
        return None
    known = tuple(positions.items()), tuple(_floats(space, held).items())
    if (found := space.parts_held.get(known)) is not None:
        return found
    rounded = space.domain.holding(positions)
    _require_that_they_count(space, rounded, list(positions))
    for within in _parts(space, rounded, held):
        try:
            within.require_feasible_points()
        except NoFeasiblePoint:
            continue
        space.parts_held.clear()
        space.parts_held[known] = within
        return within
    where = " and ".join(f"`{name}` is {value!r}" for name, value in held.items())
    raise SpecError(
        f"no point was found that satisfies `{'`, `'.join(space.required)}` where {where}; hold other"
        " values, or fewer of them"
    )


def as_held(space: Space, parameters: Values, held: Values) -> Values:
    """Parameters whose place in the unit cube was chosen where some are held (`held_within`), with those as
    they were told, where a grid rounds them; unless a constraint holds for the rounded numbers alone.
    """
    told = _floats(space, held)
    if not told:
        return parameters
    as_told = space.completed({**parameters, **told})
    return parameters if space.broken_by(as_told) else as_told


def suggested_as_held(space: Space, point: FloatArray, held: Values) -> Values:
    """What `as_held` makes of a (D,) point that an algorithm suggests where some are held.

    Raises OptimiserError, as `Space.suggested`, where the constraints hold of neither.
    """
    rounded = space.decode(point)
    told = as_held(space, rounded, held)
    return space.suggested(point) if told is rounded else told


@dataclass(frozen=True)
class _Held(FloatParameter):
    """A float that constraints see as it was ``told``, and not as a grid rounds it."""

    told: float = 0.0

    @property
    def linear_grid(self) -> None:
        """None: it has no steps between its bounds."""
        return None

    def numbers(self, positions: FloatArray) -> FloatArray:
        """(n,) times that, of (n,) positions."""
        return np.full(len(positions), self.told)


def _parts(space: Space, rounded: Domain, held: Values) -> Iterator[Domain]:
    """The part where parameters are held, as constraints may see these, the first of which has points counts:
    as they were told and as ``rounded`` to grids both, so that they can come back as they were told; as told,
    as 0.3 is on the edge of `x <= 0.3`, and what a grid makes of it perhaps beyond; and as rounded.
    """
    ties, told = space.ties, _floats(space, held)
    off = {
        p.name
        for p in space.parameters
        if p.name in told and p.decode(p.encode(told[p.name])) != told[p.name]
    }
    if ties is not None and space.rows is None and any(ties.named[space.names.index(name)] for name in off):
        seen = tuple(
            _Held(p.name, p.low, p.high, p.scale, p.unit, p.periodic, told[p.name])
            if isinstance(p, FloatParameter) and p.name in off
            else p
            for p in space.parameters
        )
        exactly = replace(ties, parameters=seen)
        for both in (TiesAlsoExactly(ties, exactly), exactly):
            yield replace(rounded, ties=TiesHeld(both, rounded.untied))
    yield rounded


def _floats(space: Space, held: Values) -> dict[str, float]:
    """Of what is held the floats, which a grid may round."""
    return {
        one.name: number
        for one in space.parameters
        if isinstance(one, FloatParameter) and (number := number_in(held.get(one.name))) is not None
    }


def _number_of(name: str, space: Space) -> int:
    for one in space.computed:
        if one.name == name:
            parents = "`, `".join(one.parents)
            raise SpecError(
                f"expected the name of a parameter to hold, got `{name}`, which is computed, as `{one.text}`;"
                f" hold of `{parents}` what makes it so"
            )
    if name not in space.names:
        known = [*space.names, *space.fixed]
        raise SpecError(
            f"expected the name of a parameter to hold ({', '.join(known)}), got {quoted(name)}"
            f"{did_you_mean(str(name), known)}"
        )
    return space.names.index(name)


def _require_that_they_count(space: Space, within: Domain, held: Sequence[int]) -> None:
    """Raises SpecError unless all that is held counts, whatever the others are."""
    for j in held:
        name = space.names[j]
        condition = space.conditions.get(name)
        if condition is None:
            continue
        chosen = [p for p in condition.parents if p in space.names and space.names.index(p) not in held]
        if chosen:
            raise SpecError(
                f"parameter `{name}`: it counts only where {condition.words}; hold `{'`, `'.join(chosen)}`"
                " as well, so that it does, or do not hold it"
            )
    counts = within.active(within.rounded(np.zeros((1, within.dimension))))[0]
    for j in held:
        if not counts[j]:
            name = space.names[j]
            raise SpecError(
                f"parameter `{name}`: it counts only where {space.conditions[name].words}, which is not so"
                " where the others are as they are held; do not hold it"
            )
