"""What a universe should have shown, beside what BOSS saw: five observables on a scale of their errors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from evaluators.cosmology.cmass import ERRORS, OBSERVABLES, REDSHIFT, Observable, log_likelihood
from evaluators.pictures.svg import BLUE, FAINT, INK, ORANGE, SOFT, Drawing

REACH: Final = 4.0
"""Standard deviations shown to either side; what is farther off is an arrow at the edge."""

_WIDTH, _ROW, _FOOT = 620, 46, 42
_LEFT, _RIGHT = 175, 455


def draw_likelihood(parameters: Mapping[str, Any], extras: Mapping[str, Any]) -> str:
    """An SVG of one trial of `evaluators.cosmology:likelihood`, from what it returned."""
    del parameters
    reason = extras.get("inconsistent")
    if reason is not None:
        return _no_universe(str(reason))
    predicted = [float(extras[observable.name]) for observable in OBSERVABLES]
    value = log_likelihood(np.array(predicted))
    # One unit of the plane is a pixel: every observable has a scale of its own.
    drawing = Drawing(0, _WIDTH, 0, _ROW * len(OBSERVABLES) + _FOOT, width=_WIDTH + 80)
    rows = [drawing.top - _ROW * (number + 0.5) for number in range(len(OBSERVABLES))]
    _bands(drawing, rows)
    for y, observable, error, number in zip(rows, OBSERVABLES, ERRORS, predicted, strict=True):
        _row(drawing, y, observable, float(error), number)
    _legend(drawing)
    likely = f"{value:.2f}".replace("-", "−")
    drawing.caption(f"Galaxies at redshift {REDSHIFT}: log likelihood {likely}")
    return drawing.svg(
        f"Five predicted observables against those measured; the log likelihood is {likely}. "
        + "; ".join(
            f"{o.name} {p:.4g}, measured {o.mean:.4g}" for o, p in zip(OBSERVABLES, predicted, strict=True)
        )
    )


def _place(deviations: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * (deviations + REACH) / (2 * REACH)


def _bands(drawing: Drawing, rows: list[float]) -> None:
    top, bottom = rows[0] + _ROW / 2, rows[-1] - _ROW / 2
    for deviations, opacity in ((2, 0.09), (1, 0.16)):
        left, right = _place(-deviations), _place(deviations)
        corners = [(left, bottom), (right, bottom), (right, top), (left, top)]
        drawing.polygon(corners, f'fill="{BLUE}" fill-opacity="{opacity}"')
    drawing.line([(_place(0), bottom), (_place(0), top)], f'stroke="{BLUE}" stroke-width="1.5"')
    for deviations in range(-int(REACH), int(REACH) + 1, 2):
        label = "0" if deviations == 0 else f"{deviations:+d} σ".replace("-", "−")
        drawing.text(
            (_place(deviations), bottom - 14), label, size=11, anchor="middle", style=f'fill="{SOFT}"'
        )
    drawing.text((_RIGHT + 22, top + 1), "predicted", size=11, style=f'fill="{SOFT}"')
    drawing.text((_RIGHT + 92, top + 1), "measured", size=11, style=f'fill="{SOFT}"')


def _row(drawing: Drawing, y: float, observable: Observable, error: float, predicted: float) -> None:
    words = observable.name.replace("_", " ")
    unit = f", {observable.unit}" if observable.unit else ""
    drawing.text((0, y + 2), words, size=13)
    drawing.text((0, y - 12), f"{observable.symbol}{unit}", size=11, style=f'fill="{SOFT}"')
    drawing.line([(_LEFT, y), (_RIGHT, y)], f'stroke="{FAINT}" stroke-width="1.5"')

    deviations = (predicted - observable.mean) / error
    colour = ORANGE if abs(deviations) > 2 else INK
    if abs(deviations) <= REACH:
        drawing.dot((_place(deviations), y), 5, f'fill="{colour}"')
    else:
        side = math.copysign(1, deviations)
        edge = _place(side * REACH)
        drawing.polygon(
            [(edge + 9 * side, y), (edge - 3 * side, y + 6), (edge - 3 * side, y - 6)], f'fill="{colour}"'
        )
    digits = max(0, 2 - math.floor(math.log10(abs(observable.mean))))
    bold = f'fill="{colour}" font-weight="600"'
    drawing.text((_RIGHT + 22, y - 4), f"{predicted:.{digits}f}", style=bold)
    drawing.text(
        (_RIGHT + 92, y - 4), f"{observable.mean:.{digits}f} ± {error:.{digits}f}", style=f'fill="{BLUE}"'
    )


def _legend(drawing: Drawing) -> None:
    drawing.text(
        (0, 2),
        "Bands: one and two standard deviations of each measurement by itself. "
        "Their correlations count in the likelihood too.",
        size=11,
        style=f'fill="{SOFT}"',
    )


def _no_universe(reason: str) -> str:
    drawing = Drawing(0, _WIDTH, 0, 30, width=_WIDTH + 80)
    drawing.caption("Inconsistent constants: nothing to predict")
    drawing.text((0, 12), reason if len(reason) < 90 else f"{reason[:88]}…", style=f'fill="{ORANGE}"')
    return drawing.svg(f"Inconsistent constants: {reason}.")
