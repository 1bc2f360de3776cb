"""Functions of which it is sought where they are above a threshold.

Sources: Waarts 2000, a series system with four branches; Bichon et al. 2008 (multimodal); Ishigami & Homma
1990; Ben-Ari & Steinberg 2007 (piston); a stirred tank that runs away, that of `configs/labs/runaway.awk`.

Notation: D parameters, n points of the unit cube.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from benchmarks.functions.sensitivity import MEASURABLE, Measurable
from evaluators.synthetic.peaks import hartmann
from orchestrator.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class BoundaryFunction:
    """``value`` is (n,) at (n, D) points of the unit cube, D being its ``dimension``; it is sought where that
    is above the ``threshold``, in so many ``evaluations``. ``about`` says in a few words what it is.
    """

    dimension: int
    value: Callable[[FloatArray], FloatArray]
    threshold: float
    evaluations: int
    about: str


def _four_branches(a: FloatArray, b: FloatArray) -> FloatArray:
    far = 7.0 / math.sqrt(2.0)
    bows = [3.0 + 0.1 * (a - b) ** 2 + sign * (a + b) / math.sqrt(2.0) for sign in (-1.0, 1.0)]
    return np.asarray(np.min([*bows, a - b + far, b - a + far], axis=0))


def _multimodal(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray((a**2 + 4.0) * (b - 1.0) / 20.0 - np.sin(2.5 * a) - 2.0)


def _runaway(jacket: FloatArray, strength: FloatArray, log_cooling: FloatArray) -> FloatArray:
    """The hottest moment in degrees: see `configs/labs/runaway.awk`."""
    wall, cooling, step = jacket + 273.15, np.exp(log_cooling), 0.1
    hot, top, left = wall.copy(), wall.copy(), strength.copy()
    under_way = np.ones(len(wall), dtype=bool)
    for _ in range(36_000):
        rate = np.minimum(2e9 * np.exp(-80_000.0 / (8.314 * hot)) * left, left / step)
        heated = hot + step * (180.0 * rate - cooling * (hot - wall) / 1000.0) / 3.9
        hot, left = np.where(under_way, heated, hot), np.where(under_way, left - step * rate, left)
        top = np.maximum(top, hot)
        under_way &= left >= 0.001 * strength
        if not under_way.any():
            break
    return np.asarray(top - 273.15)


def _hartmann(points: FloatArray) -> FloatArray:
    return np.asarray(hartmann(3).evaluate(points))


BOUNDARIES: Mapping[str, BoundaryFunction] = {
    "four branches": BoundaryFunction(
        2,
        Measurable(((-6.0, 6.0),) * 2, _four_branches),
        0.0,
        24,
        "four parts, of which the weakest counts",
    ),
    "multimodal": BoundaryFunction(
        2, Measurable(((-4.0, 7.0), (-3.0, 8.0)), _multimodal), 0.0, 24, "a bent boundary"
    ),
    "hartmann": BoundaryFunction(3, _hartmann, 1.0, 40, "about the peaks of Hartmann's function of 3"),
    "ishigami": BoundaryFunction(3, MEASURABLE["ishigami"], 5.0, 40, "many islands"),
    "runaway": BoundaryFunction(
        3,
        Measurable(((20.0, 80.0), (0.5, 3.0), (math.log(2.0), math.log(60.0))), _runaway),
        120.0,
        30,
        "whether a stirred tank gets hotter than 120 degrees: beside the boundary values leap",
    ),
    "piston": BoundaryFunction(7, MEASURABLE["piston"], 0.6, 40, "the slowest cycles of a piston"),
}
