"""Functions with a limit that no evaluation ought to break, and a place from where that can be kept.

All are maximised over the unit cube; the limit is kept where the slack is not below 0.

Notation: D parameters, n points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream

Surface = Callable[[FloatArray], FloatArray]
"""(n,) at (n, D) points."""
PLACES = 20_000
"""Points among which the best one that keeps the limit is looked for, for what could be gained."""
FEATURES = 400
LEAST_SLACK = 0.5
"""At the start of what is drawn."""


@dataclass(frozen=True, eq=False)
class Copy:
    """One of a seed: the value, the slack, a (D,) point to start from, and the deviation of the noise that
    both have. ``start`` is safe, and ``best`` the best value on ground that is, connected with it or not.
    """

    value: Surface
    slack: Surface
    start: FloatArray
    noise: float
    best: float

    def gained(self, value: float) -> float:
        """What part of what could be gained over the start a value is."""
        first = float(self.value(self.start[None, :])[0])
        return (value - first) / (self.best - first) if self.best > first else 1.0


@dataclass(frozen=True)
class Guarded:
    """``made`` gives the value, the slack and the starting point of a seed's copy; ``evaluations`` is the
    budget of a comparison, and ``about`` says in a few words what it is.
    """

    dimension: int
    evaluations: int
    about: str
    made: Callable[[np.random.Generator], tuple[Surface, Surface, FloatArray]]
    noise: float = 0.0

    def of_seed(self, seed: int) -> Copy:
        """The copy of a seed."""
        rng = stream(seed, f"guarded {self.about}", self.dimension)
        value, slack, start = self.made(rng)
        points = np.vstack([start, rng.random((PLACES, self.dimension))])
        kept = points[slack(points) >= 0.0]
        return Copy(value, slack, start, self.noise, float(value(kept).max()))


def _drawn(dimension: int, length_scale: float) -> Callable[..., tuple[Surface, Surface, FloatArray]]:
    """Value and slack drawn from a Gaussian process; it starts where the slack is about one deviation."""

    def surface(rng: np.random.Generator) -> Surface:
        waves = rng.standard_normal((FEATURES, dimension)) / length_scale
        phases = 2.0 * math.pi * rng.random(FEATURES)
        heights = rng.standard_normal(FEATURES) * math.sqrt(2.0 / FEATURES)
        return lambda X: np.asarray(np.cos(X @ waves.T + phases) @ heights)

    def made(rng: np.random.Generator) -> tuple[Surface, Surface, FloatArray]:
        while True:
            value, slack, points = surface(rng), surface(rng), rng.random((PLACES, dimension))
            nearest = np.argmin(np.abs(slack(points) - 1.0))
            # There are draws that keep their limit nowhere.
            if slack(points[nearest : nearest + 1])[0] > LEAST_SLACK:
                return value, slack, points[nearest]

    return made


def _reactor(rng: np.random.Generator) -> tuple[Surface, Surface, FloatArray]:
    """That of configs/labs/kept-limit.yaml: heated more and dosed faster it yields more, and gets hotter."""

    def parts(X: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        jacket, dosed = 20.0 + 60.0 * X[:, 0], 0.1 ** X[:, 1]
        stirrer = 100.0 + 500.0 * X[:, 2]
        rate = np.exp(0.055 * (jacket - 45.0)) * (0.6 + 0.4 * stirrer / 400.0)
        return jacket, dosed, stirrer, rate

    def value(X: FloatArray) -> FloatArray:
        jacket, dosed, _, rate = parts(X)
        yielded = 100.0 * (1.0 - np.exp(-1.1 * rate * (0.4 + dosed)))
        return np.asarray(yielded - 9.0 * (jacket - 40.0) ** 2 / 400.0)

    def slack(X: FloatArray) -> FloatArray:
        jacket, dosed, stirrer, rate = parts(X)
        return np.asarray(95.0 - jacket - 26.0 * rate * dosed / (0.35 + stirrer / 600.0))

    return value, slack, np.array([0.1, 0.8, 0.2]) + 0.1 * rng.random(3)


def _cliff(rng: np.random.Generator) -> tuple[Surface, Surface, FloatArray]:
    """The slack hardly changes until it falls within a fiftieth of a parameter's range, without a warning."""
    where = 0.5 + 0.2 * rng.random()

    def slack(X: FloatArray) -> FloatArray:
        return np.asarray(0.2 - np.tanh((X[:, 0] + 0.1 * X[:, 1] - where) / 0.01))

    def value(X: FloatArray) -> FloatArray:
        return np.asarray(2.0 * X[:, 0] - (X[:, 1] - 0.6) ** 2)

    return value, slack, np.array([0.1, 0.3]) + 0.05 * rng.random(2)


GUARDED: Mapping[str, Guarded] = {
    "drawn-1": Guarded(1, 20, "drawn, as smooth as 0.2 of the range", _drawn(1, 0.2)),
    "drawn-2": Guarded(2, 30, "drawn, as smooth as 0.3 of the range", _drawn(2, 0.3)),
    "drawn-2-noisy": Guarded(2, 30, "drawn, as smooth as 0.3 of the range, with noise", _drawn(2, 0.3), 0.05),
    "drawn-4": Guarded(4, 40, "drawn, as smooth as 0.6 of the range", _drawn(4, 0.6)),
    "reactor": Guarded(3, 30, "a reactor that must not get too hot, with noise", _reactor, 0.2),
    "cliff": Guarded(2, 30, "a limit that is broken all at once", _cliff),
}
"""By their names."""
