"""Pushing an object to a goal: 3 or 4 parameters, on a physics engine.

Section 6.2 of Lu et al. 2022, after Wang and Jegelka 2017. A hand is placed at (x, y), moves towards where
the object lies, and pushes it. In 3 dimensions its position and the duration of the push are chosen, and
its broad side faces the object; in 4 the bar's angle is chosen as well, and a slanted hand deflects the
object. The value is minus the distance in metres between the object's last position and the goal: at most
0. Goals are ten, drawn once; the paper averages over ten.

| parameter | range in Wang and Jegelka's program | here |
|---|---|---|
| ``x``, ``y`` | -5 to 5 | the same, m |
| ``duration`` | 1 to 30, of ten steps of 0.01 s each | the same: 0.1 to 3 s |
| ``angle`` (4-d only) | 0 to 2 pi | the same, rad |

Deviations: sizes, speeds and friction are our own (the paper prints none, nor ranges), see
`evaluators.robots.scene`; so is the noise, which their program draws once for a push and not for each of its
steps. A hand placed inside the object starts touching it. The object slides on until it is at rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from evaluators.context import Context
from evaluators.errors import EvaluationError
from evaluators.quantities import Quantity, read_quantities
from evaluators.robots import box2d_engine, mujoco_engine
from evaluators.robots.scene import Push, Trajectory, plan_push

QUANTITIES: Mapping[str, Quantity] = {
    "x": Quantity(-20.0, 20.0, "m"),
    "y": Quantity(-20.0, 20.0, "m"),
    "duration": Quantity(0.0, 20.0, "s"),
    "angle": Quantity(-2.0 * math.pi, 2.0 * math.pi, "rad"),
}
ENGINES: Mapping[str, Callable[[Push], Trajectory]] = {
    "box2d": box2d_engine.simulate,
    "mujoco": mujoco_engine.simulate,
}
GOALS = np.random.default_rng(2022).uniform(-5.0, 5.0, (10, 2))
"""(10, 2) in metres."""


def push(
    parameters: Mapping[str, Any],
    *,
    goal: int = 0,
    engine: Literal["box2d", "mujoco"] = "box2d",
    noise: float = 0.05,
    context: Context,
) -> dict[str, Any]:
    """One push: `evaluators.robots:push`. About 1 ms in Box2D, 10 ms in MuJoCo.

    Args:
        parameters: ``x``, ``y``, ``duration``, and in the 4-dimensional task ``angle``.
        goal: which of `GOALS`, 0 to 9.
        engine: ``box2d`` or ``mujoco``; each needs its library, both are in the extra ``robots``.
        noise: standard deviation of each component of the hand's velocity in each 0.01 s, m/s.
        context: of the evaluation, whose seed the noise comes from.

    Returns:
        ``value``, minus the distance to the goal (m). The extras ``final`` and ``hand``, the last positions
        of the object and the hand, ``goal`` (all [x, y] in m), ``moved``, how far the object has come (m),
        and for pictures ``object_path``, ``hand_path`` (a position every 0.1 s) and ``hand_angle`` (rad).

    Raises:
        EvaluationError: invalid where parameters or options are not these; error where the engine is
            not installed.
    """
    simulate = _engine(engine)
    aim = _goal(goal)
    if isinstance(noise, bool) or not isinstance(noise, int | float) or not 0.0 <= noise < 10.0:
        raise EvaluationError(
            "invalid", f"push: expected a speed from 0 to 10 m/s as option `noise`, got {noise!r}"
        )
    names = [name for name in QUANTITIES if name != "angle" or "angle" in parameters]
    given = read_quantities("push", {name: QUANTITIES[name] for name in names}, parameters)
    planned = plan_push(
        given["x"],
        given["y"],
        given["duration"],
        given.get("angle"),
        noise,
        np.random.default_rng(np.random.SeedSequence(context.seed)),
    )
    trajectory = simulate(planned)
    end = trajectory.disc[-1]
    return {
        "value": -float(np.linalg.norm(end - aim)),
        "final": end.tolist(),
        "hand": trajectory.hand[-1].tolist(),
        "goal": aim.tolist(),
        "moved": float(np.linalg.norm(end - trajectory.disc[0])),
        "object_path": np.round(trajectory.disc, 3).tolist(),
        "hand_path": np.round(trajectory.hand, 3).tolist(),
        "hand_angle": planned.angle,
    }


def _engine(name: object) -> Callable[[Push], Trajectory]:
    if not isinstance(name, str) or name not in ENGINES:
        raise EvaluationError("invalid", f"push: expected box2d or mujoco as option `engine`, got {name!r}")
    return ENGINES[name]


def _goal(number: object) -> np.ndarray[Any, np.dtype[np.float64]]:
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(GOALS):
        raise EvaluationError(
            "invalid", f"push: expected a number from 0 to 9 as option `goal`, got {number!r}"
        )
    return np.asarray(GOALS[number])
