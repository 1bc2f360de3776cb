"""CMA-ES: whole searches, what it does not depend on, and what it does with domains that are no cube."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.cma_es import CmaEs
from orchestrator.algorithms.evolution.bound_folding import MARGIN, folded, folded_deviations, unfolded
from orchestrator.algorithms.evolution.choice_frequencies import ChoiceFrequencies
from orchestrator.algorithms.evolution.margins import least_deviations
from orchestrator.algorithms.standing import best_first, standings
from orchestrator.arrays import FloatArray
from orchestrator.parameters.space import Space
from orchestrator.python_interface.optimiser import Optimiser
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

CENTRE = 0.37


def build(problem: Problem, **options: Any) -> CmaEs:
    algorithm = registry.build("cma-es", problem, options)
    assert isinstance(algorithm, CmaEs)
    return algorithm


def searched(
    algorithm: CmaEs, value: Callable[[FloatArray], float | None], turns: int, at_a_time: int = 1
) -> list[FloatArray]:
    points: list[FloatArray] = []
    for ask in range(turns):
        batch = [s.point for s in algorithm.ask(at_a_time, [], AskKey(ask, len(points) + 1))]
        algorithm.tell([Observation(len(points) + i, x, value(x)) for i, x in enumerate(batch, 1)])
        points += batch
    return points


def sphere(x: FloatArray) -> float:
    return -float(((x - CENTRE) ** 2).sum())


def test_a_sphere_of_ten_parameters_is_solved_within_2000_evaluations() -> None:
    points = searched(build(Problem(Domain.continuous(10), seed=1)), sphere, 2000)
    assert max(map(sphere, points)) > -1e-9


@pytest.mark.parametrize("turned", [False, True])
def test_an_ellipsoid_is_solved_as_quickly_turned_as_not(turned: bool) -> None:
    rotation = np.linalg.qr(np.random.default_rng(0).standard_normal((5, 5)))[0] if turned else np.eye(5)
    scales = 10.0 ** np.linspace(0.0, 4.0, 5)
    points = searched(
        build(Problem(Domain.continuous(5), seed=2)),
        lambda x: -float((scales * (rotation @ (x - CENTRE)) ** 2).sum()),
        2000,
    )
    assert np.abs(np.array(points[-100:]) - CENTRE).min(axis=0).max() < 1e-3
    assert max(-float((scales * (rotation @ (x - CENTRE)) ** 2).sum()) for x in points) > -1e-6


def test_a_best_point_in_a_corner_is_approached() -> None:
    points = searched(build(Problem(Domain.continuous(4), seed=1)), lambda x: -float(x.sum()), 800)
    assert min(float(x.sum()) for x in points) < 1e-4


def test_a_best_point_at_nine_of_ten_bounds_with_slopes_beyond_them_is_found() -> None:
    best = np.array([0.0, 1.0] * 5)
    best[-1] = CENTRE

    def value(x: FloatArray) -> float:
        return -float(((x - best) ** 2).sum() + np.abs(x - best)[:-1].sum())

    points = searched(build(Problem(Domain.continuous(10), seed=0)), value, 2000)
    assert np.abs(max(points, key=value) - best).sum() < 0.01


def test_once_it_has_converged_to_a_corner_it_begins_anew_and_draws_nothing_at_random() -> None:
    algorithm = build(Problem(Domain.continuous(2), seed=1))
    sources = set()
    for trial in range(500):
        (asked,) = algorithm.ask(1, [], AskKey(trial, trial))
        sources.add(asked.why["source"])
        algorithm.tell([Observation(trial, asked.point, -float(asked.point.sum()))])
    assert "start 1" not in algorithm.insight().notes[0]
    assert sources == {"distribution"}


def test_what_lies_beyond_a_bound_is_where_its_mirror_image_at_the_end_of_the_margin_is() -> None:
    positions = np.linspace(0.0, 1.0, 201)
    places = unfolded(positions)
    assert (np.diff(places) > 0.0).all()
    assert [places[0], places[100], places[-1]] == pytest.approx([-MARGIN, 0.5, 1.0 + MARGIN])
    for image in (places, -2 * MARGIN - places, 2 + 2 * MARGIN - places, places + 2 * (1 + 2 * MARGIN)):
        assert folded(image) == pytest.approx(positions, abs=1e-12)
    anywhere = folded(np.random.default_rng(0).normal(0.5, 3.0, 10_000))
    assert 0.0 <= anywhere.min() < anywhere.max() <= 1.0


def test_a_deviation_is_as_it_is_inside_and_shrinks_by_squares_at_a_bound() -> None:
    inside, at_bound = folded_deviations(np.array([0.5, -MARGIN]), np.array([0.01, 0.01]))
    assert inside == pytest.approx(0.01)
    assert at_bound == pytest.approx(0.01**2 / (4 * MARGIN))


def test_only_the_order_of_values_counts() -> None:
    problem = Problem(Domain.continuous(3), seed=4)
    plain = searched(build(problem), sphere, 150)
    bent = searched(build(problem), lambda x: 7.0 - 1e3 * (-sphere(x)) ** 0.25, 150)
    assert np.array_equal(plain, bent)


def test_a_whole_generation_at_a_time_is_one_after_another() -> None:
    problem = Problem(Domain.continuous(4), seed=4, parallel=8)
    together = build(problem)
    points = searched(together, sphere, 1, at_a_time=8)
    apart = build(problem)
    apart.tell([Observation(i, x, sphere(x)) for i, x in enumerate(points, 1)])
    key = AskKey(1, 8)
    assert np.array_equal(together.ask(1, [], key)[0].point, apart.ask(1, [], key)[0].point)
    assert together.ask(1, [], key)[0].why["generation"] == 2


def test_one_that_was_pickled_or_told_all_again_goes_on_alike() -> None:
    problem = Problem(Domain.continuous(3), seed=5, start_points=3)
    algorithm = build(problem)
    points = searched(algorithm, lambda x: sphere(x) if x[0] < 0.6 else None, 80)
    again = build(problem)
    again.tell([Observation(i, x, sphere(x) if x[0] < 0.6 else None) for i, x in enumerate(points, 1)])
    asked = [
        [s.point for s in one.ask(3, [points[0]], AskKey(80, 80))]
        for one in (algorithm, pickle.loads(pickle.dumps(algorithm)), again)
    ]
    assert np.array_equal(asked[0], asked[1])
    assert np.array_equal(asked[0], asked[2])


def test_it_begins_anew_elsewhere_with_twice_the_population_once_it_has_converged() -> None:
    problem = Problem(Domain.continuous(2), seed=1)
    algorithm = build(problem)
    searched(algorithm, sphere, 500)
    assert algorithm.insight().notes[0].startswith("no model; start 2, ")
    assert "of 12 results each" in algorithm.insight().notes[0]
    staying = build(problem, restarts=False)
    searched(staying, sphere, 500)
    assert staying.insight().notes[0].startswith("no model; start 1, ")


def test_it_begins_anew_where_nothing_is_ever_better() -> None:
    algorithm = build(Problem(Domain.continuous(2), seed=1))
    searched(algorithm, lambda _: 1.0, 140)
    assert "start 2" in algorithm.insight().notes[0]


def test_what_is_known_from_elsewhere_says_where_it_begins() -> None:
    algorithm = build(Problem(Domain.continuous(2), seed=1), spread=0.01)
    known = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])
    algorithm.tell([Observation(-i, x, float(x[1])) for i, x in enumerate(known)])
    drawn = np.array([s.point for s in algorithm.ask(20, [], AskKey(0, 0))])
    assert np.abs(drawn.mean(axis=0) - known[1]).max() < 0.02


def test_a_start_design_comes_first_where_one_is_wanted() -> None:
    algorithm = build(Problem(Domain.continuous(2), seed=1, start_points=4), spread=0.01)
    points = searched(algorithm, sphere, 4)
    (after,) = algorithm.ask(1, [], AskKey(4, 4))
    assert after.why["source"] == "distribution"
    best = max(points, key=sphere)
    assert np.abs(after.point - best).max() < 0.05


def test_numbers_with_few_positions_and_choices_are_found() -> None:
    space = Space.from_description(
        {
            "x": (0.0, 1.0),
            "n": {"type": "int", "bounds": [0, 20]},
            "m": {"type": "int", "bounds": [0, 100_000]},
            "c": {"type": "choice", "values": ["a", "b", "c", "d"]},
        }
    )

    def value(point: FloatArray) -> float:
        p = space.decode(point)
        off = (p["x"] - 0.2) ** 2 + ((p["n"] - 17) / 20) ** 2 + ((p["m"] - 30_000) / 1e5) ** 2
        return -off - 0.3 * (p["c"] != "c")

    points = searched(build(Problem(space.domain, seed=3)), value, 600)
    best = space.decode(max(points, key=value))
    assert best["n"] == 17
    assert best["c"] == "c"
    assert abs(best["x"] - 0.2) < 0.01
    assert abs(best["m"] - 30_000) < 1000


def test_a_coordinate_with_cells_is_left_with_the_chance_that_is_said() -> None:
    cells = Coordinate("ordinal", (0.1, 0.3, 0.5, 0.7, 0.9))
    (deviation, free) = least_deviations([cells, Coordinate()], np.array([0.5, 0.5]), 0.1)
    drawn = 0.5 + deviation * np.random.default_rng(0).standard_normal(100_000)
    assert float((np.abs(drawn - 0.5) > 0.1).mean()) == pytest.approx(0.1, abs=0.005)
    assert free == 0.0


def test_a_value_of_a_choice_that_is_always_better_is_learned_and_the_others_keep_a_chance() -> None:
    choice = ChoiceFrequencies.even(Coordinate("categorical", (0.2, 0.5, 0.8)))
    for _ in range(100):
        choice = choice.updated(np.array([0.5, 0.5]), np.array([0.6, 0.4]), 0.2, 0.05)
    assert choice.chances == pytest.approx([0.025, 0.95, 0.025])
    drawn = choice.draw(20_000, np.random.default_rng(0))
    assert float((drawn == 0.5).mean()) == pytest.approx(0.95, abs=0.01)


def test_what_satisfies_leads_then_who_lacks_least_and_failures_come_last() -> None:
    values = np.array([9.0, np.nan, 1.0, 2.0, 8.0])
    slacks = np.array([[-2.0], [1.0], [0.0], [3.0], [-1.0]])
    assert best_first(standings(values, slacks)).tolist() == [3, 2, 4, 0, 1]


def test_limits_on_outcomes_are_kept_to_at_the_end() -> None:
    optimiser = Optimiser(
        {"x": (0.0, 1.0), "y": (0.0, 1.0)},
        algorithm="cma-es",
        outcomes=["load"],
        constraints=["load <= 1"],
        seed=1,
    )
    for _ in range(300):
        (asked,) = optimiser.ask()
        x, y = asked.parameters["x"], asked.parameters["y"]
        optimiser.tell(asked.trial, 2 * x + y, outcomes={"load": x + y})
    assert optimiser.best().value > 1.9


def test_workers_that_do_not_wait_find_the_best_too() -> None:
    algorithm = build(Problem(Domain.continuous(5), seed=2, parallel=4))
    rng = np.random.default_rng(0)
    running: dict[int, FloatArray] = {}
    best = -math.inf
    for trial in range(1500):
        (suggestion,) = algorithm.ask(1, list(running.values()), AskKey(trial, trial))
        running[trial] = suggestion.point
        if len(running) == 4:
            done = int(rng.choice(list(running)))
            point = running.pop(done)
            algorithm.tell([Observation(done, point, sphere(point))])
            best = max(best, sphere(point))
    assert best > -1e-6
