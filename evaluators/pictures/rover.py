"""The rover's way over its terrain: obstacles, their slopes, the 30 points and the spline between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from evaluators.pictures.svg import BLUE, GREEN, INK, ORANGE, RED, SOFT, Drawing, Place
from evaluators.rover import GOAL, OBSTACLE_SLOPE, OBSTACLES, PARAMETERS, POINTS, START, journey, trajectory
from evaluators.rover import OBSTACLE_HALF_SIDE as HALF_SIDE

_TERRACES = 8


def draw_rover(parameters: Mapping[str, Any], extras: Mapping[str, Any]) -> str:
    """An SVG of one trial of `evaluators.rover:rover`, which needs its parameters only."""
    del extras
    points = np.array([float(parameters[name]) for name in PARAMETERS]).reshape(POINTS, 2)
    travelled = journey(points)
    drawing = Drawing(0.0, 1.0, 0.0, 1.0)
    drawing.polygon(_square((0.5, 0.5), 0.5), f'fill="#f5f2ea" stroke="{SOFT}"')
    for level in range(_TERRACES, -1, -1):
        half_side = HALF_SIDE + OBSTACLE_SLOPE * level / _TERRACES
        for x, y in OBSTACLES:
            drawing.polygon(
                _square((x, y), half_side), f'fill="#6b4f3a" fill-opacity="{0.2 if level else 0.8}"'
            )

    way = trajectory(points)
    drawing.line([(x, y) for x, y in points], f'stroke="{BLUE}" stroke-width="0.8" stroke-opacity="0.35"')
    drawing.line([(x, y) for x, y in way], f'stroke="{BLUE}" stroke-width="2.5"')
    for x, y in points:
        drawing.dot((x, y), 2.5, f'fill="#ffffff" stroke="{BLUE}"')
    for place, name, colour in ((START, "start", ORANGE), (GOAL, "goal", GREEN)):
        x, y = float(place[0]), float(place[1])
        drawing.dot((x, y), 6, f'fill="{colour}" stroke="#ffffff" stroke-width="1.5"')
        halo = f'fill="{INK}" font-weight="600" paint-order="stroke" stroke="#ffffff" stroke-width="3"'
        drawing.text((x, y - 0.035), name, anchor="middle", style=halo)
    drawing.caption(f"Value {travelled.value:.2f}: length {travelled.path_length:.2f}".replace("-", "−"))
    drawing.text(
        (1.0, 1.0 + 14 / drawing.scale),
        f"obstacles −{travelled.collision_cost:.2f}, ends missed −{travelled.miss_cost:.2f}",
        anchor="end",
        style=f'fill="{RED if travelled.collision_cost + travelled.miss_cost > 0.1 else SOFT}"',
    )
    return drawing.svg(
        f"A way of length {travelled.path_length:.2f} over terrain with {len(OBSTACLES)} obstacles, worth "
        f"{travelled.value:.2f} of at most 5."
    )


def _square(centre: Place, half_side: float) -> list[Place]:
    x, y = centre
    return [(x + u * half_side, y + v * half_side) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
