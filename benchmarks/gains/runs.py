"""Runs in which the model says again and again what is left to gain, beside what truly was.

Functions are drawn from a Gaussian process on the unit cube, or are synthetic ones, shifted; all are divided
by their own deviation over the box, so that a threshold means the same for each.

Notation: D parameters, n evaluations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from evaluators.synthetic import shifted_and_permuted, synthetic
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, ForeseesGain, Noise, Observation, Problem
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.climbs.multistart import Effort, maximise
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.draws.pathwise import PathwisePosterior
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.unit_cube.domain import Domain

LENGTH_SCALES = {1: 0.1, 2: 0.25, 4: 0.6}
"""Of the functions drawn, by dimension: a few maxima each."""
FREQUENCIES = 1000
PROBED = 4000


@dataclass(frozen=True)
class Landscape:
    """A function of (p, D) points in the unit cube, to be maximised, whose maximum is known."""

    dimension: int
    maximum: float
    values: Callable[[FloatArray], FloatArray]


def landscape(name: str, seed: int) -> Landscape:
    """``drawn-D``, or a name of `evaluators.synthetic`; another for each seed. In units of its deviation."""
    found = (
        _drawn(int(name.removeprefix("drawn-")), seed) if name.startswith("drawn-") else _moved(name, seed)
    )
    probes = stream(seed, f"deviation of {name}").random((PROBED, found.dimension))
    deviation = float(found.values(probes).std())
    return Landscape(found.dimension, found.maximum / deviation, lambda X: found.values(X) / deviation)


def _drawn(dimension: int, seed: int) -> Landscape:
    rng = stream(seed, "landscape", dimension)
    kernel = Kernel(MATERN_52, np.full(dimension, LENGTH_SCALES[dimension]))
    function = PathwisePosterior(ExactGP(kernel, 0.0), FREQUENCIES).draw(rng)
    everything = Effort(samples=4000, starts=100, iterations=100)
    found = maximise(
        function,
        Domain.continuous(dimension),
        np.zeros((0, dimension)),
        lambda X: np.ones(len(X), dtype=bool),
        rng,
        everything,
    )
    assert found is not None
    return Landscape(dimension, found.value, function.values)


def _moved(name: str, seed: int) -> Landscape:
    function = shifted_and_permuted(synthetic(name), seed)
    low, high = function.box.bounds.T
    sign = 1.0 if function.goal == "maximise" else -1.0

    def values(X: FloatArray) -> FloatArray:
        total: FloatArray = sign * function.terms(low + X * (high - low)).sum(axis=1)
        return total

    return Landscape(len(low), sign * function.optimum.value, values)


@dataclass(frozen=True)
class Job:
    """One run: ``noise`` is the deviation of the values', told to the algorithm."""

    algorithm: str
    function: str
    noise: float
    budget: int
    seed: int


@dataclass(frozen=True)
class Estimate:
    """After n ``observations``: the draws of what is left to gain, and what truly was: the maximum less the
    true value of the point reported as best.
    """

    observations: int
    draws: tuple[float, ...]
    regret: float


@dataclass(frozen=True)
class Run:
    """A job, its estimates in order, and when it was made, as year-month-day; empty where nobody said."""

    job: Job
    estimates: tuple[Estimate, ...]
    date: str = ""

    @property
    def title(self) -> str:
        """The function, and its noise."""
        return self.job.function + (f", noise {self.job.noise:g}" if self.job.noise else "")

    def stop(self, threshold: float, in_a_row: int) -> Estimate | None:
        """The estimate at which the rule ends the run, if it does."""
        below = 0
        for estimate in self.estimates:
            below = below + 1 if np.mean(estimate.draws) < threshold else 0
            if below == in_a_row:
                return estimate
        return None


def estimates(job: Job) -> list[Estimate]:
    """One after each refit, in order."""
    truth = landscape(job.function, job.seed)
    problem = Problem(
        Domain.continuous(truth.dimension),
        seed=job.seed,
        noise=Noise("known", job.noise),
        trials=job.budget,
    )
    algorithm = registry.build(job.algorithm, problem)
    assert isinstance(algorithm, ForeseesGain)
    made: list[Estimate] = []
    best, best_truth = -np.inf, -np.inf
    for trial in range(job.budget):
        if (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
            gain = algorithm.remaining_gain()
            if gain is not None:
                made.append(Estimate(gain.observations, gain.draws, truth.maximum - best_truth))
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        true_value = float(truth.values(suggestion.point[None, :])[0])
        noise = stream(job.seed, f"noise of {job.function}", trial).standard_normal()
        value = true_value + job.noise * float(noise)
        if value > best:
            best, best_truth = value, true_value
        algorithm.tell([Observation(trial, suggestion.point, value)])
    return made
