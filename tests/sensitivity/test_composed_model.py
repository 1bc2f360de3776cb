"""Questions about a value that is computed: they are answered by models of the outcomes it comes of."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.computed_objective import Misfit, misfit_to, of_formula
from orchestrator.fit_targets import CurveTarget, Target
from orchestrator.parameters.space import Space
from orchestrator.sensitivity.analysis import Sensitivity, analyse
from orchestrator.sensitivity.believed_together import Drawn
from orchestrator.sensitivity.composed import ComposedModel, Composing
from orchestrator.sensitivity.differences import difference
from orchestrator.sensitivity.measured import Measured
from orchestrator.unit_cube.domain import Domain

TIMES = np.linspace(0.0, 1.0, 30)
FIT = Misfit(
    {
        "rate": Target(0.4, 0.02),
        "decay": CurveTarget(tuple(0.7 * np.exp(-0.4 * TIMES)), (0.02,) * len(TIMES)),
    },
    -1.0,
    3,
)


def outcomes(points: np.ndarray) -> np.ndarray:
    """Of a rate and a height; the third parameter does nothing."""
    rate, height = points[:, :1], points[:, 1:2]
    return np.hstack([rate, height * np.exp(-rate * TIMES)])


def misfit(points: np.ndarray) -> np.ndarray:
    return -np.asarray(FIT.values(outcomes(points)[None], points)[0])


@pytest.fixture(scope="module")
def model() -> ComposedModel:
    points = np.random.default_rng(0).random((16, 3))
    problem = Problem(Domain.continuous(3), noise=Noise("known", 0.0), composite=FIT)
    return ComposedModel.fitted(Composing(problem, FIT, points, outcomes(points), -1.0))


@pytest.fixture(scope="module")
def analysed(model: ComposedModel) -> Sensitivity:
    points = model.composing.points
    measured = Measured(points, misfit(points), np.zeros(len(points)), -1.0)
    centre = np.array([0.4, 0.7, 0.5])
    return analyse(model.composing.problem, ("rate", "height", "idle"), measured, centre, lambda *_: model)


def test_a_curve_is_expected_point_by_point_between_bounds(model: ComposedModel) -> None:
    place = np.array([[0.3, 0.6, 0.5]])
    told = model.at(place)
    (curve,) = told.curves[0]
    truth = outcomes(place)[0, 1:]
    assert curve.mean == pytest.approx(truth, abs=0.02)
    assert (curve.low <= curve.mean).all()
    assert (curve.mean <= curve.high).all()
    assert np.mean((curve.low <= truth) & (truth <= curve.high)) > 0.7
    assert told.numbers[0].mean[0] == pytest.approx(0.3, abs=0.01)
    assert told.value.mean[0] == pytest.approx(misfit(place)[0], rel=0.1)


def test_where_errors_hang_together_outcomes_are_expected_as_evaluations_return_them(
    model: ComposedModel,
) -> None:
    shared = 4e-4 * (np.eye(31) + 3.0)
    targets = {
        "rate": Target(0.4, told=False),
        "decay": CurveTarget(tuple(0.7 * np.exp(-0.4 * TIMES)), (1.0,) * len(TIMES), told=False),
    }
    fit = misfit_to(targets, tuple(map(tuple, shared.tolist())), -1.0, 3)
    problem = Problem(Domain.continuous(3), noise=Noise("known", 0.0), composite=fit)
    found = ComposedModel.fitted(Composing(problem, fit, model.composing.points, model.composing.told, -1.0))
    place = np.array([[0.3, 0.6, 0.5]])
    told, (truth,) = found.at(place), outcomes(place)
    (curve,) = told.curves[0]
    assert told.numbers[0].mean[0] == pytest.approx(0.3, abs=0.01)
    assert curve.mean == pytest.approx(truth[1:], abs=0.02)
    assert np.mean((curve.low <= truth[1:]) & (truth[1:] <= curve.high)) > 0.7
    apart = truth - [0.4, *(0.7 * np.exp(-0.4 * TIMES))]
    expected = apart @ np.linalg.solve(shared, apart)
    assert told.value.mean[0] == pytest.approx(expected, rel=0.1)
    assert found.left_out().explained > 0.9


def test_near_the_best_a_misfit_is_foreseen_with_what_components_leave_out_of_a_curve() -> None:
    rng, times, error = np.random.default_rng(0), np.linspace(0.1, 5.0, 50), 0.03

    def peaks(points: np.ndarray) -> np.ndarray:
        where, width, height = (column[:, None] for column in points.T)
        return (1.0 + 2.0 * height) * np.exp(-0.5 * ((times - 1.0 - 3.0 * where) / (0.15 + 0.4 * width)) ** 2)

    best = np.array([0.55, 0.4, 0.35])
    target = peaks(best[None])[0] + error * rng.standard_normal(50)
    fit = Misfit({"peak": CurveTarget(tuple(target.tolist()), (error,) * 50)}, -1.0, 3)
    near = best + rng.standard_normal((18, 3)) * 10.0 ** rng.uniform(-3.0, -0.7, (18, 1))
    points = np.vstack([rng.random((22, 3)), np.clip(near, 0.0, 1.0)])
    problem = Problem(Domain.continuous(3), noise=Noise("known", 0.0), composite=fit)
    found = ComposedModel.fitted(Composing(problem, fit, points, peaks(points), -1.0))
    places = best + 0.003 * rng.standard_normal((12, 3))
    truth = np.square((peaks(places) - target) / error).sum(axis=1)
    told = found.at(places).value
    assert np.median(told.mean / truth) == pytest.approx(1.0, abs=2e-3)
    assert np.mean((told.low <= truth) & (truth <= told.high)) > 0.7


def test_of_each_point_the_same_is_said_whatever_is_asked_beside_it(model: ComposedModel) -> None:
    places = np.random.default_rng(1).random((3, 3))
    together, alone = model.at(places), model.at(places[[1]])
    assert together.value.mean[1] == alone.value.mean[0]
    np.testing.assert_array_equal(together.curves[0][1].high, alone.curves[0][0].high)


def test_which_parameters_matter_is_known_by_few_results(analysed: Sensitivity) -> None:
    shares = {name: one.in_all for name, one in analysed.influences.items()}
    assert shares["idle"] < 0.02 < min(shares["rate"], shares["height"])
    along = analysed.influences["rate"].profile
    assert along is not None
    assert abs(along.positions[np.argmin(along.mean)] - 0.4) < 0.06
    assert analysed.hypotheses == {}


def test_results_left_out_are_foreseen(analysed: Sensitivity) -> None:
    assert analysed.left_out.explained > 0.9
    assert analysed.left_out.values == pytest.approx(misfit(np.random.default_rng(0).random((16, 3))))


def test_of_two_points_that_lie_near_each_other_the_difference_is_known_better(model: ComposedModel) -> None:
    here, there = np.array([0.85, 0.2, 0.5]), np.array([0.85, 0.22, 0.5])
    found, apart = difference(model, here, there), model.at(np.array([here, there])).value
    assert found.low <= misfit(here[None])[0] - misfit(there[None])[0] <= found.high
    assert found.deviation < 0.7 * apart.deviation.max()
    assert found.here == apart.mean[0]
    assert difference(model, here, here).deviation == 0.0


def test_where_a_formula_may_have_no_value_a_difference_is_as_unsure_as_those_it_may_have() -> None:
    space = Space.from_description({"x": (0.0, 1.0)}, [])
    logarithm = of_formula("log(lift)", ["lift"], space, 1.0)
    points = np.array([[0.1], [0.45], [0.6], [0.8], [0.95]])
    problem = Problem(space.domain, composite=logarithm)
    lift = np.sin(3.0 * points)
    found = ComposedModel.fitted(Composing(problem, logarithm, points, lift, 1.0))
    apart = difference(found, np.array([0.02]), np.array([0.5]))
    assert apart.deviation > 0.1
    assert apart.low < apart.mean < apart.high


def test_of_outcomes_that_are_all_alike_no_parameter_is_said_to_matter() -> None:
    space = Space.from_description({"x": (0.0, 1.0), "y": (0.0, 1.0)}, [])
    square = of_formula("(lift - 1) ** 2", ["lift"], space, 1.0)
    points = np.random.default_rng(0).random((6, 2))
    problem = Problem(space.domain, composite=square)
    found = ComposedModel.fitted(Composing(problem, square, points, np.full((6, 1), 2.0), 1.0))
    measured = Measured(points, np.ones(6), np.zeros(6))
    told = analyse(problem, ("x", "y"), measured, points[0], lambda *_: found)
    assert [one.in_all for one in told.influences.values()] == [0.0, 0.0]


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_a_difference_is_as_unsure_in_whatever_units_values_are(unit: float) -> None:
    drawn = np.array([[-1.0, 0.0, 2.0, 5.0]])
    usual = Drawn(np.ones(1), drawn).deviation()
    assert Drawn(np.ones(1), unit * drawn).deviation() == pytest.approx(unit * usual)


def test_outcomes_that_vary_together_share_a_model_and_others_do_not() -> None:
    points = np.random.default_rng(1).random((10, 2))
    a, b = points.T

    def named(told: np.ndarray) -> tuple[str, ...]:
        fit = Misfit({f"y{j}": Target(0.5, 0.1) for j in range(told.shape[1])}, -1.0, 2)
        problem = Problem(Domain.continuous(2), noise=Noise("known", 0.0), composite=fit)
        return ComposedModel.fitted(Composing(problem, fit, points, told, -1.0)).modelled_outcomes.names

    decays = np.stack([(0.5 + b) * np.exp(-a * time) for time in (0.5, 1.0, 2.0)], axis=1)
    assert named(decays) == ("outcomes 1 to 3",)
    assert named(np.stack([np.sin(9.0 * a), b**2], axis=1)) == ("outcome 1", "outcome 2")
