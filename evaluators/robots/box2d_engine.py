"""The pushing task in Box2D, the engine of the paper: two dimensions, friction with the ground as a joint."""

from __future__ import annotations

import numpy as np

from evaluators.readiness.extras import extra_module
from evaluators.robots.scene import (
    DISC_RADIUS,
    FRAME_STEPS,
    GRAVITY,
    GROUND_FRICTION,
    HAND_FRICTION,
    HAND_HALF_SIDES,
    REST_STEPS,
    STEP,
    Push,
    Trajectory,
)

_VELOCITY_ITERATIONS = 10
_POSITION_ITERATIONS = 10


def simulate(push: Push) -> Trajectory:
    """Push until the disc is at rest. Raises `EvaluationError` (error) where Box2D is not installed."""
    box2d = extra_module("Box2D", extra="robots", needed_by="push")
    world = box2d.b2World(gravity=(0, 0), doSleep=False)
    ground = world.CreateStaticBody()
    disc = world.CreateDynamicBody(
        position=(0, 0),
        fixtures=box2d.b2FixtureDef(
            shape=box2d.b2CircleShape(radius=DISC_RADIUS), density=1.0, friction=HAND_FRICTION
        ),
    )
    # A disc that presses on the ground evenly resists turning as if its weight lay at 2/3 of its radius.
    resistance = GROUND_FRICTION * disc.mass * GRAVITY
    world.CreateFrictionJoint(
        bodyA=ground, bodyB=disc, maxForce=resistance, maxTorque=2.0 / 3.0 * DISC_RADIUS * resistance
    )
    hand = world.CreateKinematicBody(
        position=tuple(map(float, push.start)),
        angle=push.angle,
        fixtures=box2d.b2FixtureDef(shape=box2d.b2PolygonShape(box=HAND_HALF_SIDES), friction=HAND_FRICTION),
    )
    frames = [(tuple(disc.position), tuple(hand.position))]
    commands = np.vstack([push.velocities, np.zeros((REST_STEPS, 2))]).tolist()
    for number, velocity in enumerate(commands, start=1):
        hand.linearVelocity = velocity
        world.Step(STEP, _VELOCITY_ITERATIONS, _POSITION_ITERATIONS)
        if number % FRAME_STEPS == 0 or number == len(commands):
            frames.append((tuple(disc.position), tuple(hand.position)))
    positions = np.array(frames)
    return Trajectory(disc=positions[:, 0], hand=positions[:, 1])
