"""What is expected over two parameters together: which two, where, and where nothing is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from orchestrator.arrays import FloatArray
from orchestrator.parameters.space import Space
from orchestrator.sensitivity.map_positions import map_positions
from orchestrator.sensitivity.value_map import value_map

SPACE = {"a": (0.0, 1.0), "b": {"type": "int", "bounds": [1, 3]}, "c": (0.0, 1.0)}


class Known:
    """A model that is sure of a function of three parameters."""

    def __init__(self, space: Space) -> None:
        self.domain = space.domain

    def expected(self, points: FloatArray) -> FloatArray:
        return np.asarray(points @ [100.0, 10.0, 1.0])


def over(space: Space, shares: list[float], at: dict[str, Any]) -> Any:
    return value_map(Known(space), np.array(shares), space.encode(at))  # type: ignore[arg-type]


def test_it_is_over_the_two_that_matter_most_through_the_point() -> None:
    space = Space.from_description(SPACE)
    found = over(space, [0.1, 0.5, 0.7], {"a": 0.25, "b": 1, "c": 0.9})
    assert (found.across, found.down) == (2, 1)
    assert found.expected.shape == (len(found.rows), len(found.columns)) == (3, 20)
    expected = 25.0 + 10.0 * found.rows[:, None] + found.columns[None, :]
    assert found.expected == pytest.approx(expected)


def test_of_many_values_those_are_shown_that_lie_evenly_on_their_scale() -> None:
    numbers = {"type": "int", "bounds": [1, 1000], "scale": "log"}
    listed = {"type": "ordered", "values": [i**3 for i in range(39)]}
    space = Space.from_description({"a": numbers, "b": {"type": "int", "bounds": [1, 1000]}, "c": listed})
    logs, linear, cubes = (
        [float(space.parameters[i].decode(at)) for at in map_positions(space.domain, i, 20)] for i in range(3)
    )
    assert logs[:6] == [1, 2, 3, 4, 6, 9]
    assert logs[-3:] == pytest.approx([463, 681, 1000], rel=0.06)
    assert np.diff(linear) == pytest.approx(np.full(19, 999 / 19), abs=1.0)
    assert cubes == [(2.0 * i) ** 3 for i in range(20)]


def test_where_constraints_are_broken_there_is_nothing() -> None:
    found = over(Space.from_description(SPACE, ["a + c <= 1"]), [0.9, 0.1, 0.5], {"a": 0.2, "b": 2, "c": 0.2})
    apart = found.columns[None, :] + found.rows[:, None]
    assert (np.isnan(found.expected) == (apart > 1.0)).all()


def test_it_is_of_parameters_that_count_whatever_the_other_is() -> None:
    described = SPACE | {"c": {"type": "float", "bounds": (0.0, 1.0), "when": "b >= 2"}}
    space = Space.from_description(described)
    found = over(space, [0.1, 0.5, 0.7], {"a": 0.25, "b": 3, "c": 0.9})
    assert (found.across, found.down) == (2, 0)
    assert over(space, [0.1, 0.5, 0.7], {"a": 0.25, "b": 1}).across == 1
    alone = Space.from_description({"a": (0.0, 1.0)})
    assert value_map(Known(alone), np.ones(1), np.array([0.5])) is None  # type: ignore[arg-type]
