"""What is known of parameters beforehand, in the unit cube."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from orchestrator.errors import UsageError
from orchestrator.parameters.drawn_priors import prior_of_draws
from orchestrator.parameters.kinds import ChoiceParameter, FloatParameter, IntParameter, Parameter
from orchestrator.parameters.ordered import OrderedParameter
from orchestrator.spelling import did_you_mean, listed
from orchestrator.unit_cube.priors import PriorOfCoordinate, PriorOfNumbers, PriorOfPoints, PriorOfPositions
from orchestrator.values.distributions import AboutMean, ByChance, WithinFactor
from orchestrator.values.drawn import Drawn
from orchestrator.values.foreign import numbers_within
from orchestrator.values.prior import Prior, prior_of, require_prior_of_numbers, require_prior_of_values
from orchestrator.values.steps import Steps

if TYPE_CHECKING:
    from orchestrator.parameters.space import Space


def prior_of_points(space: Space) -> PriorOfPoints | None:
    """None where nothing is known. Raises SpecError for draws that do not belong together, or too few of
    which lie within the bounds.
    """
    if not space.priors:
        return None
    told = {space.index(name): one for name, one in space.priors.items() if not isinstance(one, Drawn)}
    each = {j: prior_of_coordinate(space.parameters[j], prior) for j, prior in told.items()}
    return PriorOfPoints(each, prior_of_draws(space))


def knowing(space: Space, told: Mapping[str, Any]) -> Space:
    """The space with this known beforehand of some of its parameters, as a spec says it, or None, in place of
    what it has. Raises UsageError for names of none, and for what cannot be known of one.
    """
    known = dict(space.priors)
    for name, one in numbers_within(told).items():
        if name not in space.names:
            near = did_you_mean(str(name), space.names)
            came = f"got `{name}`{near}"
            raise UsageError(f"expected a prior of what is chosen ({listed(space.names)}), {came}")
        known.pop(name, None)
        try:
            if one is not None:
                known[name] = _required(prior_of(one), space.parameters[space.index(name)])
        except ValueError as error:
            raise UsageError(f"as the prior of `{name}` expected {error}") from None
    return replace(space, priors=known)


def chances_of(parameter: Parameter, prior: AboutMean | WithinFactor) -> tuple[float, ...]:
    """How plausible each of the numbers is that are listed of a parameter, in the order of their positions;
    none where it takes any, or more than are listed.
    """
    found = prior_of_coordinate(parameter, prior)
    if not isinstance(found, PriorOfPositions):
        return ()
    return tuple((np.exp(found.logs) * np.diff(parameter.coordinate.ends)).tolist())


def _required(prior: Prior, parameter: Parameter) -> Prior:
    """Raises ValueError where that cannot be known of it."""
    if parameter.coordinate.comes_round and not isinstance(prior, Drawn):
        raise ValueError("no `mean` of what is periodic: what is past a bound would be cut off there")
    if isinstance(parameter, FloatParameter | IntParameter):
        require_prior_of_numbers(prior, parameter.low, parameter.high)
    elif isinstance(parameter.values, Steps):
        require_prior_of_numbers(prior, parameter.values.low, parameter.values.high)
    else:
        require_prior_of_values(prior, len(parameter.values))
    return prior


def prior_of_coordinate(
    parameter: Parameter, prior: AboutMean | WithinFactor | ByChance
) -> PriorOfCoordinate:
    """Of one parameter, apart from others."""
    coordinate = parameter.coordinate
    if isinstance(prior, ByChance):
        assert isinstance(parameter, ChoiceParameter | OrderedParameter), "others have no chances"
        positions = [parameter.encode(value) for value in parameter.values]
        return PriorOfPositions.of_chances(coordinate, np.array(prior.chances)[np.argsort(positions)])
    numbers = prior_of_numbers(parameter, prior)
    return PriorOfPositions.of_numbers(coordinate, numbers) if coordinate.positions else numbers


def prior_of_numbers(parameter: Parameter, prior: AboutMean | WithinFactor) -> PriorOfNumbers:
    """Of one whose values are numbers, between them as well, where it has few."""
    start, end, logarithmic = _scale(parameter)
    if isinstance(prior, WithinFactor):
        return PriorOfNumbers(start, end, logarithmic, prior.logarithm, by_logarithm=True)
    return PriorOfNumbers(start, end, logarithmic, prior, by_logarithm=False)


def _scale(parameter: Parameter) -> tuple[float, float, bool]:
    """What lies at both ends of the unit interval, and whether by logarithms."""
    if isinstance(parameter, FloatParameter):
        low, high = float(parameter.low), float(parameter.high)
    elif isinstance(parameter, IntParameter):
        # Each lies at the middle of its cell.
        low, high = parameter.low - 0.5, parameter.high + 0.5
    else:
        assert isinstance(parameter.values, Steps), "listed values have chances"
        steps = parameter.values
        low, high = float(steps[0]) - steps.step / 2.0, float(steps[-1]) + steps.step / 2.0
        return low, high, False
    logarithmic = parameter.scale == "log"
    return (math.log(low), math.log(high), True) if logarithmic else (low, high, False)
