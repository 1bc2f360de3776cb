"""A safe search beside constraints that the best trial alone has to satisfy: these are learned, too."""

from __future__ import annotations

import numpy as np

from orchestrator.acquisition.kept_limit import KeptLimit
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, AskKey, Noise, Observation, Problem, Recommends
from orchestrator.unit_cube.domain import Domain


def search() -> Algorithm:
    """Of two slacks the second is kept in every trial."""
    problem = Problem(
        Domain.continuous(1),
        seed=2,
        noise=Noise("known", 0.0),
        outcome_constraints=2,
        kept=(KeptLimit((1,), 0.99),),
    )
    return registry.build("auto", problem)


def told(algorithm: Algorithm, xs: tuple[float, ...]) -> None:
    """The more the better, as far as 0.5 by the first constraint, and nearly anywhere by the second."""
    for trial, x in enumerate(xs, start=1):
        slacks = np.array([0.5 - x, 2.0 - 0.5 * x])
        algorithm.tell([Observation(trial, np.array([x]), x, slacks=slacks)])


def test_what_promises_more_and_breaks_such_a_constraint_is_left_alone() -> None:
    algorithm = search()
    told(algorithm, (0.2, 0.35, 0.48, 0.6, 0.75))
    (found,) = algorithm.ask(1, [], AskKey(1, 6))
    assert 0.48 < found.point[0] < 0.52
    assert 0.0 < found.why["feasible"] <= 1.0
    assert isinstance(algorithm, Recommends)
    recommended = algorithm.recommend(None)
    assert recommended is not None
    assert 0.48 < recommended.point[0] <= 0.51


def test_before_a_result_satisfies_it_the_search_goes_where_it_is_likelier_on_safe_ground() -> None:
    algorithm = search()
    told(algorithm, (0.7, 0.8))
    first, second = algorithm.ask(2, [], AskKey(1, 3))
    assert first.point[0] < 0.7, "there is more to gain above, but less hope"
    assert second.point[0] != first.point[0]
    assert min(one.why["kept"][0] for one in (first, second)) >= 0.99
    told(algorithm, (0.55,))
    assert algorithm.ask(1, [np.array([0.52])], AskKey(2, 5))[0].point[0] < 0.52
