"""TuRBO: the trust region's life, its box, restarts, and results that come too late."""

import math
from itertools import groupby

import numpy as np
import pytest
from sequential_runs import Workers, build, fitted, hill, optimise, step

from orchestrator.algorithms.base import AskKey, Observation
from orchestrator.algorithms.gaussian_process.trust_region import FIRST_LENGTH, LONGEST, SHORTEST, TrustRegion
from orchestrator.algorithms.turbo import Turbo
from orchestrator.python_interface.optimiser import Optimiser
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

CHEAP = {"start_points": 5, "refit_every": 10, "candidates": 100}
GRID = Domain((Coordinate("ordinal", tuple(np.linspace(0.05, 0.95, 14))),) * 2)


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
    algorithm._trust.region = TrustRegion(4, 0.1, best=0.0, worst=-1.0, centre=algorithm._trust.region.centre)
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
    assert algorithm._trust.restarts >= 1
    again = sources.index("start design", 6)
    assert sources[again : again + 5] == ["start design"] * 5
    assert "model" in sources[again:]


def test_results_asked_for_before_a_restart_are_not_learned_from():
    algorithm = build("turbo", 2, start_points=5)
    for trial in range(8):
        step(algorithm, trial, hill)
    algorithm._trust.region = TrustRegion(1, SHORTEST, best=1.0, worst=0.0, centre=0)
    algorithm.tell([Observation(12, np.array([0.5, 0.6]), -3.0)])
    assert algorithm._trust.restarts == 1
    late = Observation(11, np.array([0.37, 0.37]), 0.0)
    (again,) = algorithm.ask(1, [], AskKey(9, 13))
    algorithm.tell([late, Observation(13, again.point, -2.0)])
    assert algorithm._belief.rows == [10]
    assert len(algorithm._history) == 11


@pytest.mark.parametrize("in_turn", [True, False])
def test_what_runs_when_a_region_ends_is_not_learned_from_and_all_asked_for_later_is(in_turn):
    algorithm = build("turbo", 2, parallel=4, **CHEAP)
    workers = Workers(algorithm, 4, None if in_turn else np.random.default_rng(0))
    told, first = set(), 0
    while algorithm._trust.restarts < 2 or not algorithm._belief.ready:
        workers.ask()
        restarts = algorithm._trust.restarts
        told.add(workers.tell(hill))
        if algorithm._trust.restarts > restarts:
            told, first = set(), workers.asked
        learned = {algorithm._history.trials[row] for row in algorithm._belief.rows}
        assert learned == {trial for trial in told if trial >= first}


def test_on_a_grid_a_new_start_learns_from_the_points_that_replace_what_was_tried():
    algorithm = build("turbo", domain=GRID, **CHEAP)
    for trial in range(int(GRID.size)):
        restarts, learned = algorithm._trust.restarts, len(algorithm._belief.rows)
        step(algorithm, trial, hill)
        assert algorithm._trust.restarts > restarts or len(algorithm._belief.rows) == learned + 1
    assert algorithm._trust.restarts >= 3
    assert algorithm.insight().notes[-1].endswith(f"; restarts so far: {algorithm._trust.restarts}")


def test_several_workers_on_a_grid_are_not_left_without_a_model():
    algorithm = build("turbo", domain=GRID, parallel=4, **CHEAP)
    workers = Workers(algorithm, 4, np.random.default_rng(1))
    sources = []
    for _ in range(150):
        sources += [suggestion.why["source"] for suggestion in workers.ask()]
        workers.tell(hill)
    assert algorithm._trust.restarts >= 2
    assert max(len(list(run)) for source, run in groupby(sources) if source == "start design") < 20


def test_a_new_start_is_learned_from_though_its_points_come_back_as_whole_numbers():
    whole = {"type": "int", "bounds": [1, 10**6], "scale": "log"}
    optimiser = Optimiser({"a": whole, "b": whole}, algorithm="turbo", options=CHEAP)
    sources = []
    for _ in range(80):
        (asked,) = optimiser.ask()
        sources.append(asked.why["source"])
        optimiser.tell(asked.trial, -sum((math.log(n) - 5.0) ** 2 for n in asked.parameters.values()))
    again = sources.index("start design", 6)
    assert sources[again : again + 6] == ["start design"] * 5 + ["model"]


@pytest.mark.parametrize("parallel", [1, 4])
def test_results_of_the_start_design_that_come_late_are_no_failures_of_the_region(parallel):
    algorithm = build("turbo", 2, parallel=parallel, start_points=4)
    design = [s.point for s in algorithm.ask(8, [], AskKey(0, 0))]
    algorithm = fitted(algorithm, design[:4], [0.0, -1.0, -2.0, -3.0])
    late = [Observation(trial, design[trial], -float(trial)) for trial in range(4, 8)]
    chosen = algorithm.ask(1, design[4:], AskKey(1, 8))[0].point
    algorithm.tell([*late, Observation(8, chosen, -9.0)])
    assert (algorithm._trust.region.length, algorithm._trust.region.failures) == (FIRST_LENGTH, 1)
    assert len(algorithm._belief.rows) == 9


def test_one_at_a_time_on_a_grid_the_model_may_choose_the_point_that_the_design_would_have_given():
    for parallel, failures in ((1, 1), (4, 0)):
        algorithm = build("turbo", domain=GRID, parallel=parallel, start_points=4)
        design = [s.point for s in algorithm.ask(5, [], AskKey(0, 0))]
        algorithm = fitted(algorithm, design[:4], [0.0, -1.0, -2.0, -3.0])
        algorithm.tell([Observation(4, design[4], -9.0)])
        assert algorithm._trust.region.failures == failures


@pytest.mark.parametrize("value", [-99.0, 99.0])
def test_a_persons_point_is_no_failure_of_the_region_and_no_success(value):
    algorithm = build("turbo", 2, start_points=4)
    design = [s.point for s in algorithm.ask(4, [], AskKey(0, 0))]
    algorithm = fitted(algorithm, design, [0.0, -1.0, -2.0, -3.0])
    algorithm.tell([Observation(4, np.array([0.9, 0.9]), value, attached=True)])
    region = algorithm._trust.region
    assert (region.successes, region.failures) == (0, 0)
    assert len(algorithm._belief.rows) == 5


def test_a_persons_point_is_learned_from_though_it_was_tried_before_a_restart():
    algorithm = build("turbo", 2, start_points=4)
    algorithm._trust.begin_anew()
    algorithm.tell([Observation(4, np.array([0.9, 0.9]), 1.0, attached=True)])
    (point,) = (s.point for s in algorithm.ask(1, [], AskKey(5, 5)))
    algorithm.tell([Observation(3, np.array([0.1, 0.9]), 1.0), Observation(5, point, 1.0)])
    assert [algorithm._history.trials[row] for row in algorithm._belief.rows] == [4, 5]


def test_where_settings_may_travel_only_so_far_a_restart_is_followed_by_another_model():
    travelling = {name: {"type": "float", "bounds": [0, 1], "travel": 0.2} for name in "ab"}
    optimiser = Optimiser(travelling, algorithm="turbo", options=CHEAP, seed=2)
    optimiser.tell(optimiser.attach({"a": 0.5, "b": 0.5}).trial, 0.0)
    led_by = []
    for trial in range(2, 28):
        if trial == 20:
            assert isinstance(optimiser._algorithm, Turbo)
            optimiser._algorithm._belief.begin_anew()
            optimiser._algorithm._trust.begin_anew()
        (asked,) = optimiser.ask()
        led_by.append(asked.why.get("for", asked.why["source"]))
        optimiser.tell(asked.trial, hill(np.array(list(asked.parameters.values()))))
    assert led_by[18:] == ["start design"] * 5 + ["model"] * 3
