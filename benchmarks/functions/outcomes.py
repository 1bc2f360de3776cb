"""Functions with constraints on their outcomes, for comparisons: small engineering designs, and made ones.

All are minimised over the unit cube; a point will do where no slack is below 0.

Notation: D parameters, C slacks. What the names of a function's own variables mean stands with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray

Evaluated = tuple[float, tuple[float, ...]]


@dataclass(frozen=True)
class ConstrainedFunction:
    """``evaluate`` takes a (D,) place within ``bounds`` to the value and the C slacks; ``least`` is the least
    value that satisfies them, to the digits known; ``evaluations`` the budget of a comparison.
    """

    bounds: tuple[tuple[float, float], ...]
    slacks: int
    least: float
    evaluations: int
    evaluate: Callable[[FloatArray], Evaluated]

    @property
    def dimension(self) -> int:
        """D."""
        return len(self.bounds)

    def at(self, point: FloatArray) -> Evaluated:
        """The value and the slacks at a (D,) point of the unit cube."""
        low, high = np.array(self.bounds).T
        return self.evaluate(low + (high - low) * point)


def _two_waves(place: FloatArray) -> Evaluated:
    """Gramacy et al. 2016, Section 5.1."""
    a, b = map(float, place)
    wave = 0.5 * math.sin(2.0 * math.pi * (a * a - 2.0 * b))
    return a + b, (a + 2.0 * b + wave - 1.5, 1.5 - a * a - b * b)


def _islands(place: FloatArray) -> Evaluated:
    """Gardner et al. 2014, Section 4.1: what will do are islands apart from one another."""
    x, y = map(float, place)
    return math.cos(2 * x) * math.cos(y) + math.sin(x), (
        0.5 - math.cos(x) * math.cos(y) + math.sin(x) * math.sin(y),
    )


def _spring(place: FloatArray) -> Evaluated:
    """Weight of a spring (Arora 1989): wire's and coil's diameters, number of coils."""
    wire, coil, count = map(float, place)
    deflection = coil**3 * count / (71785.0 * wire**4) - 1.0
    shear = (4.0 * coil**2 - wire * coil) / (12566.0 * (coil * wire**3 - wire**4)) + 1.0 / (5108.0 * wire**2)
    surge = 140.45 * wire / (coil**2 * count) - 1.0
    return (count + 2.0) * coil * wire**2, (deflection, 1.0 - shear, surge, 1.0 - (wire + coil) / 1.5)


def _vessel(place: FloatArray) -> Evaluated:
    """Cost of a pressure vessel (Sandgren 1990): thickness of shell and head, radius, length."""
    shell, head, radius, length = map(float, place)
    cost = (
        0.6224 * shell * radius * length
        + 1.7781 * head * radius**2
        + 3.1661 * shell**2 * length
        + 19.84 * shell**2 * radius
    )
    volume = math.pi * radius**2 * length + 4.0 / 3.0 * math.pi * radius**3
    return cost, (shell - 0.0193 * radius, head - 0.00954 * radius, volume / 1_296_000.0 - 1.0)


def _himmelblau(place: FloatArray) -> Evaluated:
    """G4 of Michalewicz & Schoenauer 1996, after Himmelblau 1972."""
    a, b, c, d, e = map(float, place)
    first = 85.334407 + 0.0056858 * b * e + 0.0006262 * a * d - 0.0022053 * c * e
    second = 80.51249 + 0.0071317 * b * e + 0.0029955 * a * b + 0.0021813 * c * c
    third = 9.300961 + 0.0047026 * c * e + 0.0012547 * a * c + 0.0019085 * c * d
    value = 5.3578547 * c * c + 0.8356891 * a * e + 37.293239 * a - 40792.141
    return value, (first, 92.0 - first, second - 90.0, 110.0 - second, third - 20.0, 25.0 - third)


def _gearbox(place: FloatArray) -> Evaluated:
    """Weight of a speed reducer (Golinski 1970): face, module, teeth, lengths and diameters of two shafts."""
    face, module, teeth, first, second, thin, thick = map(float, place)
    weight = (
        0.7854 * face * module**2 * (3.3333 * teeth**2 + 14.9334 * teeth - 43.0934)
        - 1.508 * face * (thin**2 + thick**2)
        + 7.4777 * (thin**3 + thick**3)
        + 0.7854 * (first * thin**2 + second * thick**2)
    )
    bending = 27.0 / (face * module**2 * teeth)
    pressing = 397.5 / (face * module**2 * teeth**2)
    turning = 1.93 * first**3 / (module * teeth * thin**4), 1.93 * second**3 / (module * teeth * thick**4)
    straining = (
        math.hypot(745.0 * first / (module * teeth), math.sqrt(16.9e6)) / (110.0 * thin**3),
        math.hypot(745.0 * second / (module * teeth), math.sqrt(157.5e6)) / (85.0 * thick**3),
    )
    fitting = (
        module * teeth / 40.0,
        5.0 * module / face,
        face / (12.0 * module),
        (1.5 * thin + 1.9) / first,
        (1.1 * thick + 1.9) / second,
    )
    shares = (bending, pressing, *turning, *straining, *fitting)
    return weight, tuple(1.0 - share for share in shares)


def _hills_in_a_ball(place: FloatArray) -> Evaluated:
    """Ackley's function below a plane and within a ball, as in Eriksson & Poloczek 2021, Section 4."""
    value = (
        20.0
        + math.e
        - 20.0 * math.exp(-0.2 * math.sqrt(float((place**2).mean())))
        - math.exp(float(np.cos(2.0 * math.pi * place).mean()))
    )
    return value, (-float(place.sum()), 5.0 - float(np.linalg.norm(place)))


UNIT = (0.0, 1.0)
CONSTRAINED = {
    "two-waves": ConstrainedFunction((UNIT, UNIT), 2, 0.5997880, 40, _two_waves),
    "islands": ConstrainedFunction(((0.0, 6.0),) * 2, 1, -2.0, 40, _islands),
    "spring": ConstrainedFunction(((0.05, 1.0), (0.25, 1.3), (2.0, 15.0)), 4, 0.0126652, 60, _spring),
    "vessel": ConstrainedFunction(
        ((0.0625, 6.1875), (0.0625, 6.1875), (10.0, 50.0), (10.0, 200.0)), 3, 5885.3328, 60, _vessel
    ),
    "himmelblau": ConstrainedFunction(
        ((78.0, 102.0), (33.0, 45.0), (27.0, 45.0), (27.0, 45.0), (27.0, 45.0)),
        6,
        -30665.5387,
        60,
        _himmelblau,
    ),
    "gearbox": ConstrainedFunction(
        ((2.6, 3.6), (0.7, 0.8), (17.0, 28.0), (7.3, 8.3), (7.3, 8.3), (2.9, 3.9), (5.0, 5.5)),
        11,
        2994.4711,
        80,
        _gearbox,
    ),
    "hills-in-a-ball": ConstrainedFunction(((-5.0, 10.0),) * 10, 2, 0.0, 100, _hills_in_a_ball),
}
