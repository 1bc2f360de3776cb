"""The rover: a way round the obstacles beats a way through them, and the costs are what they say."""

from typing import Any

import numpy as np
import pytest

from evaluators.errors import EvaluationError
from evaluators.rover import GOAL, PARAMETERS, REFERENCE_OPTIMUM, START, journey, roughness, rover, trajectory

WAY_ROUND = np.array(
    [
        [0.05, 0.05],
        [0.07, 0.20],
        [0.22, 0.33],
        [0.34, 0.46],
        [0.47, 0.60],
        [0.60, 0.73],
        [0.75, 0.85],
        [0.92, 0.93],
    ]
)


def along(way: np.ndarray) -> np.ndarray:
    """(30, 2) points at equal distances along a broken line."""
    way = np.vstack([way, GOAL])
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1))])
    places = np.linspace(0.0, lengths[-1], 30)
    return np.stack([np.interp(places, lengths, way[:, axis]) for axis in (0, 1)], axis=1)


def parameters_of(points: np.ndarray) -> dict[str, float]:
    return dict(zip(PARAMETERS, points.ravel().tolist(), strict=True))


def test_a_way_round_the_obstacles_comes_close_to_the_reference() -> None:
    result = rover(parameters_of(along(WAY_ROUND)))

    assert result["collision_cost"] < 0.02
    assert REFERENCE_OPTIMUM - 0.1 < result["value"] < REFERENCE_OPTIMUM


def test_the_straight_way_is_shorter_and_collides() -> None:
    straight, round_ = journey(along(START[np.newaxis])), journey(along(WAY_ROUND))

    assert straight.path_length == pytest.approx(0.9 * np.sqrt(2.0))
    assert straight.path_length < round_.path_length
    assert straight.collision_cost > 1.0
    assert straight.value < round_.value


def test_nothing_exceeds_the_reference_and_random_ways_are_far_below() -> None:
    rng = np.random.default_rng(0)
    values = np.array([journey(rng.random((30, 2))).value for _ in range(300)])

    assert values.max() < 0.0


def test_the_costs_add_up() -> None:
    result = rover(parameters_of(np.random.default_rng(1).random((30, 2))))

    spent = result["collision_cost"] + result["miss_cost"] + 0.05 * result["path_length"]
    assert REFERENCE_OPTIMUM - spent == pytest.approx(result["value"])


def test_a_missed_goal_costs_ten_times_the_distance() -> None:
    points = along(WAY_ROUND)
    points[-1] += [0.03, -0.02]

    assert journey(points).miss_cost == pytest.approx(10 * 0.05)


def test_the_trajectory_joins_its_ends_and_stays_in_the_square() -> None:
    points = np.random.default_rng(2).integers(0, 2, (30, 2)).astype(float)
    positions = trajectory(points)

    np.testing.assert_allclose(positions[[0, -1]], points[[0, -1]], atol=1e-12)
    assert positions.min() >= -1e-12
    assert positions.max() <= 1.0 + 1e-12


def test_points_all_in_one_place_are_a_way_of_no_length() -> None:
    assert journey(np.full((30, 2), 0.05)).path_length == pytest.approx(0.0, abs=1e-9)


def test_the_ground_is_continuous() -> None:
    line = np.stack([np.linspace(0.0, 1.0, 20_001), np.full(20_001, 0.36)], axis=1)
    heights = roughness(line)

    assert heights.min() == pytest.approx(0.05)
    assert heights.max() == pytest.approx(20.05)
    assert np.abs(np.diff(heights)).max() < 0.2


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"x1": 0.5}, r"expected the parameters x1, .*60 in all.*without x2, .*59 in all"),
        ({**dict.fromkeys(PARAMETERS, 0.5), "x7": "far"}, "a number from 0 to 1 as x7, got 'far'"),
    ],
)
def test_wrong_parameters_are_refused_in_words(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(EvaluationError, match=sentence) as refused:
        rover(parameters)
    assert refused.value.kind == "invalid"
