"""Functions of which an evaluation returns derivatives beside the value: bowls, valleys, a rod, and waves.

Each seed has a place of its own for what is best; all are to be minimised, and the least value is 0.

Notation: D coordinates of the unit cube.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.optimize import rosen, rosen_der

from evaluators.rod import Rod
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream

ValueAndSlopes = Callable[[FloatArray], tuple[float, FloatArray]]
"""Of a (D,) point, the value and its (D,) derivatives."""


@dataclass(frozen=True)
class Differentiable:
    """``made`` gives a seed's copy; ``evaluations`` is the budget of a comparison, and ``about`` says in few
    words what it is.
    """

    dimension: int
    evaluations: int
    about: str
    made: Callable[[int, np.random.Generator], ValueAndSlopes]

    def of_seed(self, name: str, seed: int) -> ValueAndSlopes:
        """The same for the same seed."""
        return self.made(self.dimension, stream(seed, f"differentiable {name}"))


def _bowl(dimension: int, rng: np.random.Generator) -> ValueAndSlopes:
    axes = np.linalg.qr(rng.standard_normal((dimension, dimension)))[0]
    curved = axes @ np.diag(np.geomspace(1.0, 100.0, dimension)) @ axes.T
    centre = rng.uniform(0.2, 0.8, dimension)
    return lambda point: (
        float((point - centre) @ curved @ (point - centre)),
        2.0 * curved @ (point - centre),
    )


def _valley(dimension: int, rng: np.random.Generator) -> ValueAndSlopes:
    shift = rng.uniform(-0.5, 0.5, dimension)

    def at(point: FloatArray) -> tuple[float, FloatArray]:
        x = 4.0 * point - 2.0 + shift
        return float(rosen(x)), 4.0 * np.asarray(rosen_der(x))

    return at


def _rod(dimension: int, rng: np.random.Generator) -> ValueAndSlopes:
    rod = Rod(dimension)
    target = rod.temperatures(10.0 ** rng.uniform(-0.7, 0.7, dimension))
    by_logarithm = 2.0 * np.log(10.0)

    def at(point: FloatArray) -> tuple[float, FloatArray]:
        conductivities = 10.0 ** (2.0 * point - 1.0)
        misfit, slopes = rod.misfit(conductivities, target)
        return misfit, slopes * conductivities * by_logarithm

    return at


def _waves(dimension: int, rng: np.random.Generator) -> ValueAndSlopes:
    centre = rng.uniform(0.25, 0.75, dimension)

    def at(point: FloatArray) -> tuple[float, FloatArray]:
        x = 4.0 * (point - centre)
        value = x @ x + 2.0 * np.sum(1.0 - np.cos(np.pi * x))
        return float(value), 4.0 * (2.0 * x + 2.0 * np.pi * np.sin(np.pi * x))

    return at


DIFFERENTIABLE: Mapping[str, Differentiable] = {
    "bowl": Differentiable(10, 20, "a paraboloid, askew, 100 times as steep one way as another", _bowl),
    "rod": Differentiable(8, 20, "how a rod's parts conduct, by its temperatures", _rod),
    "valley": Differentiable(5, 30, "Rosenbrock's bent valley", _valley),
    "waves": Differentiable(4, 30, "a bowl with ripples, each of which has a least value", _waves),
}
