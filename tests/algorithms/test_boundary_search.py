"""Where a value crosses a threshold: which points are chosen, and what is believed of the whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from sequential_runs import EXACT, Workers

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, AskKey, ForeseesGain, Noise, Observation, Problem
from orchestrator.algorithms.mixture.crossing_survey import CrossingSurvey
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.errors import SpecError
from orchestrator.parameters.space import Space
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.surrogates.posteriors.covariances_with import covariances_with
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.even_points import even_points

Function = Callable[[np.ndarray], np.ndarray]
OPTIONS = {"refit_every": 4, "start_points": 6}


def ring(points: np.ndarray) -> np.ndarray:
    """Above 0 in a circle that takes a fifth of the square."""
    return 0.25 - np.linalg.norm(points - [0.6, 0.45], axis=1)


def problem(dimension: int = 2, noise: Noise = EXACT, threshold: float | None = 0.0) -> Problem:
    return Problem(Domain.continuous(dimension), seed=1, noise=noise, threshold=threshold)


def build(threshold: float | None = 0.0, name: str = "explore", noise: Noise = EXACT) -> Algorithm:
    return registry.build(name, problem(noise=noise, threshold=threshold), {} if name == "sobol" else OPTIONS)


def searched(algorithm: Algorithm, function: Function, trials: int) -> np.ndarray:
    """The (n, D) points that it asked for, all told."""
    points = []
    for trial in range(trials):
        bring_up_to_date(algorithm)
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        points.append(suggestion.point)
        value = float(function(suggestion.point[None, :])[0])
        algorithm.tell([Observation(trial, suggestion.point, value)])
    return np.array(points)


@pytest.fixture(scope="module")
def found() -> tuple[Algorithm, np.ndarray]:
    algorithm = build()
    return algorithm, searched(algorithm, ring, 14)


def test_it_looks_along_the_boundary_and_not_for_the_highest_value(
    found: tuple[Algorithm, np.ndarray],
) -> None:
    asked = found[1][10:]
    assert np.abs(ring(asked)).mean() < 0.06
    assert np.ptp(np.arctan2(*(asked - [0.6, 0.45]).T)) > np.pi


def test_it_says_which_share_lies_above_and_how_surely(found: tuple[Algorithm, np.ndarray]) -> None:
    told = found[0].insight().crossing
    assert told is not None
    assert told.low <= told.above <= told.high
    assert abs(told.above - np.pi * 0.25**2) < 0.02
    assert told.misclassified < 0.05
    assert "% of the domain lies above the threshold, between" in repr(found[0].insight())
    assert found[0].insight().believed_best is None


def test_a_point_is_told_with_its_chance_and_what_it_takes(found: tuple[Algorithm, np.ndarray]) -> None:
    bring_up_to_date(found[0])
    (suggestion,) = found[0].ask(1, [], AskKey(14, 14))
    told = suggestion.why["crossing"]
    assert 0.0 <= told["above"] <= 1.0
    assert 0.0 < told["doubt_less"] <= 1.0


def test_points_asked_for_together_or_while_others_run_lie_apart(found: tuple[Algorithm, np.ndarray]) -> None:
    bring_up_to_date(found[0])
    several = np.array([one.point for one in found[0].ask(3, [], AskKey(20, 20))])
    apart = np.linalg.norm(several[:, None] - several[None, :], axis=2)[np.triu_indices(3, 1)]
    assert apart.min() > 0.02
    (again,) = found[0].ask(1, [several[0]], AskKey(21, 20))
    assert np.linalg.norm(again.point - several[0]) > 0.02


def test_what_is_left_to_gain_is_what_is_classified_wrongly(found: tuple[Algorithm, np.ndarray]) -> None:
    algorithm = found[0]
    assert isinstance(algorithm, ForeseesGain)
    left, told = algorithm.remaining_gain(), algorithm.insight().crossing
    assert left is not None
    assert told is not None
    assert 0.0 <= min(left.draws) <= max(left.draws) <= 1.0
    assert left.expected == pytest.approx(told.misclassified, abs=0.02)
    assert build().remaining_gain() is None  # type: ignore[attr-defined]


def test_where_parameters_are_held_it_looks_there(found: tuple[Algorithm, np.ndarray]) -> None:
    bring_up_to_date(found[0])
    within = problem().domain.holding({0: 0.6})
    (suggestion,) = found[0].ask(1, [], AskKey(30, 30, within))
    assert suggestion.point[0] == 0.6
    assert abs(ring(suggestion.point[None, :])[0]) < 0.15


def test_one_that_is_told_the_same_asks_the_same_to_the_bit(found: tuple[Algorithm, np.ndarray]) -> None:
    told = [Observation(trial, point, float(ring(point[None, :])[0])) for trial, point in enumerate(found[1])]
    whole, by_halves = build(), build()
    whole.tell(told)
    refit = whole.compute_refit(1)
    whole.adopt(refit)
    by_halves.tell(told[:9])
    by_halves.tell(told[9:])
    by_halves.adopt(replace(refit, prepared={}))
    first, second = (one.ask(2, [], AskKey(14, 14)) for one in (whole, by_halves))
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one.point, other.point)
        assert one.why == other.why
    assert whole.insight() == by_halves.insight()


def test_of_a_threshold_that_nothing_reaches_it_learns_the_function_instead() -> None:
    algorithm = build(threshold=1e6)
    points = searched(algorithm, ring, 9)
    told = algorithm.insight().crossing
    assert told is not None
    assert told.above == told.misclassified == 0.0
    assert len(np.unique(points, axis=0)) == 9


def test_failures_leave_the_share_to_where_evaluations_succeed() -> None:
    algorithm = build()
    for trial in range(14):
        bring_up_to_date(algorithm)
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        failed = suggestion.point[0] > 0.7
        value = None if failed else float(ring(suggestion.point[None, :])[0])
        algorithm.tell([Observation(trial, suggestion.point, value)])
    assert algorithm.insight().crossing is not None


def test_whatever_workers_run_it_is_given_new_points() -> None:
    workers = Workers(build(noise=Noise()), 3)
    for _ in range(9):
        workers.ask()
        workers.tell(lambda point: float(ring(point[None, :])[0]))
    assert workers.asked == 11


def test_others_are_refused_and_without_a_threshold_nothing_is_new() -> None:
    with pytest.raises(SpecError, match=r"cross a threshold \(`auto` or `explore`\), got `sobol`"):
        build(name="sobol")
    assert type(build(threshold=None)).__name__ == "Explore"
    assert type(build(name="auto")).__name__ == type(build()).__name__ == "BoundarySearch"


MANY = 1 << 30


def survey(points: np.ndarray, values: np.ndarray, places: np.ndarray, results: int) -> CrossingSurvey:
    """About 0, as if so many results had been told."""
    model = ResultsModel.fitted(problem(threshold=None), Measured(points, values, np.zeros(len(values))))
    shares = np.full(len(places), 1.0 / len(places))
    return CrossingSurvey(model.belief, model.domain.embed(places), shares, 0.0, results)


def test_the_bounds_of_the_share_are_those_of_functions_drawn_whole() -> None:
    rng = np.random.default_rng(0)
    points = rng.random((9, 2))
    places = even_points(Domain.continuous(2), 256, np.random.default_rng(3))
    own = survey(points, ring(points), places, MANY)
    told = own.crossing(np.random.default_rng(1))
    shares = []
    for member, weight in zip(own.belief.members, own.belief.weights, strict=True):
        posterior = member.drawable
        joint = np.array(covariances_with(posterior, own.places).matrix(own.places))
        mean, _ = posterior.mean_and_variance(own.places)
        count = round(4000 * weight)
        joint += (member.unresolved_variance + 1e-9) * np.eye(len(joint))
        drawn = rng.multivariate_normal(mean, joint, size=count, method="eigh")
        shares.append((member.scale.undo(drawn) > 0.0).mean(axis=1))
    every = np.concatenate(shares)
    assert told.above == pytest.approx(every.mean(), abs=0.01)
    assert (told.low, told.high) == pytest.approx(tuple(np.quantile(every, (0.05, 0.95))), abs=0.03)


def test_while_results_are_few_bounds_reach_farther_than_models_say() -> None:
    points = np.random.default_rng(0).random((6, 2))
    places = even_points(Domain.continuous(2), 256, np.random.default_rng(3))
    own = survey(points, bent(points), places, MANY)
    told = own.crossing(np.random.default_rng(1))
    few = replace(own, results=6).crossing(np.random.default_rng(1))
    assert few.high - few.low > 1.1 * (told.high - told.low)
    assert few.low <= told.low <= told.high <= few.high
    assert (few.above, few.misclassified) == (told.above, told.misclassified)


def test_bounds_reach_as_far_as_so_few_places_leave_open() -> None:
    points = np.random.default_rng(0).random((24, 7))
    domain, off = Domain.continuous(7), []

    def plane(places: np.ndarray) -> np.ndarray:
        return np.asarray(places @ np.array([3.0, -1.0, 2.0, 0.5, -2.0, 1.0, 0.2]))

    model = ResultsModel.fitted(problem(7, threshold=None), Measured(points, plane(points), np.zeros(24)))
    truth = float(np.mean(plane(even_points(domain, 2**16, np.random.default_rng(1))) > 2.0))
    for seed in range(8):
        places = domain.embed(even_points(domain, 512, np.random.default_rng(seed)))
        told = CrossingSurvey(model.belief, places, np.full(512, 1.0 / 512.0), 2.0, len(points))
        found = told.crossing(np.random.default_rng(seed))
        assert found.high - found.low < 0.1
        off.append(not found.low <= truth <= found.high)
    assert sum(off) <= 1


@pytest.mark.parametrize(("threshold", "above"), [(3.0, 6 / 16), (6.0, 0.0)])
def test_a_value_that_is_known_to_be_at_the_threshold_is_not_above_it(threshold: float, above: float) -> None:
    lattice = Space.from_description(
        {name: {"type": "int", "bounds": [0, 3]} for name in ("errors", "faults")}, []
    ).domain
    algorithm = registry.build("auto", Problem(lattice, seed=1, noise=EXACT, threshold=threshold), OPTIONS)
    every = even_points(lattice, 512, np.random.default_rng(0))
    points = np.unique(every, axis=0)
    counts = lattice_sum(points)
    algorithm.tell([Observation(i, *told) for i, told in enumerate(zip(points, counts, strict=True))])
    bring_up_to_date(algorithm)
    found = algorithm.insight().crossing
    assert found is not None
    assert found.above == pytest.approx(above, abs=0.02)
    assert found.misclassified < 1e-6


def lattice_sum(points: np.ndarray) -> list[float]:
    """Of two whole numbers from 0 to 3, each told by where it lies in a quarter."""
    return np.floor(4.0 * np.minimum(points, 0.999)).sum(axis=1).tolist()  # type: ignore[no-any-return]


def wrong(points: np.ndarray, function: Function) -> float:
    """Which share of the domain the mixture of `auto` puts on the wrong side, whoever chose the points."""
    places = even_points(Domain.continuous(points.shape[1]), 1024, np.random.default_rng(99))
    model = ResultsModel.fitted(
        problem(points.shape[1], threshold=None), Measured(points, function(points), np.zeros(len(points)))
    )
    above = model.believed(places).above(0.0) > 0.5
    return float(np.mean(above != (function(places) > 0.0)))


def bent(points: np.ndarray) -> np.ndarray:
    """That of Bichon et al. 2008, whose boundary bends."""
    a, b = 11.0 * points[:, 0] - 4.0, 11.0 * points[:, 1] - 3.0
    return np.asarray((a**2 + 4.0) * (b - 1.0) / 20.0 - np.sin(2.5 * a) - 2.0)


@pytest.mark.searches
def test_a_boundary_is_known_better_than_of_points_that_know_of_no_threshold() -> None:
    own = wrong(searched(build(), bent, 24), bent)
    others = [wrong(searched(build(None, name), bent, 24), bent) for name in ("explore", "sobol")]
    assert own < 0.02
    assert own < min(others)
