"""Functions with several objectives, for comparisons: small engineering designs, and made ones.

All objectives are minimised over the unit cube; a point will do where no slack is below 0.

Notation: n points, D parameters, M objectives, C slacks. What a function's own variables mean stands with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray

Evaluated = tuple[FloatArray, FloatArray]


@dataclass(frozen=True)
class TradeOff:
    """``evaluate`` takes (n, D) places within ``bounds`` to (n, M) objectives and (n, C) slacks; what is not
    below the ``reference`` in every objective is worth nothing, and ``most`` is the hypervolume of the best
    front: exact of the spheres, and else what `benchmarks.widest_front` finds; ``evaluations`` is the budget
    of a comparison.
    """

    bounds: tuple[tuple[float, float], ...]
    reference: tuple[float, ...]
    slacks: int
    most: float
    evaluations: int
    evaluate: Callable[[FloatArray], Evaluated]

    @property
    def dimension(self) -> int:
        """D."""
        return len(self.bounds)

    @property
    def objectives(self) -> int:
        """M."""
        return len(self.reference)

    def at(self, points: FloatArray) -> Evaluated:
        """The objectives and the slacks at (n, D) points of the unit cube."""
        low, high = np.array(self.bounds).T
        return self.evaluate(low + (high - low) * points)


def _free(*objectives: FloatArray) -> Evaluated:
    return np.stack(objectives, axis=1), np.empty((len(objectives[0]), 0))


def _branin_currin(place: FloatArray) -> Evaluated:
    """Belakaria et al. 2019, Section 5: two functions of computer experiments."""
    x, y = place.T
    a, b = 15.0 * x - 5.0, 15.0 * y
    hollow = b - 5.1 * a**2 / (4.0 * np.pi**2) + 5.0 * a / np.pi - 6.0
    branin = hollow**2 + 10.0 * (1.0 - 1.0 / (8.0 * np.pi)) * np.cos(a) + 10.0
    with np.errstate(divide="ignore"):
        fading = 1.0 - np.exp(-1.0 / (2.0 * y))
    numerator = 2300.0 * x**3 + 1900.0 * x**2 + 2092.0 * x + 60.0
    return _free(branin, fading * numerator / (100.0 * x**3 + 500.0 * x**2 + 4.0 * x + 20.0))


OFFSETS = np.array([0.31, 0.64, 0.45, 0.72, 0.23, 0.58])
"""Where distances to a made front are 0, so that it lies neither in the middle nor at the edges."""


def _broken_front(place: FloatArray) -> Evaluated:
    """ZDT3 of Zitzler et al. 2000: a front of five pieces, about `OFFSETS`."""
    first = place[:, 0]
    distance = 1.0 + 9.0 * np.abs(place[:, 1:] - OFFSETS[: place.shape[1] - 1]).mean(axis=1)
    share = first / distance
    return _free(first, distance * (1.0 - np.sqrt(share) - share * np.sin(10.0 * np.pi * first)))


def _sphere(objectives: int) -> Callable[[FloatArray], Evaluated]:
    """DTLZ2 of Deb et al. 2005: a piece of a sphere, about `OFFSETS`."""

    def evaluate(place: FloatArray) -> Evaluated:
        angles, rest = place[:, : objectives - 1] * np.pi / 2.0, place[:, objectives - 1 :]
        radius = 1.0 + ((rest - OFFSETS[: rest.shape[1]]) ** 2).sum(axis=1)
        values = []
        for number in range(objectives):
            value = radius * np.cos(angles[:, : objectives - 1 - number]).prod(axis=1)
            values.append(value if number == 0 else value * np.sin(angles[:, objectives - 1 - number]))
        return _free(*values)

    return evaluate


def _truss(place: FloatArray) -> Evaluated:
    """Four-bar truss (Cheng & Li 1999; RE21 of Tanabe & Ishibuchi 2020): sections; volume, displacement."""
    a, b, c, d = place.T
    force, elasticity, length = 10.0, 2e5, 200.0
    volume = length * (2.0 * a + np.sqrt(2.0) * b + np.sqrt(c) + d)
    roots = 2.0 / a + 2.0 * np.sqrt(2.0) / b - 2.0 * np.sqrt(2.0) / c + 2.0 / d
    return _free(volume, force * length / elasticity * roots)


def _vehicle(place: FloatArray) -> Evaluated:
    """Crash of a vehicle (Liao et al. 2008; RE34): thicknesses; mass, acceleration, intrusion."""
    a, b, c, d, e = place.T
    mass = 1640.2823 + 2.3573285 * a + 2.3220035 * b + 4.5688768 * c + 7.7213633 * d + 4.4559504 * e
    acceleration = (
        6.5856 + 1.15 * a - 1.0427 * b + 0.9738 * c + 0.8364 * d - 0.3695 * a * d + 0.0861 * a * e
        + 0.3628 * b * d - 0.1106 * a**2 - 0.3437 * c**2 + 0.1764 * d**2
    )  # fmt: skip
    intrusion = (
        -0.0551 + 0.0181 * a + 0.1024 * b + 0.0421 * c - 0.0073 * a * b + 0.0240 * b * c - 0.0118 * b * d
        - 0.0204 * c * d - 0.0080 * c * e - 0.0241 * b**2 + 0.0109 * d**2
    )  # fmt: skip
    return _free(mass, acceleration, intrusion)


def _beam(place: FloatArray) -> Evaluated:
    """Welded beam (Ray & Liew 2002): weld's height and length, beam's height and width; cost, deflection. The
    slacks are of shear and bending stress, of the weld within the beam, and of the load that buckles it.
    """
    weld, length, height, width = place.T
    cost = 1.10471 * weld**2 * length + 0.04811 * height * width * (14.0 + length)
    deflection = 4.0 * 6000.0 * 14.0**3 / (30e6 * width * height**3)
    primary = 6000.0 / (np.sqrt(2.0) * weld * length)
    moment = 6000.0 * (14.0 + length / 2.0)
    radius = np.sqrt(length**2 / 4.0 + ((weld + height) / 2.0) ** 2)
    inertia = 2.0 * np.sqrt(2.0) * weld * length * (length**2 / 12.0 + ((weld + height) / 2.0) ** 2)
    secondary = moment * radius / inertia
    shear = np.sqrt(primary**2 + primary * secondary * length / radius + secondary**2)
    bending = 6.0 * 6000.0 * 14.0 / (width * height**2)
    buckling = (
        4.013 * 30e6 * height * width**3 / (6.0 * 14.0**2)
        * (1.0 - height / 28.0 * np.sqrt(30e6 / (4.0 * 12e6)))
    )  # fmt: skip
    slacks = (1.0 - shear / 13600.0, 1.0 - bending / 30000.0, width - weld, buckling / 6000.0 - 1.0)
    return np.stack([cost, deflection], axis=1), np.stack(slacks, axis=1)


def _brake(place: FloatArray) -> Evaluated:
    """Disc brake (Ray & Liew 2002): inner and outer radius, force, surfaces, here not whole; mass, stopping
    time. The slacks are of its width, its length, pressure, temperature and torque, each as a share.
    """
    inner, outer, force, surfaces = place.T
    square, cube = outer**2 - inner**2, outer**3 - inner**3
    mass = 4.9e-5 * square * (surfaces - 1.0)
    time = 9.82e6 * square / (force * surfaces * cube)
    slacks = (
        (outer - inner) / 20.0 - 1.0,
        1.0 - 2.5 * (surfaces + 1.0) / 30.0,
        1.0 - force / (3.14 * square) / 0.4,
        1.0 - 2.22e-3 * force * cube / square**2,
        2.66e-2 * force * surfaces * cube / square / 900.0 - 1.0,
    )
    return np.stack([mass, time], axis=1), np.stack(slacks, axis=1)


UNIT = (0.0, 1.0)
TRADED_OFF = {
    "branin-currin": TradeOff((UNIT,) * 2, (18.0, 6.0), 0, 59.305909, 40, _branin_currin),
    "broken-front": TradeOff((UNIT,) * 5, (1.0, 1.2), 0, 1.2433888, 60, _broken_front),
    "sphere-2": TradeOff((UNIT,) * 6, (1.1, 1.1), 0, 1.21 - np.pi / 4.0, 80, _sphere(2)),
    "sphere-3": TradeOff((UNIT,) * 6, (1.1, 1.1, 1.1), 0, 1.331 - np.pi / 6.0, 80, _sphere(3)),
    "truss": TradeOff(
        ((1.0, 3.0), (2.0**0.5, 3.0), (2.0**0.5, 3.0), (1.0, 3.0)), (2900.0, 0.04), 0, 42.110913, 40, _truss
    ),
    "vehicle": TradeOff(((1.0, 3.0),) * 5, (1695.0, 11.0, 0.25), 0, 25.454213, 60, _vehicle),
    "beam": TradeOff(
        ((0.125, 5.0), (0.1, 10.0), (0.1, 10.0), (0.125, 5.0)), (40.0, 0.015), 4, 0.51947916, 60, _beam
    ),
    "brake": TradeOff(
        ((55.0, 80.0), (75.0, 110.0), (1000.0, 3000.0), (2.0, 11.0)), (3.0, 16.0), 5, 35.350991, 60, _brake
    ),
}
"""Each by its name."""
