"""Hyperparameters drawn from their posterior under uniform priors, by slice sampling.

Each coordinate in turn, in logarithms, with stepping out and shrinkage: no step length to tune, and a prior's
ends are simply where the density is zero. Source: Neal 2003, Figures 3 and 5.

Notation: theta the logarithms of length-scale, variance and noise variance, as far as they are free.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.numerics.linalg import FactorisationError
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.one_kernel import log_evidence
from orchestrator.surrogates.hyperparameters.one_kernel import LEAST_POSITIVE, Hyperparameters

LogDensity = Callable[[FloatArray], float]

# Of a slice as it is laid out, in logarithms, and how often it may step out by as much.
WIDTH, MOST_STEPS_OUT = 1.0, 8
# A slice that has shrunk to less holds no other point than the one it is about.
NARROWEST = 1e-12
# Sweeps before each draw, and before the first of a chain that begins from nowhere.
SWEEPS_BETWEEN, BURN_IN = 2, 10


@dataclass(frozen=True, slots=True)
class UniformPriors:
    """Intervals, each 0 < low < high, in standardised units and the unit cube: on the values themselves,
    not on their logarithms. One length-scale serves all parameters. The defaults are those of Lu et al.
    2022, App. E.
    """

    length_scale: tuple[float, float] = (1e-3, 1e3)
    variance: tuple[float, float] = (1.0, 100.0)
    noise_variance: tuple[float, float] = (0.1, 0.3)


@dataclass(frozen=True, eq=False, slots=True)
class HyperparameterPosterior:
    """The log density of theta given data. ``noise_variance``: None samples it, a number holds it there."""

    family: KernelFamily
    data: Data
    priors: UniformPriors
    noise_variance: float | None = None

    @property
    def bounds(self) -> FloatArray:
        """(k, 2) ends of the logarithms."""
        rows = [self.priors.length_scale, self.priors.variance]
        if self.noise_variance is None:
            rows.append(self.priors.noise_variance)
        ends: FloatArray = np.log(np.array(rows))
        return ends

    def hyperparameters(self, theta: FloatArray) -> Hyperparameters:
        """theta as a value that other parts can read."""
        noise = self.noise_variance if self.noise_variance is not None else math.exp(theta[2])
        scales = (math.exp(theta[0]),) * self.data.dimension
        return Hyperparameters(scales, math.exp(theta[1]), noise)

    def theta(self, values: Hyperparameters) -> FloatArray:
        """The inverse, held within the bounds."""
        logs = np.log([values.length_scales[0], values.variance, max(values.noise_variance, LEAST_POSITIVE)])
        bounds = self.bounds
        return np.asarray(np.clip(logs[: len(bounds)], bounds[:, 0], bounds[:, 1]))

    def log_density(self, theta: FloatArray) -> float:
        """Up to a constant. A uniform value has a logarithm of density exp(theta)."""
        bounds = self.bounds
        if (theta < bounds[:, 0]).any() or (theta > bounds[:, 1]).any():
            return -math.inf
        values = self.hyperparameters(theta)
        kernel = values.kernel(self.family, self.data.embedded_parameter)
        try:
            evidence = log_evidence(kernel, self.data, values.noise_variance)
        except FactorisationError:
            return -math.inf
        return evidence + float(theta.sum())

    def sample(
        self, count: int, rng: np.random.Generator, warm: Hyperparameters | None = None
    ) -> list[Hyperparameters]:
        """``count`` draws, each after two more sweeps; before the first, ten, or two from a ``warm`` draw of
        the last time.
        """
        theta = self.theta(Hyperparameters((0.5,), 1.0, 0.1) if warm is None else warm)
        for _ in range(BURN_IN if warm is None else SWEEPS_BETWEEN):
            theta = slice_sweep(self.log_density, theta, rng)
        draws = []
        for _ in range(count):
            for _ in range(SWEEPS_BETWEEN):
                theta = slice_sweep(self.log_density, theta, rng)
            draws.append(self.hyperparameters(theta))
        return draws


def slice_sweep(log_density: LogDensity, theta: FloatArray, rng: np.random.Generator) -> FloatArray:
    """theta (k,) after one slice sampling step in each coordinate; its density must not be zero."""
    theta = theta.copy()
    for i in range(len(theta)):

        def along(x: float, i: int = i) -> float:
            moved = theta.copy()
            moved[i] = x
            return log_density(moved)

        theta[i] = _slice_step(along, float(theta[i]), rng)
    return theta


def _slice_step(log_density: Callable[[float], float], x: float, rng: np.random.Generator) -> float:
    level = log_density(x) + math.log1p(-rng.random())
    lower = x - WIDTH * rng.random()
    upper = lower + WIDTH
    # The steps are shared out beforehand, which detailed balance needs where they are limited.
    down = int(rng.integers(MOST_STEPS_OUT + 1))
    for _ in range(down):
        if log_density(lower) <= level:
            break
        lower -= WIDTH
    for _ in range(MOST_STEPS_OUT - down):
        if log_density(upper) <= level:
            break
        upper += WIDTH
    while True:
        candidate = lower + (upper - lower) * rng.random()
        if log_density(candidate) > level:
            return candidate
        if upper - lower < NARROWEST:
            return x
        if candidate < x:
            lower = candidate
        else:
            upper = candidate
