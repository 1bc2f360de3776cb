"""A failed evaluation says nothing of which hypothesis is right: beliefs bear it, their weights stay."""

import numpy as np
import pytest
from additive_stories import built

from orchestrator.algorithms.base import Observation

MIXTURES = {
    "dumbo": {"evidences": 12, "decompositions": 6},
    "dec-hbo": {"evidences": 12, "decompositions": 6},
    "egp-ts": {"kernels": ["rbf-ard", "matern-5/2-ard", "matern-3/2-ard"]},
}
POINTS = np.random.default_rng(1).random((24, 4))


def waves(point) -> float:
    return float(np.sin(4 * point[0]) * point[1] + point[2] * point[3] + 0.5 * np.sin(6 * point[2]))


def fitted(name: str):
    algorithm = built(name, 4, MIXTURES[name])
    algorithm.tell([Observation(i, x, waves(x)) for i, x in enumerate(POINTS)])
    algorithm.adopt(algorithm.compute_refit(1))
    return algorithm


def failures_near_the_best(count: int) -> list[Observation]:
    best = POINTS[int(np.argmax([waves(x) for x in POINTS]))]
    near = np.clip(best + 0.02 * np.random.default_rng(2).standard_normal((count, 4)), 0.0, 1.0)
    return [Observation(len(POINTS) + i, x, None) for i, x in enumerate(near)]


@pytest.mark.parametrize("name", MIXTURES)
def test_a_failure_near_the_best_point_moves_no_weights(name):
    algorithm = fitted(name)
    before = algorithm.insight().weights
    assert sorted(before.values())[-2] > 0.05
    algorithm.tell(failures_near_the_best(3))
    assert algorithm.insight().weights == before
    algorithm.tell([Observation(30, np.full(4, 0.4), waves(np.full(4, 0.4)))])
    assert algorithm.insight().weights != before


@pytest.mark.parametrize("name", MIXTURES)
def test_what_is_believed_of_its_surroundings_is_no_longer_as_high(name):
    algorithm = fitted(name)

    def expected(point) -> float:
        belief = algorithm._belief if name != "egp-ts" else algorithm._belief.current.ensemble
        return float(belief.mean_and_variance(point[None, :])[0][0])

    (failure,) = failures_near_the_best(1)
    before = expected(failure.point)
    algorithm.tell([failure])
    assert expected(failure.point) < before - 0.5


@pytest.mark.parametrize("name", MIXTURES)
def test_failures_told_at_once_or_one_by_one_or_before_a_late_refit_leave_the_same_weights(name):
    at_once, one_by_one, late = (built(name, 4, MIXTURES[name]) for _ in "abc")
    results = [Observation(i, x, waves(x)) for i, x in enumerate(POINTS)]
    more = [*failures_near_the_best(3), Observation(30, np.full(4, 0.4), waves(np.full(4, 0.4)))]
    for algorithm in (at_once, one_by_one, late):
        algorithm.tell(results)
    refit = at_once.compute_refit(1)
    at_once.adopt(refit)
    one_by_one.adopt(refit)
    at_once.tell(more)
    for observation in more:
        one_by_one.tell([observation])
    late.tell(more)
    late.adopt(refit)
    assert at_once.insight().weights == one_by_one.insight().weights == late.insight().weights
