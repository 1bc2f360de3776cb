"""Parameters that come round: their two bounds are one setting."""

import math
import pickle
from typing import Any

import numpy as np
import pytest

from orchestrator.errors import SpecError, UsageError
from orchestrator.parameters.derivatives import differentiable
from orchestrator.parameters.priors import knowing
from orchestrator.parameters.space import Space
from orchestrator.parameters.tolerances import off_by
from orchestrator.unit_cube.circle import nearest_turn

ANGLE = {"type": "float", "bounds": [-180, 180], "periodic": True}
SPACE = Space.from_description(
    {
        "angle": ANGLE,
        "hour": {"type": "int", "bounds": [0, 24], "periodic": True},
        "turn": {"type": "float", "bounds": [0, 360], "step": 45, "periodic": True},
        "fine": {"type": "int", "bounds": [0, 36000], "periodic": True},
        "gain": (0.0, 1.0),
    }
)
LOW = {"angle": -180.0, "hour": 0, "turn": 0.0, "fine": 0, "gain": 0.5}
HIGH = {"angle": 180.0, "hour": 24, "turn": 360.0, "fine": 36000, "gain": 0.5}


def test_both_bounds_are_one_point_and_evaluations_are_told_the_lower() -> None:
    assert SPACE.encode(HIGH).tolist() == SPACE.encode(LOW).tolist()
    assert SPACE.decode(SPACE.encode(HIGH)) == LOW
    assert SPACE.parameters[0].decode(1.0) == -180.0
    assert SPACE.parameters[0].numbers(np.array([0.0, 0.25, 1.0])).tolist() == [-180.0, -90.0, -180.0]


def test_a_round_trip_is_exact_all_the_way_round() -> None:
    points = SPACE.domain.sample(200, np.random.default_rng(0))
    rounded = np.array([SPACE.encode(SPACE.decode(point)) for point in points])
    again = np.array([SPACE.encode(SPACE.decode(point)) for point in rounded])
    assert again.tolist() == rounded.tolist()
    assert SPACE.domain.rounded(rounded).tolist() == rounded.tolist()


def test_so_many_settings_are_left_as_lie_between_the_bounds() -> None:
    hour, turn = SPACE.domain.coordinates[1:3]
    assert (len(hour.positions), len(turn.positions)) == (24, 8)
    points = SPACE.domain.sample(500, np.random.default_rng(1))
    assert {SPACE.decode(point)["hour"] for point in points} == {*range(24)}


def test_the_last_and_the_first_setting_are_neighbours_to_kernels() -> None:
    def apart(one: dict[str, Any], other: dict[str, Any]) -> float:
        seen = SPACE.domain.embed(np.array([SPACE.encode({**LOW, **p}) for p in (one, other)]))
        return float(np.linalg.norm(seen[0] - seen[1]))

    assert math.isclose(apart({"hour": 23}, {"hour": 0}), apart({"hour": 7}, {"hour": 8}))
    assert math.isclose(apart({"angle": 178}, {"angle": -179}), apart({"angle": 10}, {"angle": 13}))
    assert math.isclose(apart({"fine": 35990}, {"fine": 10}), apart({"fine": 100}, {"fine": 120}))


def test_it_is_pickled_with_its_space() -> None:
    assert pickle.loads(pickle.dumps(SPACE)).domain.comes_round.tolist() == [True, True, True, True, False]


def test_what_is_off_past_a_bound_comes_in_at_the_other() -> None:
    angle, turn = SPACE.parameters[0], SPACE.parameters[2]
    for parameter, setting, width in ((angle, 178.0, 4.0), (turn, 315.0, 60.0)):
        axis = off_by(parameter, 0, width)  # type: ignore[arg-type]
        meant = axis.meant(np.array([parameter.encode(setting)]))
        shifted = axis.shifted(meant, np.array([-1.0, 1.0]))
        assert np.allclose(meant, setting)
        assert np.allclose(shifted, [setting - width, setting + width - 360])
        placed = axis.placed(shifted)
        assert np.allclose(
            nearest_turn(placed - parameter.encode(setting), np.zeros(2)), [[-width / 360, width / 360]]
        )
        assert parameter.decode(placed[0, 1]) == pytest.approx(
            shifted[0, 1], abs=22.5 if parameter is turn else 1e-9
        )


def test_there_are_no_derivatives_by_it() -> None:
    assert differentiable(SPACE) == ("gain",)


def test_nothing_is_known_of_it_by_a_mean_from_which_a_bound_would_cut_off_the_rest() -> None:
    with pytest.raises(UsageError, match="as the prior of `angle` expected no `mean` of what is periodic"):
        knowing(SPACE, {"angle": {"mean": 170, "deviation": 20}})
    assert "angle" in knowing(SPACE, {"angle": {"draws": [170.0, -175.0] * 30}}).priors


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"bounds": [1, 10], "scale": "log"}, "a linear scale beside `periodic`"),
        ({"travel": 10}, "no `travel` beside `periodic`"),
        ({"change": 10}, "no `change` beside `periodic`"),
        ({"tolerance": 1}, "no `tolerance` beside `periodic`"),
        ({"bounds": [0, 360], "least": 1}, "no `least` beside `periodic`"),
        ({"prior": {"mean": 0, "deviation": 9}}, "no `prior` beside `periodic`"),
        ({"in_use": {"mean": 170, "deviation": 20}}, "no `mean` of what comes up in use beside `periodic`"),
        ({"step": 360}, "at least two settings beside `periodic`"),
        ({"type": "int", "bounds": [0, 1]}, "at least two settings beside `periodic`"),
        ({"periodic": "yes"}, "True or False as `periodic`"),
    ],
)
def test_what_cannot_come_round_is_refused(more: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        Space.from_description({"angle": {**ANGLE, **more}})


def test_two_settings_opposite_one_another_come_round() -> None:
    side = Space.from_description(
        {"side": {**ANGLE, "step": 180}, "half": {**ANGLE, "type": "int", "bounds": [0, 2]}}
    )
    assert [len(one.positions) for one in side.domain.coordinates] == [2, 2]


def test_ordered_values_and_choices_have_no_such_key() -> None:
    with pytest.raises(SpecError, match="got `periodic`"):
        Space.from_description({"d": {"type": "ordered", "values": ["n", "e"], "periodic": True}})
