"""NSGA-II: fronts, crowding and variation as its paper has them, and whole searches."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.evolution.crowding import crowding_distances
from orchestrator.algorithms.evolution.front_ranks import dominating, front_ranks
from orchestrator.algorithms.evolution.survivors import Survivors
from orchestrator.algorithms.evolution.variation import bred, polynomial, simulated_binary
from orchestrator.arrays import FloatArray
from orchestrator.numerics.pareto import non_dominated
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.domain import Domain

VALUES = arrays(
    float, st.tuples(st.integers(1, 12), st.integers(1, 3)), elements=st.integers(0, 4).map(float)
)


def dominates(one: FloatArray, other: FloatArray, lacks: float, other_lacks: float) -> bool:
    if lacks > 0 or other_lacks > 0:
        return lacks < other_lacks
    return bool((one >= other).all() and (one > other).any())


@given(VALUES, st.data())
def test_ranks_are_how_many_fronts_are_taken_off_before(values: FloatArray, data: st.DataObject) -> None:
    lacking = np.array(data.draw(st.lists(st.sampled_from([0.0, 1.0, math.inf]), min_size=len(values))))
    lacking = lacking[: len(values)]
    expected = np.full(len(values), -1)
    left, rank = set(range(len(values))), 0
    while left:
        front = [
            i for i in left if not any(dominates(values[j], values[i], lacking[j], lacking[i]) for j in left)
        ]
        expected[front] = rank
        left -= set(front)
        rank += 1
    assert front_ranks(dominating(values, lacking)).tolist() == expected.tolist()


def test_the_first_front_is_what_the_project_calls_undominated() -> None:
    values = np.random.default_rng(0).random((60, 3))
    ranks = front_ranks(dominating(values, np.zeros(60)))
    assert np.array_equal(ranks == 0, non_dominated(values))


@given(
    arrays(float, st.tuples(st.integers(1, 10), st.integers(1, 3)), elements=st.floats(-5, 5), unique=True)
)
def test_crowding_is_what_a_member_s_neighbours_are_apart(values: FloatArray) -> None:
    n, M = values.shape
    expected = np.zeros(n)
    for m in range(M):
        span = values[:, m].max() - values[:, m].min()
        for i in range(n):
            lower = [v for v in values[:, m] if v < values[i, m]]
            higher = [v for v in values[:, m] if v > values[i, m]]
            if span > 0:
                expected[i] += (min(higher) - max(lower)) / span if lower and higher else math.inf
    assert crowding_distances(values) == pytest.approx(expected)


def test_survivors_are_of_the_better_fronts_and_the_most_crowded_leaves_first() -> None:
    survivors = Survivors(4, 1, 2, 0)
    for a in (0.0, 0.1, 0.4, 1.0):
        survivors.tell(np.array([a]), np.array([a, 1.0 - a]), np.empty(0))
    survivors.tell(np.array([0.9]), np.array([0.2, 0.2]), np.empty(0))
    assert sorted(survivors.points[:, 0]) == [0.0, 0.1, 0.4, 1.0]
    survivors.tell(np.array([0.7]), np.array([0.7, 0.3]), np.empty(0))
    assert sorted(survivors.points[:, 0]) == [0.0, 0.4, 0.7, 1.0]
    assert (survivors.ranks == 0).all()


def test_children_lie_about_their_parents_on_average_and_within_the_cube() -> None:
    rng = np.random.default_rng(0)
    first, second = np.full(50_000, 0.4), np.full(50_000, 0.6)
    children = simulated_binary(first, second, rng)
    assert children.mean() == pytest.approx(0.5, abs=0.002)
    # As often between its parents as beyond them.
    between = float(((children > 0.4) & (children < 0.6)).mean())
    assert between == pytest.approx(0.5, abs=0.01)
    at_the_edge = simulated_binary(np.zeros(1000), np.full(1000, 0.02), rng)
    assert ((at_the_edge >= 0.0) & (at_the_edge <= 1.0)).all()
    assert simulated_binary(first[:5], first[:5], rng).tolist() == first[:5].tolist()


@given(st.floats(0.0, 1.0), st.integers(0, 1000))
def test_mutants_stay_within_the_cube(at: float, seed: int) -> None:
    mutants = polynomial(np.full(20, at), np.random.default_rng(seed))
    assert ((mutants >= 0.0) & (mutants <= 1.0)).all()


def test_a_child_differs_from_equal_parents_in_a_setting_at_least() -> None:
    space = Space.from_description(
        {
            "n": {"type": "int", "bounds": [0, 9]},
            "c": {"type": "choice", "values": ["a", "b", "c"]},
            "o": {"type": "ordered", "values": [1, 2, 4]},
        }
    )
    rng = np.random.default_rng(0)
    parent = space.domain.sample(1, rng)[0]
    for _ in range(200):
        child = space.domain.snap(bred(parent, parent, space.domain, rng))
        assert not np.array_equal(child, parent)


def build(problem: Problem, **options: Any) -> Any:
    return registry.build("nsga-ii", problem, options)


def zdt1(x: FloatArray) -> tuple[float, float]:
    g = 1.0 + 9.0 * float(x[1:].mean())
    return -float(x[0]), -g * (1.0 - math.sqrt(float(x[0]) / g))


def searched(algorithm: Any, trials: int) -> list[FloatArray]:
    points: list[FloatArray] = []
    for trial in range(trials):
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        points.append(suggestion.point)
        value, further = zdt1(suggestion.point)
        algorithm.tell([Observation(trial, suggestion.point, value, further=np.array([further]))])
    return points


def test_the_front_of_zdt1_is_found_in_all_its_width() -> None:
    points = searched(build(Problem(Domain.continuous(6), seed=1, further_objectives=1)), 2000)
    values = np.array([zdt1(x) for x in points])
    front = values[non_dominated(values)]
    # On it the second is sqrt(f1) - 1, in the sense of maximisation.
    short = (np.sqrt(-front[:, 0]) - 1.0) - front[:, 1]
    assert np.median(short) < 0.02
    assert -front[:, 0].min() > 0.95
    assert -front[:, 0].max() < 0.01
    assert len(front) > 50


def test_one_objective_is_sought_as_well() -> None:
    algorithm = build(Problem(Domain.continuous(4), seed=1), population=20)
    best = -math.inf
    for trial in range(800):
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        value = -float(((suggestion.point - 0.37) ** 2).sum())
        best = max(best, value)
        algorithm.tell([Observation(trial, suggestion.point, value)])
    assert best > -1e-3


def test_one_that_was_pickled_or_told_all_again_goes_on_alike() -> None:
    problem = Problem(Domain.continuous(3), seed=5, further_objectives=1)
    algorithm = build(problem, population=10)
    points = searched(algorithm, 40)
    again = build(problem, population=10)
    again.tell([Observation(i, x, zdt1(x)[0], further=np.array([zdt1(x)[1]])) for i, x in enumerate(points)])
    asked = [
        [s.point for s in one.ask(3, [points[0]], AskKey(40, 40))]
        for one in (algorithm, pickle.loads(pickle.dumps(algorithm)), again)
    ]
    assert np.array_equal(asked[0], asked[1])
    assert np.array_equal(asked[0], asked[2])


def test_what_breaks_limits_on_outcomes_has_children_only_while_nothing_else_has() -> None:
    problem = Problem(Domain.continuous(2), seed=1, outcome_constraints=1)
    algorithm = build(problem, population=10)
    for trial in range(300):
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        x, y = suggestion.point
        slacks = np.array([0.5 - x - y])
        algorithm.tell([Observation(trial, suggestion.point, float(2 * x + y), slacks=slacks)])
    drawn = np.array([s.point for s in algorithm.ask(20, [], AskKey(300, 300))])
    assert np.abs(drawn[:, 0] - 0.5).mean() < 0.1
    assert drawn[:, 1].mean() < 0.1
