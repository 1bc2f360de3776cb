"""The pushing task in MuJoCo: a flat cylinder on a floor, under gravity, pushed by a bar above the floor.

Differs from Box2D's plane as reality does. The disc's weight rests on its rim, so that a disc that is
turned slides sideways more easily, where Box2D resists sliding and turning independently; and contacts are
slightly soft. Pushed with the broad side the disc ends within some centimetres of where Box2D has it;
pushed with a slanted side, some decimetres from there, and pushed with a corner it slips off sooner.
"""

from __future__ import annotations

import math

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

_SUBSTEPS = 4
_HALF_HEIGHT = 0.2
# The hand is moved by setting its velocity, and is heavy enough not to be slowed within a substep.
_MODEL = """
<mujoco>
  <option timestep="{timestep}" gravity="0 0 -{gravity}" cone="elliptic" impratio="10"/>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1" contype="0" conaffinity="0"/>
    <body name="disc" pos="0 0 {half_height}">
      <freejoint/>
      <geom name="disc" type="cylinder" size="{radius} {half_height}" mass="1" contype="0" conaffinity="0"/>
    </body>
    <body name="hand" pos="{x} {y} {half_height}" euler="0 0 {angle_degrees}">
      <joint name="along_x" type="slide" axis="{cosine} {minus_sine} 0"/>
      <joint name="along_y" type="slide" axis="{sine} {cosine} 0"/>
      <geom name="hand" type="box" size="{depth} {breadth} {low}" mass="1000" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
  <contact>
    <pair geom1="disc" geom2="floor" friction="{ground} {ground}"/>
    <pair geom1="hand" geom2="disc" friction="{contact} {contact}"/>
  </contact>
</mujoco>
"""


def simulate(push: Push) -> Trajectory:
    """Push until the disc is at rest. Raises `EvaluationError` (error) where MuJoCo is not installed."""
    mujoco = extra_module("mujoco", extra="robots", needed_by="push with `engine: mujoco`")
    model = mujoco.MjModel.from_xml_string(_model(push))
    data = mujoco.MjData(model)
    disc, hand = model.body("disc").id, model.body("hand").id
    along_x, along_y = (model.joint(name).dofadr[0] for name in ("along_x", "along_y"))
    frames = []
    commands = np.vstack([push.velocities, np.zeros((REST_STEPS, 2))])
    mujoco.mj_forward(model, data)
    for number, (speed_x, speed_y) in enumerate(commands):
        if number % FRAME_STEPS == 0:
            frames.append((data.xpos[disc][:2].copy(), data.xpos[hand][:2].copy()))
        for _ in range(_SUBSTEPS):
            data.qvel[along_x], data.qvel[along_y] = speed_x, speed_y
            mujoco.mj_step(model, data)
    frames.append((data.xpos[disc][:2].copy(), data.xpos[hand][:2].copy()))
    positions = np.array(frames)
    return Trajectory(disc=positions[:, 0], hand=positions[:, 1])


def _model(push: Push) -> str:
    return _MODEL.format(
        timestep=STEP / _SUBSTEPS,
        gravity=GRAVITY,
        radius=DISC_RADIUS,
        half_height=_HALF_HEIGHT,
        x=push.start[0],
        y=push.start[1],
        angle_degrees=math.degrees(push.angle),
        cosine=math.cos(push.angle),
        sine=math.sin(push.angle),
        minus_sine=-math.sin(push.angle),
        depth=HAND_HALF_SIDES[0],
        breadth=HAND_HALF_SIDES[1],
        low=0.5 * _HALF_HEIGHT,
        ground=GROUND_FRICTION,
        contact=HAND_FRICTION,
    )
