"""Objectives that are known functions of what an evaluation returns: models that are fitted, and a formula.

Each seed has a truth of its own, from which the targets of a fit follow; the best value of a fit is 0.

Notation: D parameters, m outcomes, of a point of the unit cube.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from orchestrator.acquisition.known_function import KnownFunction
from orchestrator.arrays import FloatArray
from orchestrator.computed_objective import Misfit, of_formula
from orchestrator.fit_targets import Target
from orchestrator.numerics.rng import stream
from orchestrator.parameters.space import Space

Outcomes = Callable[[FloatArray], FloatArray]
"""(m,) at a (D,) point."""
PLACES = 20_000
"""Points, from the best of which the best one is looked for of what is no fit."""
MARGIN = 0.15
"""Of the unit cube, at each side, in which no truth lies."""
FEATURES = 200


@dataclass(frozen=True, eq=False)
class Copy:
    """One of a seed: what an evaluation returns, and the known function of it, in the sense of maximisation,
    with its ``best`` value; of a fit the ``truth`` (D,) that its targets are of.
    """

    outcomes: Outcomes
    function: KnownFunction
    best: float
    truth: FloatArray | None = None

    def value(self, point: FloatArray, outcomes: FloatArray) -> float:
        """At a (D,) point, of its (m,) outcomes."""
        return float(self.function.values(outcomes[None, None, :], point[None, :])[0, 0])


@dataclass(frozen=True)
class Calibration:
    """``made`` gives a seed's copy; ``outcomes`` is m, ``evaluations`` the budget of a comparison, and
    ``about`` says in a few words what it is.
    """

    dimension: int
    outcomes: int
    evaluations: int
    about: str
    made: Callable[[np.random.Generator], Copy]

    def of_seed(self, seed: int) -> Copy:
        """The copy of a seed."""
        return self.made(stream(seed, f"calibration, {self.about}", self.dimension))


def fit_to(dimension: int, model: Outcomes, share: float) -> Callable[[np.random.Generator], Copy]:
    """To what a truth returns, with errors that are a ``share`` of the largest outcome."""

    def made(rng: np.random.Generator) -> Copy:
        truth = MARGIN + (1.0 - 2.0 * MARGIN) * rng.random(dimension)
        told = model(truth)
        error = share * float(np.abs(told).max())
        targets = {f"y{j}": Target(float(value), error) for j, value in enumerate(told)}
        return Copy(model, Misfit(targets, -1.0, dimension), 0.0, truth)

    return made


def _spill(u: FloatArray) -> FloatArray:
    """Concentrations in a channel after two spills, of which the second is later and downstream: Bliznyuk et
    al. 2008, as Astudillo & Frazier 2019 use it.
    """
    mass, spread = 7.0 + 6.0 * u[0], 0.02 + 0.1 * u[1]
    where, when = 0.01 + 2.99 * u[2], 30.01 + 0.285 * u[3]
    place, time = np.meshgrid([0.0, 1.0, 2.5], [15.0, 30.0, 45.0, 60.0], indexing="ij")
    first = mass / np.sqrt(4.0 * np.pi * spread * time) * np.exp(-(place**2) / (4.0 * spread * time))
    since = np.maximum(time - when, 1e-9)
    second = np.where(
        time > when,
        mass / np.sqrt(4.0 * np.pi * spread * since) * np.exp(-((place - where) ** 2) / (4 * spread * since)),
        0.0,
    )
    return np.asarray(math.sqrt(4.0 * math.pi) * (first + second).ravel())


def _outbreak(u: FloatArray) -> FloatArray:
    """How many of 1000 are infectious on ten days: contacts, days of illness, and who brought it."""
    from scipy.integrate import solve_ivp

    contacts, illness, first = 0.15 * 10.0 ** u[0], 2.0 + 10.0 * u[1], 1.0 + 9.0 * u[2]

    def slopes(_: float, y: FloatArray) -> list[float]:
        caught = contacts * y[0] * y[1] / 1000.0
        return [-caught, caught - y[1] / illness]

    found = solve_ivp(
        slopes, (0.0, 60.0), [1000.0 - first, first], t_eval=np.arange(6.0, 61.0, 6.0), rtol=1e-7
    )
    return np.asarray(found.y[1])


def _prey(u: FloatArray) -> FloatArray:
    """Prey and predators at ten times (Lotka & Volterra), by their four rates."""
    from scipy.integrate import solve_ivp

    growth, caught, fed, lost = 0.5 + u[0], 0.02 + 0.08 * u[1], 0.005 + 0.02 * u[2], 0.3 + 0.7 * u[3]

    def slopes(_: float, y: FloatArray) -> list[float]:
        return [growth * y[0] - caught * y[0] * y[1], fed * y[0] * y[1] - lost * y[1]]

    found = solve_ivp(slopes, (0.0, 10.0), [30.0, 8.0], t_eval=np.arange(1.0, 11.0), rtol=1e-7)
    return np.asarray(np.log(found.y).ravel())


def _valley(u: FloatArray) -> FloatArray:
    """The parts of Rosenbrock's function, whose squares add up to it."""
    x = 4.0 * u - 2.0
    return np.concatenate([10.0 * (x[1:] - x[:-1] ** 2), 1.0 - x[:-1]])


def _of_space(
    dimension: int, text: str, names: list[str], outcomes: Callable[[np.random.Generator], Outcomes]
) -> Callable[[np.random.Generator], Copy]:
    """What a formula makes of outcomes, to be most."""
    space = Space.from_description({f"x{j}": (0.0, 1.0) for j in range(dimension)})

    def made(rng: np.random.Generator) -> Copy:
        function, returned = of_formula(text, names, space, 1.0), outcomes(rng)
        points = rng.random((PLACES, dimension))
        told = np.array([returned(point) for point in points])
        first = points[int(np.argmax(function.values(told[None], points)[0]))]

        def lacking(point: FloatArray) -> float:
            here = returned(point)
            return -float(function.values(here[None, None], point[None])[0, 0])

        found = minimize(lacking, first, method="Nelder-Mead", bounds=[(0.0, 1.0)] * dimension, tol=1e-10)
        return Copy(returned, function, -float(found.fun))

    return made


def _glider(rng: np.random.Generator) -> Outcomes:
    """Lift and drag of an angle, a span and a sweep, in some units."""
    angle, sweep = 0.3 + 0.4 * rng.random(2)

    def outcomes(u: FloatArray) -> FloatArray:
        lift = (0.2 + 1.6 * u[0]) * math.exp(-((max(0.0, u[0] - angle) / 0.2) ** 2)) * (0.5 + u[1])
        drag = 0.02 + 0.3 * (u[0] - 0.1) ** 2 + 0.05 * u[1] ** 2 + 0.08 * (u[2] - sweep) ** 2
        return np.array([lift, drag])

    return outcomes


def _drawn(rng: np.random.Generator) -> Outcomes:
    """One outcome, drawn from a Gaussian process as smooth as 0.25 of the range."""
    waves = rng.standard_normal((FEATURES, 2)) / 0.25
    phases = 2.0 * math.pi * rng.random(FEATURES)
    heights = rng.standard_normal(FEATURES) * math.sqrt(2.0 / FEATURES)
    return lambda u: np.array([np.cos(waves @ u + phases) @ heights])


CALIBRATIONS: Mapping[str, Calibration] = {
    "spill": Calibration(4, 12, 30, "a spill in a channel", fit_to(4, _spill, 0.05)),
    "outbreak": Calibration(3, 10, 30, "an outbreak", fit_to(3, _outbreak, 0.02)),
    "prey": Calibration(4, 20, 40, "prey and predators", fit_to(4, _prey, 0.02)),
    "valley": Calibration(4, 6, 30, "a bent valley", fit_to(4, _valley, 0.05)),
    "glider": Calibration(3, 2, 30, "a ratio", _of_space(3, "lift / drag", ["lift", "drag"], _glider)),
    "drawn": Calibration(2, 1, 30, "the outcome itself", _of_space(2, "y", ["y"], _drawn)),
}
"""By their names."""
