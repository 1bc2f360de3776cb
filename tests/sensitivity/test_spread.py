"""How values are spread where parameters are uncertain, against what is known exactly."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import chi2, norm, qmc

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.arrays import FloatArray
from orchestrator.expressions.constraints import Constraint
from orchestrator.parameters.space import Space
from orchestrator.parameters.uncertain import Uncertain
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.sensitivity.spread import DrawnSettings, Spread, drawn_settings, spread
from orchestrator.sensitivity.spread_models import SpreadModels, seen_broken

SPACE = Space.from_description(
    {
        "a": {"type": "float", "bounds": [0.0, 10.0], "prior": {"mean": 5.0, "deviation": 0.5}},
        "b": {"type": "float", "bounds": [-5.0, 5.0], "prior": {"mean": 1.0, "deviation": 0.8}},
        "c": {"type": "fixed", "value": 0.5},
    }
)
PROBLEM = Problem(SPACE.domain, noise=Noise("known", 0.0))
ABOUT = Uncertain.of(SPACE, {}).about({"a": 0.0, "b": 0.0})


def model_of(function: Callable[..., FloatArray], count: int = 12) -> ResultsModel:
    points = qmc.Sobol(2, seed=1).random(16)[:count]
    a, b = points.T
    return ResultsModel.fitted(PROBLEM, Measured(points, function(10.0 * a, 10.0 * b - 5.0), np.zeros(count)))


@pytest.fixture(scope="module")
def straight() -> SpreadModels:
    """3 a + 2 b + 0.5: about 17.5, with deviations of 1.5 and of 1.6."""
    return SpreadModels(PROBLEM, {"y": model_of(lambda a, b: 3.0 * a + 2.0 * b + 0.5)})


def over(models: SpreadModels, *limits: str) -> Spread:
    return models.spread(SPACE, models.about(ABOUT), [Constraint.of(text) for text in limits])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("unit", [2.0**-900, 2.0**900])
def test_the_unit_of_values_does_not_matter_even_where_their_squares_are_no_doubles(unit: float) -> None:
    settings = DrawnSettings(np.zeros((64, 2)), 64.0)
    drawn = np.random.default_rng(0).normal(3.0, 1.0, (16, 64))
    plain, other = (spread(SPACE, settings, {"y": u * drawn}).quantities["y"] for u in (1.0, unit))
    assert other.by_models == plain.by_models
    for name, figure in plain.figures.items():
        assert other.figures[name].expected == unit * figure.expected
        assert other.figures[name].deviation == unit * figure.deviation


def test_of_a_linear_function_all_is_known(straight: SpreadModels) -> None:
    deviation = np.hypot(1.5, 1.6)
    found = over(straight, "y <= 20", "y <= 22 + c")
    figures = found.quantities["y"].figures
    assert figures["mean"].expected == pytest.approx(17.5, abs=0.01)
    assert figures["deviation"].expected == pytest.approx(deviation, rel=0.005)
    for name, share in (("5 %", 0.05), ("median", 0.5), ("99 %", 0.99)):
        assert figures[name].expected == pytest.approx(17.5 + deviation * norm.ppf(share), abs=0.1)
    chances = [1.0 - norm.cdf(bound, 17.5, deviation) for bound in (20.0, 22.5)]
    assert [one.expected for one in found.broken.values()] == pytest.approx(chances, abs=0.003)
    assert found.any is not None
    assert found.any.expected == found.broken["y <= 20"].expected
    assert found.quantities["y"].by_models < 1e-6


def test_it_is_said_which_parameters_it_is_spread_by(straight: SpreadModels) -> None:
    shares = straight.shares(ABOUT)["y"]
    assert ABOUT.names == ["a", "b"]
    assert shares.alone == pytest.approx([2.25 / 4.81, 2.56 / 4.81], abs=0.01)


def test_a_square_is_spread_as_chi_squared_is() -> None:
    found = over(SpreadModels(PROBLEM, {"y": model_of(lambda a, _: (a - 5.0) ** 2)}), "y < 1")
    figures = found.quantities["y"].figures
    assert figures["mean"].expected == pytest.approx(0.25, rel=0.02)
    assert figures["deviation"].expected == pytest.approx(0.25 * np.sqrt(2.0), rel=0.02)
    assert figures["95 %"].expected == pytest.approx(0.25 * chi2.ppf(0.95, 1), rel=0.02)
    assert found.broken["y < 1"].expected == pytest.approx(chi2.sf(4.0, 1), rel=0.05)


def test_a_product_is_spread_by_both_together() -> None:
    models = SpreadModels(PROBLEM, {"y": model_of(lambda a, b: a * b)})
    figures = over(models).quantities["y"].figures
    assert figures["mean"].expected == pytest.approx(5.0, rel=0.01)
    assert figures["deviation"].expected == pytest.approx(np.sqrt(16.0 + 0.25 + 0.16), rel=0.01)


def test_what_was_the_same_in_all_results_breaks_no_limit_that_it_meets() -> None:
    found = over(SpreadModels(PROBLEM, {"y": model_of(lambda a, _: np.full(len(a), 0.3), 6)}), "y <= 0.3")
    assert found.broken["y <= 0.3"].expected == 0.0
    assert found.quantities["y"].figures["deviation"].expected == pytest.approx(0.0, abs=1e-15)


def test_what_models_do_not_know_is_told_beside_it_and_has_the_truth_within() -> None:
    models = SpreadModels(PROBLEM, {"y": model_of(lambda a, b: 3.0 * np.sin(a / 2.0) + 2.0 * b, 9)})
    found = over(models, "y <= 2").quantities["y"]
    mean = 3.0 * np.sin(2.5) * np.exp(-0.03125) + 2.0
    assert found.figures["mean"].deviation > 0.01
    assert abs(found.figures["mean"].expected - mean) < 3.0 * found.figures["mean"].deviation
    assert found.by_models > 1e-4


def test_luck_is_told_and_grows_where_settings_hang_together() -> None:
    points = drawn_settings(ABOUT, 1024, np.random.default_rng(0)).points
    values = np.random.default_rng(1).standard_normal((1, 1024))
    alone, tied = (
        spread(SPACE, DrawnSettings(points, count), {"y": values}, [Constraint.of("y < 1")])
        for count in (1024.0, 256.0)
    )
    mean = alone.quantities["y"].figures["mean"]
    assert mean.luck == pytest.approx(1.0 / 32.0, rel=0.6)
    assert tied.quantities["y"].figures["mean"].luck == pytest.approx(2.0 * mean.luck)
    assert tied.broken["y < 1"].luck == pytest.approx(2.0 * alone.broken["y < 1"].luck)


def test_results_that_break_a_limit_are_counted_where_they_have_all_that_it_is_about() -> None:
    results = [{"y": 1.0, "c": 0.5}, {"y": 3.0, "c": 0.5}, {"y": 9.0}]
    assert seen_broken(Constraint.of("y <= 2 + c"), results) == (1, 2)
    assert seen_broken(Constraint.of("z <= 2"), results) == (0, 0)
