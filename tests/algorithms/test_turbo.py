"""TuRBO: the trust region's life, its box, restarts, and results that come too late."""

import math

import numpy as np
import pytest
from sequential_runs import build, fitted, hill, optimise, step

from orchestrator.algorithms.base import AskKey, Observation
from orchestrator.algorithms.trust_region import FIRST_LENGTH, LONGEST, SHORTEST, TrustRegion


def after(region, *values):
    for row, value in enumerate(values):
        region = region.after(value, row)
    return region


def having_seen(*values):
    region = TrustRegion(3)
    for row, value in enumerate(values):
        region = region.seen(value, row)
    return region


def test_three_successes_in_a_row_double_the_side_up_to_its_limit():
    region = after(TrustRegion(5), 1.0, 2.0, 3.0)
    assert region.length == 2 * FIRST_LENGTH
    assert after(region, 4.0, 5.0, 6.0).length == LONGEST
    assert after(TrustRegion(5), 1.0, 2.0, 1.0, 3.0, 4.0).length == FIRST_LENGTH


def test_failures_in_a_row_halve_it_and_a_success_between_forgives_them():
    start = having_seen(1.0)
    assert after(start, 0.0, 0.0, 0.0).length == FIRST_LENGTH / 2
    assert after(start, 0.0, 0.0, 2.0, 0.0, 0.0).length == FIRST_LENGTH
    assert after(start, None, None, None).length == FIRST_LENGTH / 2


def test_a_gain_too_small_to_matter_moves_the_centre_but_is_no_success():
    start = having_seen(0.0, 100.0)
    moved = start.after(100.01, 7)
    assert (moved.successes, moved.failures, moved.centre) == (0, 1, 7)
    assert start.after(100.2, 7).successes == 1


def test_what_counts_as_a_gain_does_not_depend_on_an_offset():
    offset = 1e9
    assert having_seen(offset, offset + 1.0).after(offset + 1.5, 2).successes == 1


def test_it_is_exhausted_when_halved_often_enough():
    region = TrustRegion(1, best=1.0, worst=0.0, centre=0)
    halvings = 0
    while not region.exhausted:
        region = region.after(0.0, 1)
        halvings += 1
    assert halvings == math.floor(math.log2(FIRST_LENGTH / SHORTEST)) + 1


def test_suggestions_lie_in_the_box_about_the_best_point():
    X = np.random.default_rng(0).random((25, 3))
    algorithm = fitted(build("turbo", 3), X, [hill(x) for x in X])
    centre = algorithm._centre()
    assert hill(centre) == max(hill(x) for x in X)
    algorithm._region = TrustRegion(4, 0.1, best=0.0, worst=-1.0, centre=algorithm._region.centre)
    lower, upper = algorithm._box(centre)
    scales = np.array(algorithm._belief.fitted.hyperparameters[0].length_scales)
    inside = (lower > 0) & (upper < 1)
    sides = (upper - lower)[inside] / scales[inside]
    np.testing.assert_allclose(sides, sides[0])
    for suggestion in algorithm.ask(6, [], AskKey(0, 25)):
        assert ((suggestion.point >= lower - 1e-12) & (suggestion.point <= upper + 1e-12)).all()


def test_in_many_dimensions_a_candidate_changes_about_twenty_parameters():
    X = np.random.default_rng(0).random((25, 100))
    algorithm = fitted(build("turbo", 100), X, [hill(x) for x in X])
    candidates = algorithm._candidates(np.random.default_rng(1))
    changed = (candidates != algorithm._centre()).sum(axis=1)
    assert changed.min() >= 1
    assert changed.mean() == pytest.approx(20, abs=2)


@pytest.mark.parametrize("acquisition", ["thompson", "expected-improvement"])
def test_it_climbs_a_hill(acquisition):
    algorithm = build("turbo", 3, seed=1, acquisition=acquisition, start_points=6, refit_every=4)
    assert optimise(algorithm, hill, 50)[1] > -1e-3


def test_a_region_that_shrank_away_starts_anew_from_the_design():
    algorithm = build("turbo", 2, start_points=5, refit_every=10)
    sources = [step(algorithm, trial, hill).why["source"] for trial in range(75)]
    assert algorithm._restarts >= 1
    again = sources.index("start design", 6)
    assert sources[again : again + 5] == ["start design"] * 5
    assert "model" in sources[again:]


def test_results_asked_for_before_a_restart_are_not_learned_from():
    algorithm = build("turbo", 2, start_points=5)
    for trial in range(8):
        step(algorithm, trial, hill)
    algorithm._region = TrustRegion(1, SHORTEST, best=1.0, worst=0.0, centre=0)
    algorithm.tell([Observation(12, np.array([0.5, 0.6]), -3.0)])
    assert algorithm._restarts == 1
    late = Observation(11, np.array([0.37, 0.37]), 0.0)
    algorithm.tell([late, Observation(13, np.array([0.1, 0.1]), -2.0)])
    assert len(algorithm._belief.rows) == 1
    assert len(algorithm._history) == 11
