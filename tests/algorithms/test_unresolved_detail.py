"""Auto, told that there is no noise, where values have detail that the results are too few to resolve."""

import functools
import math
from dataclasses import replace

import numpy as np
import pytest
from sequential_runs import build, fitted, hill, observations, optimise

from orchestrator.algorithms.auto import Auto
from orchestrator.algorithms.base import AskKey, Noise, Problem
from orchestrator.algorithms.mixture.everywhere import everywhere
from orchestrator.algorithms.mixture.ground import Ground
from orchestrator.maximisers.climbs.multistart import anything
from orchestrator.unit_cube.domain import Domain

HEIGHT = 0.2
X = np.random.default_rng(4).random((40, 2))


def rippled(x):
    """A hill with ripples upon it, far finer than results lie apart."""
    return hill(x) + HEIGHT * float(np.sin(1e4 * x).sum())


@functools.cache
def ripples():
    """Only to be asked: it is the same for all tests."""
    return fitted(build("auto"), X, [rippled(x) for x in X])


@functools.cache
def resolved():
    """The like of a function without ripples."""
    return fitted(build("auto"), X, [hill(x) for x in X])


def seen(algorithm):
    """The deviation of what the leader does not resolve, in the values' units."""
    leader = algorithm._learned.belief.leader
    return math.sqrt(leader.unresolved_variance) * leader.scale.scale


def test_ripples_upon_a_hill_count_as_detail_and_not_as_noise():
    algorithm = ripples()
    assert seen(algorithm) == pytest.approx(HEIGHT, rel=0.4)
    assert algorithm._learned.belief.leader.noise_variance == 0.0
    # What was measured is as it was measured: nothing is believed better than the best.
    assert algorithm.insight().believed_best is None
    assert np.array_equal(algorithm._learned.contenders.best[0], X[int(np.argmax([rippled(x) for x in X]))])
    assert "too few to resolve" in " ".join(algorithm.insight().notes)


def test_a_function_that_its_results_resolve_has_none():
    algorithm = resolved()
    assert seen(algorithm) == 0.0
    assert "too few to resolve" not in " ".join(algorithm.insight().notes)


def test_what_is_learned_of_the_hill_is_learned_beside_the_ripples():
    def misses(algorithm):
        """How far off the hill is at other points, as a share of what it varies there."""
        others = np.random.default_rng(5).random((200, 2))
        expected = algorithm._learned.belief.leader.expected(others)
        true = np.array([hill(x) for x in others])
        return float(np.sqrt(np.mean((expected - true) ** 2)) / true.std())

    assert misses(ripples()) < 0.15


def test_what_is_predicted_of_a_value_allows_for_its_detail():
    algorithm = ripples()
    (suggestion,) = algorithm.ask(1, [], AskKey(40, 40))
    assert suggestion.predicted.deviation > 0.5 * HEIGHT


def test_so_does_what_is_predicted_of_the_point_that_is_recommended():
    algorithm = ripples()
    recommended = algorithm.recommend(Domain.continuous(2).holding({0: 0.33}))
    assert recommended.predicted.deviation > 0.5 * HEIGHT


def test_improvement_is_over_the_best_value_told_with_all_of_its_detail():
    algorithm = ripples()
    values = np.array([rippled(x) for x in X])

    def promised(highest):
        ground = Ground(
            Domain.continuous(2),
            algorithm._learned.contenders.best,
            X[:0],
            anything,
            np.random.default_rng(0),
            noisy=False,
            highest=highest,
        )
        return everywhere(algorithm._learned.belief, ground).log_gain

    assert promised(values.max()) > promised(values.max() + HEIGHT) > promised(values.max() + 2 * HEIGHT)


def test_values_that_were_taken_for_detailed_are_taken_for_exact_once_that_is_likelier():
    algorithm = build("auto")
    algorithm.tell(observations(X, [hill(x) for x in X]))
    algorithm.adopt(resolved()._learned.refit)
    algorithm._learned.standing = replace(algorithm._learned.standing, exact=False, weighed=0)
    assert algorithm.compute_refit(2).payload["exact"]


def test_the_region_goes_through_every_value():
    algorithm = ripples()
    assert seen(algorithm) > 0.0
    assert algorithm._local._model.found.noise_variance == 0.0


def test_how_high_ripples_go_is_not_foretold():
    assert ripples().remaining_gain() is None
    assert resolved().remaining_gain() is not None


def test_of_several_objectives_every_value_counts_as_it_is():
    problem = Problem(Domain.continuous(2), noise=Noise("known", 0.0), further_objectives=1)
    algorithm = Auto(problem, Auto.Options())
    told = observations(X, [rippled(x) for x in X])
    algorithm.tell([replace(one, further=one.point[:1]) for one in told])
    algorithm.adopt(algorithm.compute_refit(1))
    assert seen(algorithm) == 0.0


@pytest.mark.searches
def test_a_wide_funnel_is_descended_for_all_its_ripples():
    """Ackley's function in ten parameters, 65 ripples along each, on which models that go through every value
    end at -18 and -17.
    """
    top = np.random.default_rng(3).uniform(0.2, 0.8, 10)

    def funnel(x):
        u = 65.5 * (x - top)
        ripples = np.exp(np.cos(2.0 * np.pi * u).mean())
        return float(20.0 * np.exp(-0.2 * np.sqrt((u**2).mean())) + ripples - 20.0 - np.e)

    for seed in (2, 3):
        _, best = optimise(build("auto", 10, seed=seed), funnel, 90)
        assert best > -8.0
