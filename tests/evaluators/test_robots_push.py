"""Pushing: the engines do what mechanics says, and the evaluator what its spec asks for."""

import math
import sys
from typing import Any

import numpy as np
import pytest
from evaluation_context import context

from evaluators.errors import EvaluationError
from evaluators.readiness.extras import missing_modules
from evaluators.robots import push
from evaluators.robots.pushing import GOALS
from evaluators.robots.scene import (
    DISC_RADIUS,
    GRAVITY,
    GROUND_FRICTION,
    HAND_HALF_SIDES,
    HAND_SPEED,
    plan_push,
)

HEAD_ON = {"x": -4.0, "y": 0.0, "duration": 1.5}
COAST = HAND_SPEED**2 / (2.0 * GROUND_FRICTION * GRAVITY)
AHEAD = HAND_HALF_SIDES[0] + DISC_RADIUS

each_engine = pytest.mark.parametrize(
    "engine",
    [
        pytest.param(
            engine,
            marks=pytest.mark.skipif(
                module in missing_modules("robots"), reason=f"{module} is not installed"
            ),
        )
        for engine, module in (("box2d", "Box2D"), ("mujoco", "mujoco"))
    ],
)


def towards(goal: int, from_distance: float = 4.0) -> dict[str, float]:
    """The push that mechanics says ends at the goal, if nothing disturbs it."""
    distance = float(np.linalg.norm(GOALS[goal]))
    x, y = -from_distance * GOALS[goal] / distance
    return {"x": x, "y": y, "duration": (from_distance + distance - AHEAD - COAST) / HAND_SPEED}


@each_engine
def test_a_disc_pushed_head_on_ends_where_hand_and_friction_leave_it(engine: str) -> None:
    result = push(HEAD_ON, engine=engine, noise=0.0, context=context())

    expected = -4.0 + 1.5 * HAND_SPEED + AHEAD + COAST
    assert result["final"] == pytest.approx([expected, 0.0], abs=0.1)
    assert result["value"] == pytest.approx(-math.dist(result["final"], GOALS[0]))
    assert result["hand"] == pytest.approx([0.5, 0.0], abs=1e-3)
    assert result["moved"] == pytest.approx(expected, abs=0.1)


@each_engine
@pytest.mark.parametrize("goal", [5, 9])
def test_aiming_at_the_goal_beats_pushing_away_from_it(engine: str, goal: int) -> None:
    aimed = towards(goal)
    away = {**aimed, "x": -aimed["x"], "y": -aimed["y"]}
    good, bad = (push(p, goal=goal, engine=engine, context=context()) for p in (aimed, away))

    assert good["value"] > -0.4
    assert bad["value"] < -8.0


@each_engine
def test_the_same_seed_gives_the_same_push_and_another_a_slightly_other_one(engine: str) -> None:
    first, again, other = (
        push({**HEAD_ON, "angle": 0.3}, engine=engine, context=context(seed)) for seed in (1, 1, 2)
    )

    assert first == again
    assert first["final"] != other["final"]
    assert math.dist(first["final"], other["final"]) < 0.5


@each_engine
def test_a_hand_that_does_not_arrive_moves_nothing(engine: str) -> None:
    result = push({"x": 5.0, "y": 5.0, "duration": 0.1}, goal=2, engine=engine, context=context())

    assert result["moved"] == pytest.approx(0.0, abs=1e-3)
    assert result["value"] == pytest.approx(-np.linalg.norm(GOALS[2]), abs=1e-3)


@each_engine
def test_a_slanted_hand_deflects_the_object_to_its_side(engine: str) -> None:
    left, straight, right = (
        push({**HEAD_ON, "angle": angle}, engine=engine, noise=0.0, context=context())["final"][1]
        for angle in (0.5, 0.0, -0.5)
    )

    assert left > 0.5 > straight > -0.5 > right
    assert left == pytest.approx(-right, abs=0.1)


def test_an_angle_that_faces_the_object_is_the_push_in_three_dimensions() -> None:
    planned = [
        plan_push(3.0, 3.0, 1.0, angle, 0.0, np.random.default_rng(0)) for angle in (None, -3 * math.pi / 4)
    ]

    assert planned[0].angle == pytest.approx(planned[1].angle)
    np.testing.assert_allclose(planned[0].start, planned[1].start)


@pytest.mark.parametrize("angle", [None, 0.0, 0.7, 2.0])
@pytest.mark.parametrize("place", [(0.0, 0.0), (0.4, -0.2), (-1.0, 0.3)])
def test_a_hand_placed_inside_the_object_starts_touching_it(
    place: tuple[float, float], angle: float | None
) -> None:
    planned = plan_push(*place, 1.0, angle, 0.0, np.random.default_rng(0))
    cosine, sine = math.cos(planned.angle), math.sin(planned.angle)
    seen_by_hand = np.abs(np.array([[cosine, sine], [-sine, cosine]]) @ planned.start)
    gap = np.linalg.norm(np.maximum(seen_by_hand - HAND_HALF_SIDES, 0.0)) - DISC_RADIUS

    assert gap == pytest.approx(0.0, abs=1e-6)
    assert np.dot(planned.velocities[0], planned.start) < 0.0


def test_paths_are_there_for_a_picture_and_end_where_the_result_says() -> None:
    pytest.importorskip("Box2D", reason="Box2D is not installed")
    result = push(HEAD_ON, context=context())

    assert result["object_path"][0] == [0.0, 0.0]
    assert result["object_path"][-1] == pytest.approx(result["final"], abs=1e-3)
    assert len(result["object_path"]) == len(result["hand_path"]) < 60


def test_the_ten_goals_lie_in_the_square_and_apart() -> None:
    assert GOALS.shape == (10, 2)
    assert np.abs(GOALS).max() <= 5.0
    assert min(math.dist(a, b) for i, a in enumerate(GOALS) for b in GOALS[:i]) > 0.3


@pytest.mark.parametrize(
    ("parameters", "options", "sentence"),
    [
        ({"x": 1.0, "y": 2.0}, {}, "expected the parameters x, y, duration; they came without duration"),
        ({**HEAD_ON, "speed": 3.0}, {}, "with speed"),
        ({**HEAD_ON, "x": math.nan}, {}, "a number from -20 to 20 m as x, got nan"),
        ({**HEAD_ON, "duration": -1.0}, {}, "a number from 0 to 20 s as duration, got -1.0"),
        (HEAD_ON, {"goal": 10}, "a number from 0 to 9 as option `goal`, got 10"),
        (HEAD_ON, {"engine": "bullet"}, "box2d or mujoco as option `engine`, got 'bullet'"),
        (HEAD_ON, {"noise": -0.1}, "0 to 10 m/s as option `noise`, got -0.1"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    parameters: dict[str, Any], options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(EvaluationError, match=sentence) as refused:
        push(parameters, **options, context=context())

    assert refused.value.kind == "invalid"


@pytest.mark.parametrize(("engine", "module"), [("box2d", "Box2D"), ("mujoco", "mujoco")])
def test_a_missing_engine_is_named_with_the_command_that_supplies_it(
    monkeypatch: pytest.MonkeyPatch, engine: str, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)

    with pytest.raises(
        EvaluationError, match=rf"{module}, which is not installed.*pip install '{module}>="
    ) as failed:
        push(HEAD_ON, engine=engine, context=context())

    assert failed.value.kind == "error"
