"""A push seen from above: where the hand came from, where the object went, and what it missed the goal by."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from evaluators.pictures.svg import BLUE, FAINT, GREEN, ORANGE, SOFT, Drawing, Place
from evaluators.robots.scene import DISC_RADIUS, HAND_HALF_SIDES


def draw_push(parameters: Mapping[str, Any], extras: Mapping[str, Any]) -> str:
    """An SVG of one trial of `evaluators.robots:push`, from what it returned. Metres on both axes."""
    del parameters
    object_path: list[Place] = [(x, y) for x, y in extras["object_path"]]
    hand_path: list[Place] = [(x, y) for x, y in extras["hand_path"]]
    goal: Place = (extras["goal"][0], extras["goal"][1])
    angle = float(extras["hand_angle"])
    reach = max(6.0, *(abs(c) + 1.3 for place in [*object_path, *hand_path, goal] for c in place))
    drawing = Drawing(-reach, reach, -reach, reach)
    _ground(drawing, reach)

    thin = f'fill="none" stroke="{SOFT}" stroke-width="1.5" stroke-dasharray="5 4"'
    drawing.polygon(_bar(hand_path[0], angle), thin)
    drawing.circle(object_path[0], DISC_RADIUS, thin)
    drawing.polygon(_bar(hand_path[-1], angle), f'fill="{BLUE}" fill-opacity="0.25" stroke="{BLUE}"')
    drawing.circle(object_path[-1], DISC_RADIUS, f'fill="{ORANGE}" fill-opacity="0.3" stroke="{ORANGE}"')
    drawing.line(hand_path, f'stroke="{BLUE}" stroke-width="2"')
    drawing.line(object_path, f'stroke="{ORANGE}" stroke-width="2"')
    for place in object_path:
        drawing.dot(place, 2, f'fill="{ORANGE}"')

    distance = math.dist(object_path[-1], goal)
    drawing.line([object_path[-1], goal], f'stroke="{GREEN}" stroke-width="1.5" stroke-dasharray="3 3"')
    arm = 9 / drawing.scale
    for corner in ((arm, arm), (arm, -arm)):
        ends = [(goal[0] + side * corner[0], goal[1] + side * corner[1]) for side in (-1, 1)]
        drawing.line(ends, f'stroke="{GREEN}" stroke-width="3.5" stroke-linecap="round"')
    right = goal[0] < 0.6 * reach
    drawing.text(
        (goal[0] + (2 if right else -2) * arm, goal[1] - 0.5 * arm),
        "goal",
        anchor="start" if right else "end",
        style=f'fill="{GREEN}" font-weight="600"',
    )
    drawing.caption(f"The object ends {distance:.2f} m from the goal")
    return drawing.svg(f"A hand pushes a disc, which ends {distance:.2f} m from its goal.")


def _ground(drawing: Drawing, reach: float) -> None:
    whole = math.floor(reach)
    for metre in range(-whole, whole + 1):
        strength = 1.5 if metre % 5 == 0 else 0.7
        for ends in ([(metre, -reach), (metre, reach)], [(-reach, metre), (reach, metre)]):
            drawing.line(ends, f'stroke="{FAINT}" stroke-width="{strength}"')
    below, beside = 16 / drawing.scale, 6 / drawing.scale
    for metre in range(-5 * (whole // 5), whole + 1, 5):
        label = f"{metre} m".replace("-", "−")
        drawing.text((metre, -reach - below), label, size=11, anchor="middle", style=f'fill="{SOFT}"')
        drawing.text(
            (-reach - beside, metre - beside / 2), label, size=11, anchor="end", style=f'fill="{SOFT}"'
        )


def _bar(centre: Place, angle: float) -> list[Place]:
    depth, breadth = HAND_HALF_SIDES
    cosine, sine = math.cos(angle), math.sin(angle)
    return [
        (centre[0] + cosine * u - sine * v, centre[1] + sine * u + cosine * v)
        for u, v in ((depth, breadth), (-depth, breadth), (-depth, -breadth), (depth, -breadth))
    ]
