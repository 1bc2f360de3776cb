"""Functions whose highest top may be too narrow to be met within tolerances, for comparisons.

All are maximised, over the unit cube.

Notation: D parameters, k points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from orchestrator.arrays import FloatArray

WAYS, ROUGHLY = 2048, 256
"""To be off, by which the true average is taken: of a result, and where the best one is looked for."""
LOOKS, CLIMBS = 1500, 6


@dataclass(frozen=True)
class RobustFunction:
    """``evaluate`` (k, D) points to (k,) values. Each of ``dimension`` parameters is off by up to its own of
    the ``tolerances``, 0 for none. ``evaluations``: the budget of a comparison.
    """

    evaluate: Callable[[FloatArray], FloatArray]
    tolerances: tuple[float, ...]
    evaluations: int

    @property
    def dimension(self) -> int:
        """How many parameters there are."""
        return len(self.tolerances)

    @property
    def description(self) -> dict[str, dict[str, object]]:
        """As `Space.from_description` reads it, tolerances included."""
        plain: dict[str, object] = {"type": "float", "bounds": [0.0, 1.0]}
        own = ({"tolerance": width} if width else {} for width in self.tolerances)
        return {f"x{i}": plain | told for i, told in enumerate(own)}

    def average(self, point: FloatArray, ways: int = WAYS) -> float:
        """Over where a (D,) point comes out."""
        off = np.clip(point + np.array(self.tolerances) * _ways(self.dimension, ways), 0.0, 1.0)
        return float(self.evaluate(off).mean())


@cache
def _ways(dimension: int, count: int) -> FloatArray:
    from scipy.stats import qmc

    return np.asarray(2.0 * qmc.Sobol(dimension, seed=0).random(count) - 1.0)


def highest_average(function: RobustFunction) -> float:
    """The highest there is, as far as climbs from the best of many points find it."""
    from scipy.optimize import minimize

    points = np.random.default_rng(0).random((LOOKS, function.dimension))
    roughly = [function.average(point, ROUGHLY) for point in points]
    highest = -np.inf
    for i in np.argsort(roughly)[-CLIMBS:]:
        climbed = minimize(
            lambda x: -function.average(np.clip(x, 0.0, 1.0), ROUGHLY),
            points[i],
            method="Nelder-Mead",
            options={"maxiter": 100 * function.dimension, "xatol": 1e-4, "fatol": 1e-7},
        )
        highest = max(highest, function.average(np.clip(climbed.x, 0.0, 1.0)))
    return highest


def _hill(X: FloatArray, centre: list[float], width: float) -> FloatArray:
    return np.asarray(np.exp(-((X - np.array(centre)) ** 2).sum(axis=1) / (2.0 * width**2)))


def needle(X: FloatArray) -> FloatArray:
    """A hill, and a narrow one half as high again."""
    return _hill(X, [0.65], 0.15) + 1.5 * _hill(X, [0.22], 0.02)


def twin(X: FloatArray) -> FloatArray:
    """A hill, and one higher that is a quarter as wide."""
    return _hill(X, [0.68, 0.6], 0.2) + 1.3 * _hill(X, [0.25, 0.3], 0.05)


def cliff(X: FloatArray) -> FloatArray:
    """A slope that rises to an edge, beyond which there is next to nothing."""
    edge = 0.5 + 0.15 * np.sin(3.0 * X[:, 1])
    beyond = 1.0 / (1.0 + np.exp(np.clip((X[:, 0] - edge) / 0.015, -500.0, 500.0)))
    return np.asarray((0.3 + X[:, 0] + 0.3 * _hill(X, [0.5, 0.5], 0.4)) * beyond)


def ripples(X: FloatArray) -> FloatArray:
    """A broad hill whose top is rippled along one parameter, and smoother away from it."""
    rough = np.exp(-((X[:, 0] - 0.35) ** 2) / (2.0 * 0.12**2))
    return np.asarray(_hill(X, [0.45, 0.5], 0.3) + 0.35 * rough * np.cos(60.0 * (X[:, 0] - 0.35)))


def branin(X: FloatArray) -> FloatArray:
    """Plain: three tops alike, one of them wider than the others (Dixon & Szegö 1978), over 100."""
    u, v = 15.0 * X[:, 0] - 5.0, 15.0 * X[:, 1]
    bent = v - 5.1 / (4.0 * np.pi**2) * u**2 + 5.0 / np.pi * u - 6.0
    return np.asarray(-(bent**2 + 10.0 * (1.0 - 1.0 / (8.0 * np.pi)) * np.cos(u) + 10.0) / 100.0)


def twin_3(X: FloatArray) -> FloatArray:
    """As `twin`, of three."""
    return _hill(X, [0.68, 0.6, 0.5], 0.25) + 1.3 * _hill(X, [0.25, 0.3, 0.7], 0.08)


def ridge(X: FloatArray) -> FloatArray:
    """Plain in two of four parameters; a narrow ridge and a broad back in the others, which are off."""
    across = X[:, 0] + 0.3 * X[:, 1]
    narrow = 1.2 * np.exp(-((across - 0.4) ** 2) / (2.0 * 0.03**2))
    broad = np.exp(-((across - 0.85) ** 2) / (2.0 * 0.18**2))
    return np.asarray((narrow + broad) * _hill(X[:, 2:], [0.3, 0.7], 0.4))


def bowl(X: FloatArray) -> FloatArray:
    """Plain: a paraboloid of four, steeper in some."""
    return np.asarray(-((X - np.array([0.3, 0.6, 0.45, 0.7])) ** 2) @ np.array([1.0, 2.0, 4.0, 8.0]))


def twin_6(X: FloatArray) -> FloatArray:
    """As `twin`, of six."""
    broad, narrow = [0.65, 0.6, 0.5, 0.4, 0.6, 0.55], [0.3, 0.35, 0.7, 0.65, 0.3, 0.3]
    return _hill(X, broad, 0.4) + 1.2 * _hill(X, narrow, 0.16)


ROBUST = {
    "needle": RobustFunction(needle, (0.05,), 20),
    "twin": RobustFunction(twin, (0.08, 0.08), 30),
    "cliff": RobustFunction(cliff, (0.06, 0.06), 30),
    "ripples": RobustFunction(ripples, (0.05, 0.05), 40),
    "branin": RobustFunction(branin, (0.05, 0.05), 30),
    "twin of 3": RobustFunction(twin_3, (0.1, 0.1, 0.1), 40),
    "ridge": RobustFunction(ridge, (0.08, 0.08, 0.0, 0.0), 50),
    "bowl": RobustFunction(bowl, (0.1, 0.1, 0.1, 0.1), 40),
    "twin of 6": RobustFunction(twin_6, (0.15,) * 6, 60),
}
