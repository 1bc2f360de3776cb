"""Two promises on cost: telling without refactoring, and DuMBO's ask against one full-dimensional DIRECT.

Seconds are of the processor.

Notation: n results, D parameters.
"""

from __future__ import annotations

import statistics
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.measuring.processor_clock import seen
from benchmarks.regrets.run import Case, space_of
from evaluators.synthetic import SyntheticFunction
from orchestrator.algorithms.additive.algorithm import Climbed
from orchestrator.algorithms.additive.factor_functions import FactorFunctions
from orchestrator.algorithms.ask_and_tell.start_design import StartDesign
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.algorithms.dumbo import Dumbo, DumboOptions
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.direct import Direct
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.unit_cube.domain import Domain

DIMENSION = 6
"""Of the exact GP that is told one result more."""


@dataclass(frozen=True)
class Comparison:
    """Ours and the alternative, in seconds.

    ``remark``: how the alternative ended; ``done``: whether it got as far as ours, without which its seconds
    are a lower bound.
    """

    ours_s: float
    other_s: float
    remark: str = ""
    done: bool = True

    @property
    def ratio(self) -> float:
        """How many times faster ours is."""
        return self.other_s / self.ours_s


def telling_against_refactoring(n: int = 1000, repeats: int = 15) -> Comparison:
    """One result more for an exact GP of n: its factor grown by a row, or made anew with the covariance.

    The least of ``repeats`` each: whoever else uses the machine empties its caches, and that costs the
    shorter of the two the larger part of its time.
    """
    rng = stream(0, "benchmark refactoring", n, DIMENSION)
    X = rng.random((n + repeats, DIMENSION))
    y = np.sin(5.0 * X).sum(axis=1)
    kernel = Hyperparameters((0.5,) * DIMENSION, 1.0, 1e-4).kernel(MATERN_52, np.arange(DIMENSION))
    grown = ExactGP(kernel, 1e-4)
    grown.append(X[:n], y[:n])
    ours, other = [], []
    for k in range(n, n + repeats):
        begun = time.process_time()
        grown.append(X[k : k + 1], y[k : k + 1])
        ours.append(time.process_time() - begun)
        anew = ExactGP(kernel, 1e-4)
        begun = time.process_time()
        anew.append(X[: k + 1], y[: k + 1])
        other.append(time.process_time() - begun)
    return Comparison(min(seen(ours)), min(seen(other)))


class _Watched(Dumbo):
    """DuMBO that remembers what it maximised, and where it ended."""

    acquisition: FactorFunctions
    found: Climbed

    def _maximise(
        self, acquisition: FactorFunctions, incumbents: FloatArray, rng: np.random.Generator
    ) -> Climbed:
        self.acquisition = acquisition
        self.found = super()._maximise(acquisition, incumbents, rng)
        return self.found


MOST_EVALUATIONS = 100_000
"""More than the patience lasts for; scipy sets memory aside for as many."""


class _Enough(Exception):
    """The search has reached what it was to reach, or taken too long."""


class _Pursuit:
    """The acquisition with a stopwatch: raises `_Enough` once a value is reached or the seconds are over."""

    def __init__(self, acquisition: FactorFunctions, target: float, seconds: float) -> None:
        self._objective, self._target = acquisition.objective, target
        self._begun = time.process_time()
        self._until = self._begun + seconds
        self.best = -np.inf
        self.evaluations = 0

    @property
    def taken_s(self) -> float:
        return time.process_time() - self._begun

    @property
    def reached(self) -> bool:
        return self.best >= self._target

    def values(self, X: FloatArray) -> FloatArray:
        found = self._objective.values(X)
        self.best = max(self.best, float(found.max()))
        self.evaluations += len(X)
        if self.reached or time.process_time() > self._until:
            raise _Enough
        return found

    def values_and_gradients(self, X: FloatArray) -> Any:
        return self._objective.values_and_gradients(X)


def dumbo_against_direct(case: Case, n: int = 200, asks: int = 3, patience: float = 12.0) -> Comparison:
    """DuMBO's ask at n results, and DIRECT in all D dimensions until it has found as high an acquisition.

    The results are a start design and draws ever closer around the best, as a run would have made. DIRECT is
    ended after ``patience`` times the ask.
    """
    dumbo, domain = _dumbo_told(case.instance(0), n)
    seconds = []
    for k in range(asks):
        begun = time.process_time()
        dumbo.ask(1, [], AskKey(k, n + k))
        seconds.append(time.process_time() - begun)
    ours = statistics.median(seconds)
    target = float(dumbo.found.values_at(dumbo.found.point[None, :])[0])
    # To within rounding, and a thousandth of what separates it from an average point.
    typical = float(np.mean(dumbo.found.values_at(domain.sample(100, stream(0, "benchmark typical")))))
    pursuit = _Pursuit(dumbo.acquisition, target - 1e-3 * (target - typical), patience * ours)
    with suppress(_Enough):
        Direct(evaluations=MOST_EVALUATIONS).maximise(pursuit, domain)
    taken = pursuit.taken_s
    share = (pursuit.best - typical) / (target - typical)
    remark = (
        f"as high after {pursuit.evaluations:,} evaluations"
        if pursuit.reached
        else f"ended after {pursuit.evaluations:,} evaluations at {share:.2f} of the height"
    )
    return Comparison(ours, taken, remark, pursuit.reached)


def _dumbo_told(function: SyntheticFunction, n: int) -> tuple[_Watched, Domain]:
    space = space_of(function)
    D = function.dimension
    dumbo = _Watched(
        Problem(space.domain, noise=Noise("known", 0.0), start_points=20), DumboOptions.model_validate({})
    )
    design = StartDesign(space.domain, 0)
    rng = stream(0, "benchmark told", n)
    best, highest = np.full(D, 0.5), -np.inf
    for trial in range(n):
        if trial < 20:
            point = design.point(trial)
        else:
            radius = 0.3 * 0.1 ** (trial / n)
            point = np.clip(best + radius * rng.standard_normal(D) * (rng.random(D) < 0.3), 0.0, 1.0)
        place = np.array([list(space.decode(point).values())], dtype=float)
        value = float(function.evaluate(place)[0])
        if value > highest:
            best, highest = point, value
        dumbo.tell([Observation(trial, point, value)])
    number = dumbo.refit_due()
    assert number is not None
    dumbo.adopt(dumbo.compute_refit(number))
    return dumbo, space.domain
