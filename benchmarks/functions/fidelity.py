"""Functions that may be looked at less closely for less, for comparisons. All are minimised.

Of some a formula has a fidelity, after Kandasamy et al. 2017, Appendix D.1 (one dimension of it in the place
of several, and a stronger bias) and Xiong et al. 2013, Section 3. The others are computations whose error and
cost both come from how finely they are done.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.linalg import solve_banded

from evaluators.synthetic.peaks import hartmann
from orchestrator.arrays import FloatArray

Parameters = Mapping[str, Any]
Description = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class FidelityFunction:
    """``description`` is of all parameters, and ``parameter`` that of them which says how closely to look;
    it is full at its upper bound. ``cost`` is arithmetic of it; ``least`` the least value at full fidelity,
    and ``evaluations`` the budget of a comparison, in evaluations there.
    """

    description: Description
    parameter: str
    cost: str
    least: float
    evaluations: int
    evaluate: Callable[[Parameters], float]

    @property
    def full(self) -> Any:
        """The parameter's value at full fidelity."""
        return self.description[self.parameter]["bounds"][1]

    @property
    def at_full(self) -> Description:
        """The parameters with fidelity fixed."""
        return {**self.description, self.parameter: {"type": "fixed", "value": self.full}}

    @property
    def dimension(self) -> int:
        """How many other parameters there are."""
        return len(self.description) - 1


def _float(low: float, high: float, **more: Any) -> dict[str, Any]:
    return {"type": "float", "bounds": [low, high], **more}


def _int(low: int, high: int, **more: Any) -> dict[str, Any]:
    return {"type": "int", "bounds": [low, high], **more}


_HILLS = hartmann(6)
_LOST = np.array([0.1, 1 / 6, 2 / 15, 3 / 16])
"""The part of each hill's height that the least fidelity does not see."""


def _hartmann(p: Parameters) -> float:
    """With less fidelity hills are lower, the highest most."""
    heights = _HILLS.factor_values(_of_six(p))[0]
    return -float(heights @ (1.0 - _LOST * (1.0 - p["z"])))


def _mirrored(p: Parameters) -> float:
    """With less fidelity more of the mirror image: what looks best cheaply is where nothing is."""
    own, image = (float(_HILLS.evaluate(points)[0]) for points in (_of_six(p), 1.0 - _of_six(p)))
    return float(-(p["z"] * own + (1.0 - p["z"]) * image))


def _of_six(p: Parameters) -> FloatArray:
    return np.array([[p[f"x{i}"] for i in range(1, 7)]])


def _branin(p: Parameters) -> float:
    """With less fidelity the valley is bent less, and its three pits are unlike."""
    lacking = 1.0 - p["z"]
    squared = 5.1 / (4 * math.pi**2) - 0.03 * lacking
    bend = p["y"] - squared * p["x"] ** 2 + (5 / math.pi - 0.3 * lacking) * p["x"] - 6.0
    share = 1.0 - 1 / (8 * math.pi) - 0.05 * lacking
    return float(bend**2 + 10.0 * share * math.cos(p["x"]) + 10.0)


def _closely(x: float, y: float) -> float:
    factor = 1.0 - math.exp(-0.5 / y) if y > 0.0 else 1.0
    above = 2300 * x**3 + 1900 * x**2 + 2092 * x + 60
    return factor * above / (100 * x**3 + 500 * x**2 + 4 * x + 20)


def _currin(p: Parameters) -> float:
    """With less fidelity the mean over four points around, minus; between, what lies between."""
    x, y, z = p["x"], p["y"], p["z"]
    around = [_closely(x + a, max(0.0, y + b)) for a in (-0.05, 0.05) for b in (-0.05, 0.05)]
    return float(-(z * _closely(x, y) + (1.0 - z) * np.mean(around)))


@cache
def _rod_temperatures(cells: int, place: float, width: float, loss: float, end: float) -> FloatArray:
    """Of a rod that is heated about a place, loses heat to the air, and is held at a temperature at its end:
    steady, at 25 places, on so many cells.
    """
    step = 1.0 / cells
    middles = (np.arange(cells) + 0.5) * step
    heat = np.exp(-0.5 * ((middles - place) / width) ** 2) / width
    bands = np.zeros((3, cells))
    bands[0, 1:] = bands[2, :-1] = -1.0 / step**2
    bands[1] = 2.0 / step**2 + loss
    # Nothing flows at the beginning; at the end the temperature is taken for the last cell's.
    bands[1, 0] -= 1.0 / step**2
    heat[-1] += end / step**2
    temperatures: FloatArray = solve_banded((1, 1), bands, heat)
    return np.interp(np.linspace(0.0, 1.0, 25), middles, temperatures)


def _rod(p: Parameters) -> float:
    """The logarithm of how far off temperatures that were measured a model is."""
    told = _rod_temperatures(p["cells"], p["place"], p["width"], p["loss"], p["end"])
    measured = _rod_temperatures(400, 0.37, 0.11, 4.2, 0.6)
    return math.log10(1e-4 + float(np.mean((told - measured) ** 2)))


@cache
def _swing(steps: int, length: float, damping: float, angle: float) -> FloatArray:
    """The angles of a pendulum at 20 times in four seconds, by so many steps of Euler's (semi-implicit)."""
    step, speed, angles = 4.0 / steps, 0.0, [angle]
    for _ in range(steps):
        speed += step * (-9.81 / length * math.sin(angle) - damping * speed)
        angle += step * speed
        angles.append(angle)
    return np.interp(np.linspace(0.0, 4.0, 20), np.linspace(0.0, 4.0, steps + 1), angles)


def _pendulum(p: Parameters) -> float:
    """The logarithm of how far off a swing that was filmed a model is."""
    told = _swing(p["steps"], p["length"], p["damping"], p["angle"])
    return math.log10(1e-4 + float(np.mean((told - _swing(2000, 1.3, 0.35, 1.9)) ** 2)))


@cache
def _digits() -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(labels))
    learned, judged = order[:1000], order[1000:]
    return images[learned] / 16.0, labels[learned], images[judged] / 16.0, labels[judged]


def _support_vectors(p: Parameters) -> float:
    """The part of 797 digits that a support vector machine takes for others, having learned from so many."""
    from sklearn.svm import SVC

    images, labels, others, theirs = _digits()
    count = p["images"]
    machine = SVC(C=p["C"], gamma=p["gamma"], tol=p["tolerance"]).fit(images[:count], labels[:count])
    return 1.0 - float(machine.score(others, theirs))


_Z = _float(0.0, 1.0)
FIDELITY: Mapping[str, FidelityFunction] = {
    "hartmann-6": FidelityFunction(
        {**{f"x{i}": _float(0.0, 1.0) for i in range(1, 7)}, "z": _Z},
        "z",
        "0.05 + 0.95 * z ** 2",
        -3.322368011415,
        30,
        _hartmann,
    ),
    "mirrored": FidelityFunction(
        {**{f"x{i}": _float(0.0, 1.0) for i in range(1, 7)}, "z": _Z},
        "z",
        "0.05 + 0.95 * z ** 2",
        -3.322368011415,
        30,
        _mirrored,
    ),
    "branin": FidelityFunction(
        {"x": _float(-5.0, 10.0), "y": _float(0.0, 15.0), "z": _Z},
        "z",
        "0.05 + 0.95 * z ** 2",
        0.397887357729739,
        20,
        _branin,
    ),
    "currin": FidelityFunction(
        {"x": _float(0.0, 1.0), "y": _float(0.0, 1.0), "z": _Z},
        "z",
        "0.1 + 0.9 * z ** 2",
        -13.798722044728,
        20,
        _currin,
    ),
    "rod": FidelityFunction(
        {
            "place": _float(0.0, 1.0),
            "width": _float(0.05, 0.5, scale="log"),
            "loss": _float(0.1, 20.0, scale="log"),
            "end": _float(0.0, 1.0),
            "cells": _int(10, 400, scale="log"),
        },
        "cells",
        "cells",
        -4.0,
        20,
        _rod,
    ),
    "pendulum": FidelityFunction(
        {
            "length": _float(0.5, 3.0),
            "damping": _float(0.0, 1.0),
            "angle": _float(-3.0, 3.0),
            "steps": _int(40, 2000, scale="log"),
        },
        "steps",
        "steps",
        -4.0,
        20,
        _pendulum,
    ),
    "support-vectors": FidelityFunction(
        {
            "C": _float(1e-2, 1e3, scale="log"),
            "gamma": _float(1e-4, 1e1, scale="log"),
            "tolerance": _float(1e-5, 1.0, scale="log"),
            "images": _int(50, 1000, scale="log"),
        },
        "images",
        "images ** 1.5",
        0.0,
        15,
        _support_vectors,
    ),
}
