"""By how much settings of parameters may be off, in the unit cube."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeGuard

import numpy as np

from orchestrator.parameters.kinds import FloatParameter, Parameter
from orchestrator.parameters.ordered import OrderedParameter
from orchestrator.unit_cube.settings_off import Off, SettingsOff

if TYPE_CHECKING:
    from orchestrator.parameters.space import Space

Measurable: TypeAlias = FloatParameter | OrderedParameter
"""A number between whose values there are others."""


def is_measurable(parameter: Parameter) -> TypeGuard[Measurable]:
    """Whether a parameter can be off by a little."""
    return isinstance(parameter, FloatParameter) or (
        isinstance(parameter, OrderedParameter) and parameter.all_numbers
    )


def off_by(parameter: Measurable, coordinate: int, width: float) -> Off:
    """Of the parameter with this number in its space, by up to a ``width`` in its own units."""
    if parameter.periodic:
        low, high = _turn(parameter)
        first = parameter.encode(low)
        return Off(
            coordinate, width, np.array([low, high], float), np.array([first, first + 1.0]), periodic=True
        )
    if isinstance(parameter, FloatParameter):
        numbers, positions = np.array([parameter.low, parameter.high], dtype=float), np.array([0.0, 1.0])
    else:
        own = parameter.coordinate
        positions = own.grid if own.positions else np.array([0.0, 1.0])
        numbers = np.array([parameter.decode(float(x)) for x in positions], dtype=float)
        ascending = np.argsort(numbers)
        numbers, positions = numbers[ascending], positions[ascending]
    return Off(coordinate, width, numbers, positions, parameter.scale == "log")


def _turn(parameter: Measurable) -> tuple[float, float]:
    """The bounds of one that comes round."""
    if isinstance(parameter, FloatParameter):
        return float(parameter.low), float(parameter.high)
    return float(parameter.values[0]), float(parameter.values[-1])


def settings_off(space: Space) -> SettingsOff | None:
    """What algorithms are told of a space's tolerances; None without any."""
    axes = []
    for name, width in space.tolerances.items():
        coordinate = space.index(name)
        parameter = space.parameters[coordinate]
        assert is_measurable(parameter)
        axes.append(off_by(parameter, coordinate, width))
    return SettingsOff.of(axes) if axes else None
