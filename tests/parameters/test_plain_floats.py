"""Floats whose numbers are found all at once: the same, to the bit, as each by itself."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.parameters.plain_floats import FEW, PlainFloats
from orchestrator.parameters.space import Space

SPACE = Space.from_description(
    {
        "x": {"type": "float", "bounds": [-5, 5]},
        "tiny": {"type": "float", "bounds": [-1e-310, 3e-310]},
        "rate": {"type": "float", "bounds": [1e-4, 1.0], "scale": "log"},
        "far": {"type": "float", "bounds": [1e9, 1e9 + 10]},
        "count": {"type": "int", "bounds": [0, 9]},
        "third": {"type": "float", "bounds": [-0.1, 1 / 3]},
        "step": {"type": "float", "bounds": [0, 1], "step": 0.25},
        "unnamed": {"type": "float", "bounds": [0, 1]},
    }
)
MEANT = np.array([name != "unnamed" for name in SPACE.names])


@pytest.fixture
def floats() -> PlainFloats:
    return PlainFloats.among(SPACE.parameters, MEANT)


def test_all_at_once_are_what_each_is_to_the_bit(floats: PlainFloats) -> None:
    points = np.vstack([np.random.default_rng(1).random((200, len(SPACE.names))), np.eye(len(SPACE.names))])
    points[:3] = np.array([0.0, 0.5, 1.0])[:, None]
    found = floats.numbers(points)
    for j in (SPACE.index(name) for name in found):
        alone = SPACE.parameters[j].numbers(points[:, j])
        assert found[SPACE.names[j]].tobytes() == alone.tobytes()
    assert {"x", "third"} <= set(found) <= {"x", "tiny", "third"}


def test_of_many_points_and_where_there_is_no_such_float_none_are(floats: PlainFloats) -> None:
    assert floats.numbers(np.zeros((FEW + 1, len(SPACE.names)))) == {}
    assert PlainFloats.among(SPACE.parameters, ~MEANT & False).numbers(np.zeros((2, 8))) == {}
