"""Runs after which it is to be known how plausible all parameters of a fit are, by whosever points.

Notation: D parameters, n evaluations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun, search
from benchmarks.functions.posteriors import FITS, TruePosterior, misfits, posterior_of
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation, Problem
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain

if TYPE_CHECKING:
    from orchestrator.sensitivity.composed import Composing

PARTS = (4, 2, 1)
"""What is known is judged after a quarter of the evaluations, after half of them, and after all."""
DRAWN, KNOWN = 1_000, 10
TRUTH = "truth"
"""No search: as many draws from the true posterior."""


@dataclass(frozen=True)
class Run(SearchRun[SearchJob, float]):
    """What came of a job: values are how far margins are off after each of `PARTS` of the evaluations, then
    how far the ends of intervals are, and then how much intervals of 68 % hold, and those of 95 %.
    """

    def off(self, evaluations: int) -> float:
        """Margins, after so many."""
        return self.values[self._part(evaluations)]

    def ends_off(self, evaluations: int) -> float:
        """Ends of intervals."""
        return self.values[len(PARTS) + self._part(evaluations)]

    def held(self, part: int) -> tuple[float, float]:
        """Of the true posterior, by intervals of 68 % and of 95 %, after one of `PARTS`."""
        at = 2 * len(PARTS) + PARTS.index(part)
        return self.values[at], self.values[at + len(PARTS)]

    def _part(self, evaluations: int) -> int:
        counts = [FITS[self.job.function].evaluations // part for part in PARTS]
        return counts.index(evaluations)


def run(job: SearchJob) -> Run:
    """One evaluation at a time, all without noise."""
    # Not above: whoever reads the help need not load models.
    from orchestrator.sensitivity.composed import Composing

    fit, true = FITS[job.function], posterior_of(job.function, job.seed)
    copy = fit.calibration.of_seed(job.seed)
    if job.algorithm == TRUTH:
        return Run(job, _judged(true, [drawn_from_the_truth(job)] * len(PARTS)), 0.0)
    domain = Domain.continuous(fit.dimension)
    problem = Problem(domain, job.seed, noise=EXACT, trials=fit.evaluations, composite=copy.function)

    def evaluate(trial: int, point: FloatArray) -> tuple[Observation, tuple[FloatArray, FloatArray]]:
        outcomes = copy.outcomes(point)
        told = Observation(trial, point, copy.value(point, outcomes), outcomes=outcomes)
        return told, (point, outcomes)

    told, seconds = search(registry.build(job.algorithm, problem), fit.evaluations, evaluate)
    points, outcomes = (np.array(one) for one in zip(*told, strict=True))
    after = [fit.evaluations // part for part in PARTS]
    believed = [
        drawn_by_a_model(Composing(problem, copy.function, points[:n], outcomes[:n], -1.0)) for n in after
    ]
    return Run(job, _judged(true, believed), seconds)


def _judged(true: TruePosterior, each: Sequence[FloatArray]) -> tuple[float, ...]:
    held = (true.held(drawn, share) for share in (0.68, 0.95) for drawn in each)
    return (*map(true.off, each), *map(true.ends_off, each), *held)


def drawn_by_a_model(composing: Composing) -> FloatArray:
    """(S, D) draws from the posterior that `orchestrator posterior` has, by the models that are fitted to
    results for it, walked to from the best of these.
    """
    from orchestrator.algorithms.composite.likely_places import likely_places
    from orchestrator.sensitivity.composed import ComposedModel

    best = composing.points[np.argsort(composing.values, kind="stable")[:KNOWN]]
    likelihood = ComposedModel.fitted(composing).averaged_likelihood()
    rng = stream(composing.problem.seed, "posterior judged", len(composing.points))
    return likely_places(likelihood.log, composing.problem.domain, best, DRAWN, rng)


def drawn_from_the_truth(job: SearchJob) -> FloatArray:
    """(S, D) draws, walked to as those by a model are; of what is dear, draws of the points weighed."""
    from orchestrator.algorithms.composite.likely_places import likely_places

    fit, true, rng = FITS[job.function], posterior_of(job.function, job.seed), stream(job.seed, "truth drawn")
    copy = fit.calibration.of_seed(job.seed)
    if not fit.all_over or copy.truth is None:
        return np.asarray(true.points[rng.choice(len(true.weights), DRAWN, p=true.weights)])
    domain = Domain.continuous(fit.dimension)
    return likely_places(lambda points: -misfits(copy, points) / 2.0, domain, copy.truth[None, :], DRAWN, rng)
