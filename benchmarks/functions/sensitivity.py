"""Functions of engineering and of the literature on sensitivity, whose parameters matter unequally.

Sources: Ishigami & Homma 1990; Saltelli & Sobol 1995 (g); Harper & Gupta 1983 (borehole); Ben-Ari & Steinberg
2007 (circuit, piston); Forrester et al. 2008 (wing). All are smooth but g, which has creases.

Notation: D parameters, n points of the unit cube.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray

SAMPLES = 2**14


@dataclass(frozen=True, eq=False)
class Measurable:
    """(D, 2) ``bounds``, and a ``formula`` of D columns, each (n,), whose values are (n,)."""

    bounds: tuple[tuple[float, float], ...]
    formula: Callable[..., FloatArray]

    @property
    def dimension(self) -> int:
        """D."""
        return len(self.bounds)

    def __call__(self, points: FloatArray) -> FloatArray:
        """(n,) values at (n, D) points of the unit cube."""
        low, high = np.array(self.bounds).T
        return np.asarray(self.formula(*(low + (high - low) * points).T))

    def true_shares(self) -> tuple[FloatArray, FloatArray]:
        """(D,) first-order and total Sobol indices, to about 0.01."""
        from scipy.stats import sobol_indices, uniform

        found = sobol_indices(
            func=lambda columns: self(columns.T),
            n=SAMPLES,
            dists=[uniform()] * self.dimension,
            rng=np.random.default_rng(0),
        )
        return np.maximum(found.first_order, 0.0), np.maximum(found.total_order, 0.0)


def _ishigami(a: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
    return np.asarray(np.sin(a) * (1.0 + 0.1 * c**4) + 7.0 * np.sin(b) ** 2)


def _g(*columns: FloatArray) -> FloatArray:
    levels = (0.0, 1.0, 4.5, 9.0, 99.0, 99.0, 99.0, 99.0)
    factors = [(np.abs(4.0 * x - 2.0) + a) / (1.0 + a) for x, a in zip(columns, levels, strict=True)]
    return np.asarray(np.prod(factors, axis=0))


def _borehole(
    rw: FloatArray,
    r: FloatArray,
    upper: FloatArray,
    upper_head: FloatArray,
    lower: FloatArray,
    lower_head: FloatArray,
    length: FloatArray,
    conductivity: FloatArray,
) -> FloatArray:
    reach = np.log(r / rw)
    through = 1.0 + 2.0 * length * upper / (reach * rw**2 * conductivity) + upper / lower
    return np.asarray(2.0 * math.pi * upper * (upper_head - lower_head) / (reach * through))


def _circuit(
    b1: FloatArray, b2: FloatArray, f: FloatArray, c1: FloatArray, c2: FloatArray, beta: FloatArray
) -> FloatArray:
    gain = beta * (c2 + 9.0)
    at_base = 12.0 * b2 / (b1 + b2)
    whole = gain + f
    return np.asarray((at_base + 0.74) * gain / whole + 11.35 * f / whole + 0.74 * f * gain / (whole * c1))


def _piston(
    mass: FloatArray,
    area: FloatArray,
    volume: FloatArray,
    spring: FloatArray,
    pressure: FloatArray,
    ambient: FloatArray,
    gas: FloatArray,
) -> FloatArray:
    push = pressure * area + 19.62 * mass - spring * volume / area
    filled = pressure * volume / gas * ambient
    at_rest = area / (2.0 * spring) * (np.sqrt(push**2 + 4.0 * spring * filled) - push)
    return np.asarray(2.0 * math.pi * np.sqrt(mass / (spring + area**2 * filled / at_rest**2)))


def _wing(
    area: FloatArray,
    fuel: FloatArray,
    aspect: FloatArray,
    sweep: FloatArray,
    pressure: FloatArray,
    taper: FloatArray,
    thickness: FloatArray,
    load: FloatArray,
    gross: FloatArray,
    paint: FloatArray,
) -> FloatArray:
    cosine = np.cos(np.radians(sweep))
    body = 0.036 * area**0.758 * fuel**0.0035 * (aspect / cosine**2) ** 0.6 * pressure**0.006 * taper**0.04
    frame = body * (100.0 * thickness / cosine) ** -0.3 * (load * gross) ** 0.49
    return np.asarray(frame + area * paint)


MEASURABLE: Mapping[str, Measurable] = {
    "ishigami": Measurable(((-math.pi, math.pi),) * 3, _ishigami),
    "g": Measurable(((0.0, 1.0),) * 8, _g),
    "borehole": Measurable(
        (
            (0.05, 0.15),
            (100.0, 50_000.0),
            (63_070.0, 115_600.0),
            (990.0, 1_110.0),
            (63.1, 116.0),
            (700.0, 820.0),
            (1_120.0, 1_680.0),
            (9_855.0, 12_045.0),
        ),
        _borehole,
    ),
    "circuit": Measurable(
        ((50.0, 150.0), (25.0, 70.0), (0.5, 3.0), (1.2, 2.5), (0.25, 1.2), (50.0, 300.0)), _circuit
    ),
    "piston": Measurable(
        (
            (30.0, 60.0),
            (0.005, 0.02),
            (0.002, 0.01),
            (1_000.0, 5_000.0),
            (90_000.0, 110_000.0),
            (290.0, 296.0),
            (340.0, 360.0),
        ),
        _piston,
    ),
    "wing": Measurable(
        (
            (150.0, 200.0),
            (220.0, 300.0),
            (6.0, 10.0),
            (-10.0, 10.0),
            (16.0, 45.0),
            (0.5, 1.0),
            (0.08, 0.18),
            (2.5, 6.0),
            (1_700.0, 2_500.0),
            (0.025, 0.08),
        ),
        _wing,
    ),
}
