"""The cascade: how its thresholds differ from OpenCV's, and which images it judges wrongly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from evaluators.pictures.png import data_address, grey_png
from evaluators.pictures.svg import BLUE, FAINT, INK, ORANGE, RED, SOFT, Drawing
from evaluators.vision.cascade import cascade_file, original_thresholds
from evaluators.vision.face_detection import FACES, QUANTITIES, images

_TILE = 25
_COLUMNS = 20
_FACE_ROWS = FACES // _COLUMNS
_GAP = 1.2
"""Between the two blocks of images, in tiles."""
_CHART = 7.0


def draw_faces(parameters: Mapping[str, Any], extras: Mapping[str, Any]) -> str:
    """An SVG of one trial of `evaluators.vision:faces`.

    Raises:
        EvaluationError: (error) OpenCV or scikit-image, which hold cascade and images, is missing.
    """
    wrong = [int(number) for number in extras["mistakes"]]
    height = 2 * _FACE_ROWS + 2 * _GAP + _CHART
    drawing = Drawing(0.0, _COLUMNS, 0.0, height, width=640, margin=44)
    _chart(drawing, [float(parameters[name]) for name in QUANTITIES])
    faces_top = height - _CHART - _GAP
    others_top = faces_top - _FACE_ROWS - _GAP
    missed, mistaken = sum(number < FACES for number in wrong), sum(number >= FACES for number in wrong)
    _mosaic(drawing, 0, faces_top, f"{FACES} faces, {missed} of them missed", wrong)
    _mosaic(drawing, FACES, others_top, f"{FACES} others, {mistaken} of them taken for faces", wrong)
    accuracy = 1.0 - len(wrong) / (2 * FACES)
    drawing.caption(f"Accuracy {accuracy:.3f}: thresholds of the 22 stages, beside OpenCV's own")
    return drawing.svg(
        f"A face cascade with accuracy {accuracy:.3f}: {missed} faces missed, {mistaken} others mistaken."
    )


def _chart(drawing: Drawing, thresholds: list[float]) -> None:
    original = np.array(original_thresholds(cascade_file()))
    shares = np.array(thresholds) / original - 1.0
    limit = max(0.05, float(np.abs(shares).max()))
    middle, half = drawing.top - _CHART / 2, _CHART / 2 - 0.6
    for share, words in ((limit, f"+{limit:.0%}"), (0.0, "0"), (-limit, f"−{limit:.0%}")):
        y = middle + half * share / limit
        drawing.line([(0.0, y), (_COLUMNS, y)], f'stroke="{SOFT if share == 0.0 else FAINT}"')
        drawing.text((-0.25, y - 0.13), words, size=11, anchor="end", style=f'fill="{SOFT}"')
    for stage, share in enumerate(shares):
        x = (stage + 0.5) * _COLUMNS / len(shares)
        y = middle + half * share / limit
        colour = BLUE if share < 0 else ORANGE
        drawing.line([(x, middle), (x, y)], f'stroke="{colour}" stroke-width="2.5"')
        drawing.dot((x, y), 4.5, f'fill="{colour}"')
        drawing.text(
            (x, middle - half - 0.6), str(stage + 1), size=10, anchor="middle", style=f'fill="{SOFT}"'
        )


def _mosaic(drawing: Drawing, first: int, top: float, words: str, wrong: list[int]) -> None:
    tiles = images()[first : first + FACES].reshape(_FACE_ROWS, _COLUMNS, _TILE, _TILE)
    sheet = tiles.transpose(0, 2, 1, 3).reshape(_FACE_ROWS * _TILE, _COLUMNS * _TILE)
    x, y = drawing.at((0.0, top))
    side = drawing.scale
    drawing.shapes.append(
        f'<image x="{x:g}" y="{y:g}" width="{_COLUMNS * side:g}" height="{_FACE_ROWS * side:g}" '
        f'href="{data_address(grey_png(np.ascontiguousarray(sheet)))}"/>'
    )
    drawing.text((0.0, top + 0.3), words, size=12, style=f'fill="{INK}"')
    for number in wrong:
        row, column = divmod(number - first, _COLUMNS)
        if 0 <= row < _FACE_ROWS:
            corners = ((0, 0), (1, 0), (1, 1), (0, 1))
            drawing.polygon(
                [(column + u, top - row - v) for u, v in corners],
                f'fill="{RED}" fill-opacity="0.12" stroke="{RED}" stroke-width="2.5"',
            )
