"""The table of the pushing task: a disc, a hand, friction, and the geometry of where a push begins.

A plane seen from above. The disc lies at the origin; the hand is a bar that moves at constant speed towards
where the disc lay, then stops, and the disc slides on until friction has stopped it.
Lengths in metres, times in seconds, angles in radians.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

FloatArray = NDArray[np.float64]

DISC_RADIUS = 1.0
HAND_HALF_SIDES = (0.3, 1.0)
"""Half the hand's depth (along its own x) and half its breadth: at angle 0 the broad side faces along x."""
HAND_SPEED = 3.0
GROUND_FRICTION = 0.5
HAND_FRICTION = 0.3
GRAVITY = 9.81
STEP = 0.01
"""Between two changes of the hand's velocity."""
REST_STEPS = 100
"""Steps after the push: enough for the disc to come to rest from the hand's speed, which takes 0.61 s."""
FRAME_STEPS = 10
"""Steps between two positions of a recorded path."""


@dataclass(frozen=True)
class Push:
    """What the hand does: where its centre starts (2,), the bar's angle, its (steps, 2) velocities in m/s."""

    start: FloatArray
    angle: float
    velocities: FloatArray


@dataclass(frozen=True)
class Trajectory:
    """(frames, 2) positions of the disc's and of the hand's centre, first and last instant included."""

    disc: FloatArray
    hand: FloatArray


def plan_push(
    x: float, y: float, duration: float, angle: float | None, noise: float, rng: np.random.Generator
) -> Push:
    """The push of a hand placed at (x, y), for ``duration``, with independent noise on its velocity.

    Args:
        x, y: where the hand's centre is placed. Where that would overlap the disc the hand starts further
            out, just touching it; at the very centre, to the left of it.
        duration: rounded to whole steps.
        angle: of the bar; None turns the broad side to the disc.
        noise: standard deviation of each component of the velocity in each step, m/s.
        rng: of the noise.
    """
    distance = math.hypot(x, y)
    outward = np.array([x, y]) / distance if distance > 1e-9 else np.array([-1.0, 0.0])
    if angle is None:
        angle = math.atan2(-outward[1], -outward[0])
    start = outward * max(distance, _touching_distance(outward, angle))
    steps = round(duration / STEP)
    velocities = -HAND_SPEED * outward + rng.normal(0.0, noise, (steps, 2)) if noise > 0 else None
    if velocities is None:
        velocities = np.tile(-HAND_SPEED * outward, (steps, 1))
    return Push(start, angle, velocities)


def _touching_distance(outward: FloatArray, angle: float) -> float:
    """How far from the disc's centre, along ``outward``, the hand's centre is when the two just touch."""
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    direction = np.abs(turn @ outward)
    half_sides = np.array(HAND_HALF_SIDES)

    def gap(distance: float) -> float:
        return float(np.linalg.norm(np.maximum(distance * direction - half_sides, 0.0))) - DISC_RADIUS

    reach = DISC_RADIUS + float(np.linalg.norm(half_sides))
    return float(brentq(gap, 0.0, reach + 1e-9))
