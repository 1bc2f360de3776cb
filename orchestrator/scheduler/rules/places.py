"""Values that some parameters are to have: where they are held, or what is full fidelity."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import TypeAlias

from orchestrator.values.named import Value, Values
from orchestrator.values.same import alike

Places: TypeAlias = Values
"""The value of each parameter, by its name."""

ROUNDING = 1e-9
"""Of floats, as a part of them: that of the grid on which optimisers choose them, with much to spare but near
0. Where they are held, suggestions have the very numbers; what rounding leaves of 0 in a table is read as 0.
"""


def away(places: Places, parameters: Values) -> tuple[str, ...]:
    """The parameters that have other values at a point, or do not count there."""
    if not places:
        return ()
    return tuple(
        name
        for name, value in places.items()
        if name not in parameters or not _as_good_as(parameters[name], value)
    )


def held_after(before: Places, held: Places, freed: Collection[str]) -> dict[str, object]:
    """What is held once some parameters are, or are elsewhere, and some are let go."""
    return {**{name: value for name, value in before.items() if name not in freed}, **held}


def place_words(places: Places) -> str:
    """``batch = april, speed = 0.5``."""
    return ", ".join(f"{name} = {written(value)}" for name, value in places.items())


def held_words(held: Places, freed: Collection[str]) -> str:
    """``batch = may, speed chosen again``: what is held from now on, and what is let go."""
    said = [place_words(held)] if held else []
    return ", ".join([*said, *(f"{name} chosen again" for name in freed)])


def away_words(places: Places, parameters: Values) -> str:
    """``batch = march, held at april`` of each that is elsewhere."""
    said = [
        f"{name} = {written(parameters[name])} and is held at {written(places[name])}"
        if name in parameters
        else f"{name} does not count and is held at {written(places[name])}"
        for name in away(places, parameters)
    ]
    return f"elsewhere than what is held: {', '.join(said)}"


def _as_good_as(a: Value, b: Value) -> bool:
    if alike(a, b):
        return True
    if not (isinstance(a, float | int) and isinstance(b, float | int)):
        return False
    kinds = (type(a), type(b))
    return float in kinds and bool not in kinds and math.isclose(a, b, rel_tol=ROUNDING)


def written(value: Value) -> str:
    """A value for people."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.10g}" if isinstance(value, float) else str(value)
