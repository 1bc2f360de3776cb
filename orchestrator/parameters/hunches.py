"""Where good settings of parameters are believed to lie, in the unit cube."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.parameters.kinds import ChoiceParameter, FloatParameter, IntParameter, Parameter
from orchestrator.parameters.ordered import OrderedParameter
from orchestrator.parameters.priors import prior_of_coordinate, prior_of_numbers
from orchestrator.unit_cube.hunch import Hunch, HunchOfCoordinate
from orchestrator.values.distributions import AboutMean, ByChance, WithinFactor, lies_within
from orchestrator.values.hunch import SaidPromising

if TYPE_CHECKING:
    from orchestrator.parameters.space import Space


def hunch_of_points(space: Space) -> Hunch | None:
    """None where there is none. What lies beyond bounds that were amended since says nothing any more."""
    each = {
        space.index(name): _of_coordinate(parameter, said)
        for name, said in space.hunches.items()
        if _is_within(parameter := space.parameters[space.index(name)], said)
    }
    return Hunch(each) if each else None


def _of_coordinate(parameter: Parameter, said: SaidPromising) -> HunchOfCoordinate:
    drawn = prior_of_coordinate(parameter, said)
    if isinstance(said, AboutMean | WithinFactor):
        numbers = prior_of_numbers(parameter, said)
        return HunchOfCoordinate(numbers, drawn, numbers.middle)
    assert isinstance(parameter, ChoiceParameter | OrderedParameter), "others have no chances"
    likeliest = parameter.values[said.chances.index(max(said.chances))]
    return HunchOfCoordinate(drawn, drawn, parameter.encode(likeliest))


def _is_within(parameter: Parameter, said: SaidPromising) -> bool:
    if isinstance(said, ByChance):
        return True
    if isinstance(parameter, FloatParameter | IntParameter):
        return lies_within(said, parameter.low, parameter.high)
    return lies_within(said, float(parameter.values[0]), float(parameter.values[-1]))
