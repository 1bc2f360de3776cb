"""Runs for the best settings of each condition: how good what is recommended is, on average over these.

`auto` by itself looks for one best point. So its evaluations are split over searches in a few conditions,
between which settings are interpolated, where there is one condition that is a number, and else taken from
the nearest; or one design is sought for all conditions.

Notation: D parameters, C of them conditions, c judged conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from benchmarks.contenders.how_sure_for_each import how_sure
from benchmarks.contenders.searches import EXACT, SearchJob, SearchRun, search
from benchmarks.functions.for_each import FOR_EACH, Judge
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, Noise, Observation, Problem, Recommends
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain
from orchestrator.values.over import Over

TOLD, SPREAD, ALL = "told of each", "spread points", "one for all"
SEVERAL = {"3 searches": 3, "6 searches": 6}
"""How many conditions a contender has a search of its own in."""
CONTENDERS = (TOLD, *SEVERAL, SPREAD, ALL)
PARTS = (2, 1)
"""Of its evaluations, after which what a run recommends is judged."""

Evaluate = Callable[[int, FloatArray], tuple[Observation, float]]


@dataclass(frozen=True)
class Run(SearchRun[SearchJob, float]):
    """What came of a job: as ``values`` what is missed by the settings that are recommended after half of the
    evaluations, and after all; ``sure`` is as often, of one search that is told of the conditions, what
    `HowSure` has.
    """

    sure: tuple[tuple[float, float | None], ...] = ()

    def missed(self, evaluations: int) -> float:
        """After so many evaluations: half of them, or all."""
        whole = FOR_EACH[self.job.function].evaluations
        return self.values[[whole // part for part in PARTS].index(evaluations)]


def run(job: SearchJob) -> Run:
    """From the start design that the algorithm has."""
    function = FOR_EACH[job.function]
    judge, domain = function.under(job.seed), function.space.domain
    noise = Noise() if function.noise else EXACT
    rng = stream(job.seed, f"noise of {job.function} for {job.algorithm}")
    problem = Problem(domain, job.seed, noise=noise, trials=function.evaluations, in_use=function.in_use)

    def evaluate(trial: int, point: FloatArray) -> tuple[Observation, float]:
        value = float(judge.value(point[None, :])[0]) + function.noise * float(rng.standard_normal())
        return Observation(trial, point, value), value

    if job.algorithm in SEVERAL:
        return _apart(job, judge, problem, evaluate, SEVERAL[job.algorithm])
    if job.algorithm == ALL:
        problem = replace(problem, in_use=replace(function.in_use, over=Over()))
    if job.algorithm == SPREAD:
        # All of them, and models of these at the end.
        problem = replace(problem, start_points=function.evaluations)
    return _together(job, judge, problem, evaluate)


def _together(job: SearchJob, judge: Judge, problem: Problem, evaluate: Evaluate) -> Run:
    """One search over settings and conditions."""
    missed, sure = list[float](), list[tuple[float, float | None]]()
    told = list[Observation]()
    seconds = 0.0

    def judged(algorithm: Algorithm) -> None:
        missed.append(judge.missed(_recommended(algorithm, judge, job.algorithm == ALL)))
        if job.algorithm == TOLD:
            found = how_sure(algorithm, judge, problem, told)
            sure.append((found.within, found.foreseen))

    for part in PARTS if job.algorithm == SPREAD else PARTS[-1:]:
        whole = judge.function.evaluations // part
        algorithm = registry.build("auto", replace(problem, start_points=problem.start_points and whole))

        def noted(
            trial: int, point: FloatArray, algorithm: Algorithm = algorithm, whole: int = whole
        ) -> tuple[Observation, float]:
            if job.algorithm != SPREAD and trial == whole // 2:
                judged(algorithm)
            found = evaluate(trial, point)
            told.append(found[0])
            return found

        _, seconds = search(algorithm, whole, noted)
        judged(algorithm)
    return Run(job, tuple(missed), seconds, sure=tuple(sure))


def _recommended(algorithm: Algorithm, judge: Judge, for_all: bool) -> FloatArray:
    """(c, D) settings in the judged conditions."""
    assert isinstance(algorithm, Recommends)
    bring_up_to_date(algorithm)
    in_use, domain = judge.in_use, judge.function.space.domain
    points = np.empty((len(in_use.points), domain.dimension))
    for j, place in enumerate(in_use.points.tolist()):
        held = domain.holding(dict(zip(in_use.coordinates, place, strict=True)))
        found = algorithm.recommend(None if for_all else held)
        assert found is not None
        points[j] = found.point
    points[:, list(in_use.coordinates)] = in_use.points
    return points


def _apart(job: SearchJob, judge: Judge, problem: Problem, evaluate: Evaluate, count: int) -> Run:
    """Searches in so many conditions, one evaluation of each in turn."""
    places = _places(judge, count)
    coordinates = list(judge.in_use.coordinates)
    free = [j for j in range(judge.function.dimension) if j not in coordinates]
    domain = Domain(tuple(problem.domain.coordinates[j] for j in free))
    each = problem.trials // len(places) if problem.trials else 0
    best, seconds = np.empty((len(PARTS), len(places), judge.function.dimension)), 0.0
    for j, place in enumerate(places):
        own = replace(problem, domain=domain, seed=100 * problem.seed + j, in_use=None, trials=each)
        one = _OfOne(registry.build("auto", own), place, free, coordinates, evaluate, max(1, each // 2))
        seconds += search(one.algorithm, each, one.evaluated)[1] / len(places)
        best[:, j] = [*one.halfway, one.best]
    return Run(job, tuple(judge.missed(_between(judge, one)) for one in best), seconds)


@dataclass(eq=False)
class _OfOne:
    """A search of an ``algorithm`` at one ``place``: of ``free`` coordinates, beside the others; what
    it recommends after ``half`` of its evaluations is noted.
    """

    algorithm: Algorithm
    place: FloatArray
    free: Sequence[int]
    others: Sequence[int]
    evaluate: Evaluate
    half: int
    told: list[tuple[float, FloatArray]] = field(default_factory=list)
    halfway: list[FloatArray] = field(default_factory=list)

    def evaluated(self, trial: int, point: FloatArray) -> tuple[Observation, float]:
        """At a point of its own domain."""
        if trial == self.half:
            self.halfway.append(self.best)
        _, value = self.evaluate(trial, self._whole(point))
        self.told.append((value, point))
        return Observation(trial, point, value), value

    @property
    def best(self) -> FloatArray:
        """(D,) what it recommends, or without a model the best of so few that were told."""
        assert isinstance(self.algorithm, Recommends)
        bring_up_to_date(self.algorithm)
        found = self.algorithm.recommend(None)
        return self._whole(max(self.told, key=lambda one: one[0])[1] if found is None else found.point)

    def _whole(self, point: FloatArray) -> FloatArray:
        whole = np.empty(len(self.free) + len(self.others))
        whole[list(self.free)], whole[list(self.others)] = point, self.place
        return whole


def _places(judge: Judge, count: int) -> FloatArray:
    """(count, C) conditions that are spread as they come up; fewer, where so few are listed."""
    points = judge.function.in_use.points
    if len(points) <= count:
        return points
    if points.shape[1] > 1:
        return points[:count]
    ordered = points[np.argsort(points[:, 0])]
    return np.asarray(ordered[((np.arange(count) + 0.5) / count * len(ordered)).astype(int)])


def _between(judge: Judge, best: FloatArray) -> FloatArray:
    """(c, D) settings for the judged conditions, by those that are best in some."""
    coordinates, domain = list(judge.in_use.coordinates), judge.function.space.domain
    known, asked = best[:, coordinates], judge.in_use.points
    nearest = np.square(asked[:, None, :] - known).sum(axis=2).argmin(axis=1)
    found = best[nearest]
    if len(coordinates) == 1:
        order = np.argsort(known[:, 0])
        for j in np.flatnonzero(~domain.is_categorical):
            found[:, j] = np.interp(asked[:, 0], known[order, 0], best[order, j])
    found[:, coordinates] = asked
    return domain.snap(found)
