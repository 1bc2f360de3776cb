"""A program that has numpy raise, to catch mistakes of its own, and asks and tells."""

import numpy as np
import pytest
from priced_parameters import PARAMETERS, cost
from quick_options import quick_options

from orchestrator import Optimiser


def asked(name: str, **changes) -> list[object]:
    optimiser = Optimiser(PARAMETERS, goal="minimise", algorithm=name, options=quick_options(name), **changes)
    points = []
    for _ in range(9):
        (one,) = optimiser.ask()
        points.append(one.parameters)
        optimiser.tell(one.trial, cost(one.parameters))
    optimiser.learn({"x1": 0.5, "x2": 3, "kind": "a"}, 0.5)
    optimiser.insight()
    return points


@pytest.mark.parametrize("name", ["auto", "dumbo", "egp-ts", "gp-ei", "turbo"])
def test_what_is_calculated_is_as_ever_and_raises_nothing(name):
    """Numbers too small for a float, which count as 0, are everywhere in a kernel."""
    expected = asked(name)
    with np.errstate(all="raise"):
        assert asked(name) == expected


def test_so_it_is_where_constraints_tie_parameters():
    constraints = ["exp(-1000 * x1) <= 0.5", "x1 ** 2 * x2 <= 6"]
    expected = asked("auto", constraints=constraints)
    with np.errstate(all="raise"):
        assert asked("auto", constraints=constraints) == expected


def test_the_program_s_own_mistakes_raise_afterwards():
    with np.errstate(all="raise"):
        optimiser = Optimiser(PARAMETERS, algorithm="random")
        optimiser.ask()
        with pytest.raises(FloatingPointError):
            np.exp(np.array([1e4]))
