"""What is known of parameters together, by draws, in the unit cube.

Notation: r draws, C parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.errors import SpecError
from orchestrator.parameters.kinds import FloatParameter, IntParameter, Parameter
from orchestrator.unit_cube.joint_prior import PriorOfDraws
from orchestrator.values.drawn import COUNTS_AT_TIMES, Drawn, rows_within
from orchestrator.values.prior import Priors, prior_in_brief
from orchestrator.values.steps import Steps

if TYPE_CHECKING:
    from orchestrator.parameters.space import Space

_Known = TypeVar("_Known")


@dataclass(frozen=True, eq=False, slots=True)
class DrawnTogether:
    """Of C parameters, by their numbers in a space: (r, C) ``positions`` of the draws within all bounds, and
    how many draws were ``left_out``, as they are not.
    """

    numbers: tuple[int, ...]
    positions: FloatArray
    left_out: int


def drawn_together(space: Space, known: Mapping[str, object]) -> DrawnTogether | None:
    """Of those parameters of a space of which draws are ``known``, None of none. Raises SpecError for draws
    that do not belong together, or too few of which lie within the bounds.
    """
    drawn = _drawn(known)
    if not drawn:
        return None
    if at_times := [name for name in drawn if name in space.conditions]:
        raise SpecError(f"parameter `{at_times[0]}`: {COUNTS_AT_TIMES}")
    numbers = tuple(space.index(name) for name in drawn)
    parameters = [space.parameters[j] for j in numbers]
    rows = _rows_within(space, drawn)
    columns = []
    for parameter, one in zip(parameters, drawn.values(), strict=True):
        columns.append([parameter.encode(parameter.nearest(one.values[row])) for row in rows])
    return DrawnTogether(numbers, np.array(columns).T, len(next(iter(drawn.values())).values) - len(rows))


def prior_of_draws(space: Space) -> PriorOfDraws | None:
    """None where none are known. Raises SpecError as `drawn_together` does."""
    if (found := drawn_together(space, space.priors)) is None:
        return None
    coordinates = tuple(space.parameters[j].coordinate for j in found.numbers)
    return PriorOfDraws(found.numbers, coordinates, found.positions)


def within_bounds(space: Space, known: Mapping[str, _Known]) -> dict[str, _Known | Drawn]:
    """What is ``known`` of parameters, of draws of those that lie within all bounds. Raises SpecError where
    these are too few.
    """
    drawn, found = _drawn(known), dict[str, _Known | Drawn](known)
    rows = _rows_within(space, drawn) if drawn else []
    return found | {name: Drawn(tuple(one.values[row] for row in rows)) for name, one in drawn.items()}


def priors_in_brief(space: Space, known: Priors) -> dict[str, Mapping[str, Any]]:
    """What is ``known`` of parameters, for programs: how many draws lie within the bounds, and where."""
    return {name: prior_in_brief(one) for name, one in within_bounds(space, known).items()}


def draws_in_words(space: Space, known: Mapping[str, object]) -> str:
    """How those count of which draws are ``known``, to go on with; nothing where none are."""
    if (found := drawn_together(space, known)) is None:
        return ""
    together = "; what is known by draws goes together" if len(found.numbers) > 1 else ""
    draws = "1 draw that lies" if found.left_out == 1 else f"{found.left_out:,} draws that lie"
    return f"{together}{f', without {draws} outside the bounds' if found.left_out else ''}"


def _drawn(known: Mapping[str, object]) -> dict[str, Drawn]:
    return {name: one for name, one in known.items() if isinstance(one, Drawn)}


def _rows_within(space: Space, drawn: Mapping[str, Drawn]) -> list[int]:
    bounds = {name: _bounds(space.parameters[space.index(name)]) for name in drawn}
    try:
        return rows_within(drawn, bounds)
    except ValueError as error:
        raise SpecError(str(error)) from None


def _bounds(parameter: Parameter) -> tuple[float, float]:
    if isinstance(parameter, FloatParameter | IntParameter):
        return float(parameter.low), float(parameter.high)
    assert isinstance(parameter.values, Steps), "there are no draws of listed values"
    return float(parameter.values.low), float(parameter.values.high)
