"""Auto, where a parameter counts by its logarithm and nobody said so: it is found out, and searched so."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from orchestrator.algorithms import auto_on_scales
from orchestrator.algorithms.auto import Auto
from orchestrator.algorithms.auto_on_scales import AutoOnScales
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem, Refit
from orchestrator.algorithms.mixture.likelier_scales import may_have_scales
from orchestrator.algorithms.mixture.refused_scales import RefusedScales
from orchestrator.algorithms.mixture.seen_on_scales import SeenOnScales
from orchestrator.algorithms.registry import build
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.by_logarithm import Scales
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.sums import Sum

TOLD = 12
PROBLEM = Problem(Domain.continuous(2), noise=Noise("known", 0.0), seed=1, start_points=TOLD)
BEST = [10**-2.3, 0.4]


def by_decades(X: FloatArray) -> FloatArray:
    return -((np.log10(X[:, 0] + 1e-5) + 2.3) ** 2) - 2.0 * (X[:, 1] - 0.4) ** 2


def evenly(X: FloatArray) -> FloatArray:
    return -((X[:, 0] - 0.3) ** 2) - 2.0 * (X[:, 1] - 0.4) ** 2


def results(function: Callable[[FloatArray], FloatArray]) -> list[Observation]:
    """Of points of which every other one lies in one of the decades from the lower end."""
    X = np.random.default_rng(0).random((TOLD, 2))
    X[::2, 0] = 10.0 ** (-4.0 * X[::2, 0])
    return [Observation(i, x, float(v)) for i, (x, v) in enumerate(zip(X, function(X), strict=True))]


def told(function: Callable[[FloatArray], FloatArray], refit: Refit | None = None) -> AutoOnScales:
    algorithm = build("auto", PROBLEM)
    assert isinstance(algorithm, AutoOnScales)
    algorithm.tell(results(function))
    algorithm.adopt(algorithm.compute_refit(1) if refit is None else refit)
    return algorithm


@pytest.fixture(scope="module")
def seen() -> tuple[AutoOnScales, Refit]:
    """One that has found the scale out, and the refit by which it has."""
    algorithm = told(by_decades)
    learned = algorithm._learned
    assert learned is not None
    return algorithm, learned.refit


def test_it_says_so_and_looks_where_the_best_point_is_by_then(seen: tuple[AutoOnScales, Refit]) -> None:
    algorithm, _ = seen
    assert algorithm.insight().by_logarithm == {"lower": [0]}
    assert "logarithm of their distance from the lower end: 0" in repr(algorithm.insight())
    (asked,) = algorithm.ask(1, [], AskKey(1, TOLD))
    assert asked.point == pytest.approx(BEST, rel=0.02)
    believed = algorithm.recommend(None)
    assert believed is not None
    assert believed.point == pytest.approx(BEST, rel=0.02)


def test_after_a_crash_it_goes_on_as_it_would_have_to_the_bit(seen: tuple[AutoOnScales, Refit]) -> None:
    algorithm, refit = seen
    again = told(by_decades, replace(refit, payload=json.loads(json.dumps(refit.payload))))
    running = [np.array([0.005, 0.41])]
    for key in (AskKey(1, TOLD), AskKey(2, TOLD, PROBLEM.domain.holding({1: 0.25}))):
        first, second = algorithm.ask(2, running, key), again.ask(2, running, key)
        assert [one.point.tolist() for one in first] == [one.point.tolist() for one in second]
    assert {float(one.point[1]) for one in first} == {0.25}


def test_a_point_that_was_told_is_recommended_as_it_was_to_the_bit(seen: tuple[AutoOnScales, Refit]) -> None:
    algorithm, best = told(by_decades, seen[1]), [0.005, 0.4]
    algorithm.tell([Observation(TOLD, np.array(best), 0.0)])
    believed = algorithm.recommend(None)
    assert believed is not None
    assert believed.point.tolist() == best


def test_nothing_changes_while_results_are_set_aside_of_which_others_would_be_told(
    seen: tuple[AutoOnScales, Refit],
) -> None:
    algorithm = told(by_decades, seen[1])
    assert algorithm._may_change(seen[1])
    algorithm._history.set_aside([3])
    assert not algorithm._may_change(seen[1])


def test_a_refit_that_is_older_changes_nothing(seen: tuple[AutoOnScales, Refit]) -> None:
    algorithm, refit = seen
    without = {name: told for name, told in refit.payload.items() if name != "coordinates"}
    algorithm.adopt(replace(refit, payload=without))
    assert algorithm.insight().by_logarithm == {"lower": [0]}


def test_where_nothing_counts_so_all_is_as_without_to_the_bit() -> None:
    plain = Auto(PROBLEM, Auto.Options())
    plain.tell(results(evenly))
    refit = plain.compute_refit(1)
    plain.adopt(refit)
    algorithm = build("auto", PROBLEM)
    algorithm.tell(results(evenly))
    found = algorithm.compute_refit(1)
    assert json.dumps(found.payload) == json.dumps(refit.payload)
    algorithm.adopt(found)
    key = AskKey(1, TOLD)
    assert [one.point.tolist() for one in algorithm.ask(2, [], key)] == [
        one.point.tolist() for one in plain.ask(2, [], key)
    ]
    assert algorithm.insight() == plain.insight()


def test_beside_constraints_and_further_objectives_the_scales_are_those_of_all_of_them() -> None:
    both = replace(PROBLEM, outcome_constraints=1, further_objectives=1)
    algorithm = build("auto", both)
    assert isinstance(algorithm, AutoOnScales)
    for one in results(by_decades):
        beside = np.array([by_decades(one.point[None, ::-1])[0]])
        algorithm.tell([replace(one, slacks=beside + 4.0, further=beside)])
    found = algorithm.compute_refit(1)
    assert {coordinate for coordinate, *_ in found.payload["coordinates"]} == {0}


def test_what_only_the_worst_results_are_likelier_by_is_an_edge_and_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worst = np.argsort(by_decades(np.array([one.point for one in results(by_decades)])))[: TOLD // 4]
    gained = np.zeros(TOLD)
    gained[worst] = 20.0
    densities = property(lambda seen: gained if seen.scales else np.zeros(TOLD))
    monkeypatch.setattr(SeenOnScales, "_log_densities", densities)
    algorithm = told(by_decades)
    assert not algorithm.insight().by_logarithm
    learned = algorithm._learned
    assert learned is not None
    ((scales, refused_by),) = learned.refit.payload["refused"]
    assert (scales[0][0], refused_by) == (0, TOLD)
    # It is not weighed again until there are half as many results again.
    monkeypatch.undo()
    asked: list[Scales] = []
    monkeypatch.setattr(AutoOnScales, "_refit_on", lambda _, scales, __: asked.append(scales))
    again = algorithm._on_likelier_scales(learned.refit, RefusedScales.from_json([[scales, TOLD]]))
    assert not asked
    assert again.payload["refused"] == [[scales, TOLD]]


def test_it_is_not_looked_for_once_most_results_lie_about_the_best(
    seen: tuple[AutoOnScales, Refit], monkeypatch: pytest.MonkeyPatch
) -> None:
    algorithm = told(by_decades, seen[1])
    monkeypatch.setattr(auto_on_scales, "MOST_LOOKED_AT", TOLD - 1)
    assert not algorithm._may_change(seen[1])


def test_it_is_not_looked_for_among_choices_nor_where_more_than_the_objective_is_modelled() -> None:
    assert may_have_scales(PROBLEM)
    choices = Domain((Coordinate("categorical", (0.0, 0.5, 1.0)),) * 2)
    for other in (
        replace(PROBLEM, domain=choices),
        replace(PROBLEM, domain=Domain.continuous(41)),
        replace(PROBLEM, sums=(Sum(0.0, (0.5, 0.5)),)),
        replace(PROBLEM, blocks=True),
        replace(PROBLEM, clock=0),
    ):
        assert not may_have_scales(other)
