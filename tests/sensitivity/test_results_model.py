"""A model of results that any algorithm may have asked for: what it expects, and how far to trust it."""

from __future__ import annotations

import functools
import math
from dataclasses import replace

import numpy as np
import pytest
from second_counts_above import SecondCountsAbove

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.algorithms.mixture.belief import MixtureBelief
from orchestrator.arrays import FloatArray
from orchestrator.parameters.linear_sums import linear_sums
from orchestrator.parameters.space import Space
from orchestrator.sensitivity.analysis import analyse
from orchestrator.sensitivity.measured import MOST_RESULTS, Measured
from orchestrator.sensitivity.profiles import POSITIONS, profile
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

EXACT = Problem(Domain.continuous(3), seed=5, noise=Noise("known", 0.0))


def bowl(points: FloatArray) -> FloatArray:
    """Of two of three parameters."""
    return np.asarray(10.0 + 40.0 * (points[:, 0] - 0.3) ** 2 + 3.0 * np.sin(4.0 * points[:, 1]))


def measured(count: int, *, noise: float = 0.0, sign: float = -1.0, dimension: int = 3) -> Measured:
    rng = np.random.default_rng(2)
    points = rng.random((count, dimension))
    return Measured(points, bowl(points) + noise * rng.standard_normal(count), np.full(count, noise**2), sign)


@functools.cache
def of_forty() -> ResultsModel:
    return ResultsModel.fitted(EXACT, measured(40))


@functools.cache
def of_noisy_values() -> ResultsModel:
    problem = Problem(Domain.continuous(3), noise=Noise("known", 1.0))
    return ResultsModel.fitted(problem, measured(30, noise=1.0))


def test_it_expects_what_was_measured_in_its_own_units_and_sense() -> None:
    told = measured(40)
    model = of_forty()
    elsewhere = np.random.default_rng(9).random((50, 3))
    assert model.expected(told.points) == pytest.approx(told.values, abs=1e-3)
    assert model.expected(elsewhere) == pytest.approx(bowl(elsewhere), abs=0.1)
    mean, deviation = model.predicted(elsewhere)
    assert mean == pytest.approx(model.expected(elsewhere), rel=1e-9)
    assert (deviation >= 0.0).all()
    assert np.abs(mean - bowl(elsewhere)).max() < 5.0 * deviation.max() + 1e-6


def test_what_is_drawn_is_of_one_hypothesis_or_another_each_as_often_as_it_is_likely() -> None:
    told = measured(12, sign=1.0)
    far = Measured(told.points, told.values + 1000.0, told.variances)
    low, high = (ResultsModel.fitted(EXACT, one).belief.leader for one in (told, far))
    both = ResultsModel(EXACT.domain, MixtureBelief((low, high), np.log([0.3, 0.7])), 1.0, 2, 2)
    drawn = both.drawn(np.repeat(told.points[:1], 200, axis=0), (np.arange(200) + 0.5) / 200)
    assert (drawn < 500.0).sum() == 60
    assert np.where(drawn < 500.0, drawn, drawn - 1000.0) == pytest.approx(told.values[0], abs=0.1)


def test_what_is_drawn_lies_as_widely_as_is_believed() -> None:
    model = of_noisy_values()
    point = np.array([[0.9, 0.1, 0.5]])
    drawn = model.drawn(np.repeat(point, 4000, axis=0), (np.arange(4000) + 0.5) / 4000)
    mean, deviation = model.predicted(point)
    assert drawn.mean() == pytest.approx(mean[0], rel=0.01)
    assert drawn.std() == pytest.approx(deviation[0], rel=0.02)


def test_what_is_drawn_of_a_model_that_is_surer_than_it_should_be_lies_as_widely_as_it_should() -> None:
    model = of_noisy_values()
    wide = replace(model, stretch=3.0)
    points = np.random.default_rng(3).random((4, 3))
    luck = (np.arange(4000) + 0.5) / 4000
    for point in points:
        drawn = wide.drawn(np.repeat(point[None, :], 4000, axis=0), luck)
        told = wide.believed(point[None, :])
        assert drawn.mean() == pytest.approx(model.expected(point[None, :])[0], abs=0.01 * drawn.std())
        assert drawn.std() == pytest.approx(told.moments()[1][0], rel=0.02)
        low, high = told.quantile(0.05)[0], told.quantile(0.95)[0]
        assert np.mean((low < drawn) & (drawn < high)) == pytest.approx(0.9, abs=0.01)


def test_of_exact_values_what_they_do_not_resolve_is_drawn_with_the_rest() -> None:
    points = np.random.default_rng(4).random((40, 2))
    values = -10.0 * np.square(points - 0.5).sum(axis=1) + 0.2 * np.sin(1e4 * points).sum(axis=1)
    problem = Problem(Domain.continuous(2), noise=Noise("known", 0.0))
    model = ResultsModel.fitted(problem, Measured(points, values, np.zeros(40)))
    near = points[:1] + 0.01
    drawn = model.drawn(np.repeat(near, 4000, axis=0), (np.arange(4000) + 0.5) / 4000)
    assert drawn.std() == pytest.approx(0.2, rel=0.4)
    assert model.predicted(near)[1][0] == pytest.approx(drawn.std(), rel=0.02)


def test_a_result_left_out_is_predicted_as_by_a_model_that_never_saw_it() -> None:
    told = measured(30, noise=0.5)
    problem = Problem(Domain.continuous(3), noise=Noise("reported"))
    model = ResultsModel.fitted(problem, told)
    left_out, leader = model.left_out(), model.belief.leader
    assert isinstance(leader.posterior, ExactGP)
    full = leader.posterior
    for row in (0, 7, 29):
        others = np.arange(30) != row
        without = ExactGP(full.covariance, full.noise_variance)
        extra = full.noise_variances - full.noise_variance
        without.append(full.inputs[others], full.values[others], extra[others])
        mean, variance = without.mean_and_variance(full.inputs[[row]])
        assert left_out.predicted[row] == pytest.approx(-leader.scale.undo(mean)[0], rel=1e-6)
        within = abs(full.values[row] - mean[0]) <= 2.0 * np.sqrt(variance[0] + full.noise_variances[row])
        assert left_out.expected[row] == within
    assert left_out.values == pytest.approx(told.values, rel=1e-9)


def test_what_follows_no_rule_is_not_explained() -> None:
    rng = np.random.default_rng(1)
    told = Measured(rng.random((30, 3)), rng.standard_normal(30), np.zeros(30))
    assert ResultsModel.fitted(Problem(Domain.continuous(3)), told).left_out().explained < 0.5
    assert of_forty().left_out().explained > 0.95


def test_what_is_explained_does_not_depend_on_units_and_of_what_is_all_alike_is_not_known() -> None:
    told = measured(20)
    for scale in (1e-300, 1e140):
        scaled = Measured(told.points, scale * told.values, told.variances)
        assert ResultsModel.fitted(EXACT, scaled).left_out().explained > 0.9
    alike = Measured(told.points, np.full(20, 3.0), told.variances)
    assert math.isnan(ResultsModel.fitted(EXACT, alike).left_out().explained)


def test_values_that_stand_for_failures_are_left_out() -> None:
    told = measured(30)
    values = told.values.copy()
    values[3] = 1e9
    model = ResultsModel.fitted(EXACT, Measured(told.points, values, told.variances, -1.0))
    assert len(model.left_out().values) == 29
    assert model.expected(told.points[[3]]) == pytest.approx(told.values[[3]], abs=1.0)


def test_of_very_many_results_some_are_drawn() -> None:
    few = measured(MOST_RESULTS + 40).at_most(MOST_RESULTS, np.random.default_rng(0))
    assert len(few) == MOST_RESULTS == len(np.unique(few.points, axis=0))
    assert few.values == pytest.approx(bowl(few.points))
    assert few.sign == -1.0


def test_an_analysis_finds_the_parameter_that_does_nothing_and_is_the_same_again() -> None:
    told = measured(40)
    first, second = (
        analyse(EXACT, ("large", "small", "none"), told, told.points[told.values.argmin()], by)
        for by in (ResultsModel.fitted, lambda *_: of_forty())
    )
    shares = {name: influence.in_all for name, influence in first.influences.items()}
    assert shares["large"] > 0.5 > shares["small"] > 0.02 > shares["none"]
    assert shares == {name: influence.in_all for name, influence in second.influences.items()}
    assert first.hypotheses == second.hypotheses
    assert sum(first.hypotheses.values()) == pytest.approx(1.0)
    assert first.results == 40


def test_of_a_model_that_is_told_to_be_less_sure_only_profiles_are() -> None:
    unsure, centre = replace(of_forty(), stretch=3.0), np.full(3, 0.5)
    plain, wide = (
        analyse(EXACT, "xyz", measured(40), centre, lambda *_, model=model: model)
        for model in (of_forty(), unsure)
    )
    for name, influence in wide.influences.items():
        as_it_says = plain.influences[name]
        assert (influence.alone, influence.in_all) == (as_it_says.alone, as_it_says.in_all)
        assert influence.profile is not None
        assert as_it_says.profile is not None
        assert influence.profile.mean == pytest.approx(as_it_says.profile.mean)
        assert influence.profile.deviation == pytest.approx(3.0 * as_it_says.profile.deviation)


def test_a_profile_runs_over_the_whole_range_and_through_the_point() -> None:
    told = measured(40)
    model = of_forty()
    centre = told.points[0]
    along = profile(model, centre, 0)
    assert along is not None
    assert along.positions[[0, -1]].tolist() == [0.0, 1.0]
    assert len(along.positions) == POSITIONS + 1
    points = np.tile(centre, (len(along.positions), 1))
    points[:, 0] = along.positions
    assert along.mean == pytest.approx(bowl(points), abs=0.2)
    assert along.range == (along.mean.min(), along.mean.max())


def test_a_profile_of_what_comes_round_has_its_seam_once() -> None:
    domain = Domain((Coordinate(periodic=True), Coordinate()))
    points = domain.sample(20, np.random.default_rng(3))
    values = np.cos(2.0 * np.pi * points[:, 0]) + points[:, 1]
    problem = Problem(domain, noise=Noise("known", 0.0))
    model = ResultsModel.fitted(problem, Measured(points, values, np.zeros(20)))
    along = profile(model, points[0], 0)
    assert along is not None
    assert along.positions[0] == 0.0
    assert 0.9 < along.positions[-1] < 1.0
    assert along.mean - points[0, 1] == pytest.approx(np.cos(2.0 * np.pi * along.positions), abs=0.1)


def test_a_profile_of_choices_has_each_of_them_once() -> None:
    positions = (0.0, 0.5, 1.0)
    domain = Domain((Coordinate("categorical", positions), Coordinate()))
    rng = np.random.default_rng(3)
    points = domain.sample(20, rng)
    values = np.where(points[:, 0] == 0.5, 5.0, 1.0) + points[:, 1]
    problem = Problem(domain, noise=Noise("known", 0.0))
    model = ResultsModel.fitted(problem, Measured(points, values, np.zeros(20)))
    along = profile(model, points[0], 0)
    assert along is not None
    assert along.positions.tolist() == list(positions)
    assert along.mean[1] - along.mean[0] == pytest.approx(4.0, abs=0.2)


def test_where_a_parameter_does_not_count_it_has_no_profile() -> None:
    domain = Domain(Domain.continuous(2).coordinates, activity=SecondCountsAbove())
    points = domain.sample(12, np.random.default_rng(3))
    problem = Problem(domain, noise=Noise("known", 0.0))
    model = ResultsModel.fitted(problem, Measured(points, points.sum(axis=1), np.zeros(12)))
    assert profile(model, np.array([0.2, 0.25]), 1) is None
    assert profile(model, np.array([0.7, 0.6]), 1) is not None


def test_a_component_that_the_others_leave_is_learned_as_any_other() -> None:
    space = Space.from_description(dict.fromkeys("abcd", (0.0, 1.0)), ["a + b + c + d == 1"])
    problem = Problem(
        space.domain, noise=Noise("known", 0.0), sums=tuple(linear_sums(space.following).values())
    )
    points = space.domain.sample(40, np.random.default_rng(0))
    values = 0.3 * points[:, 0] + np.sin(9.0 * (1.0 - points.sum(axis=1)))
    told, others = np.arange(25), np.arange(25, 40)
    model = ResultsModel.fitted(problem, Measured(points, values, np.zeros(40)).at(told))
    assert model.expected(points[others]) == pytest.approx(values[others], abs=0.02)
