"""Bounds that lie close together beside their size: what was asked for is known again."""

import numpy as np
import pytest
from quick_options import quick_options

from orchestrator import Optimiser
from orchestrator.parameters.kinds import FloatParameter
from orchestrator.unit_cube.domain import Domain


@pytest.mark.parametrize("name", ["soo", "direct", "gp-ei", "dumbo", "auto"])
@pytest.mark.parametrize(("low", "width"), [(1e6, 1e-2), (5e14, 2e5)])
def test_numbers_that_doubles_hardly_tell_apart_are_not_asked_for_again_and_again(
    name: str, low: float, width: float
) -> None:
    optimiser = Optimiser({"f": (low, low + width)}, algorithm=name, options=quick_options(name), noise=0.0)
    values = []
    for _ in range(25):
        (asked,) = optimiser.ask()
        values.append(asked.parameters["f"])
        optimiser.tell(asked.trial, -abs(values[-1] - low - 0.4 * width))
    assert len(set(values)) == 25
    assert min(values) >= low
    assert max(values) <= low + width
    assert optimiser.best().value > -0.01 * width


@pytest.mark.parametrize(
    ("low", "high"), [(1e6, 1e6 + 1e-2), (5e14, 5e14 + 2e5), (1.0, 1.0 + 1e-9), (-3e8, -3e8 + 1)]
)
def test_each_step_between_narrow_bounds_is_a_point_of_its_own_and_comes_back_as_itself(
    low: float, high: float
) -> None:
    parameter = FloatParameter("f", low, high)
    positions = np.random.default_rng(0).random(200)
    values = [parameter.decode(position) for position in positions]
    assert parameter.numbers(positions).tolist() == values
    assert [parameter.decode(parameter.encode(value)) for value in values] == values
    snapped = Domain((parameter.coordinate,)).rounded(positions[:, None])[:, 0]
    assert [parameter.encode(value) for value in values] == snapped.tolist()
    assert (parameter.decode(0.0), parameter.decode(1.0)) == (low, high)
    assert parameter.decode(parameter.encode(high)) == high
