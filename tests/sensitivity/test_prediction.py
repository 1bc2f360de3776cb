"""What models expect at settings of one's choosing: chances by hand, and how often the truth lies within."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm, qmc

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.arrays import FloatArray
from orchestrator.parameters.space import Space
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.prediction import Predictions, predict
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.sensitivity.tolerated import OutcomeModels
from orchestrator.wanted_outcomes import WantedOutcomes

PLANE = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
HOT = [{"x": 0.1, "y": 0.9}, {"x": 0.5, "y": 0.5}, {"x": 0.95, "y": 0.02}]
NOISY = Problem(Space.from_description(PLANE).domain, noise=Noise("known", 0.2))


def fitted(
    values: Callable[[FloatArray], FloatArray], problem: Problem = NOISY, count: int = 16
) -> ResultsModel:
    """To noisy values at points that lie evenly."""
    rng = np.random.default_rng(7)
    points = qmc.Sobol(problem.domain.dimension, seed=rng).random(count)
    noise = problem.noise.standard_deviation or 0.0
    told = values(points) + noise * rng.standard_normal(count)
    return ResultsModel.fitted(problem, Measured(points, told, np.zeros(count)))


@pytest.fixture(scope="module")
def heat() -> ResultsModel:
    """More to the right."""
    return fitted(lambda points: 2.0 * points[:, 0])


@pytest.fixture(scope="module")
def load() -> ResultsModel:
    """More above."""
    return fitted(lambda points: points[:, 1] - 0.5 * points[:, 0] ** 2)


def predicted(
    settings: list[dict[str, float]],
    constraints: list[str],
    models: dict[str, ResultsModel],
    of_parameters: tuple[str, ...] = (),
) -> Predictions:
    space = Space.from_description(PLANE, of_parameters)
    wanted = WantedOutcomes.of(space, tuple(models), constraints)
    beside = OutcomeModels(space, wanted.constraints, models)
    return predict(next(iter(models.values())), beside, settings, np.random.default_rng(0))


def chance_below(model: ResultsModel, bound: float) -> FloatArray:
    """By hand: of each hypothesis its own, weighed."""
    points = np.array([[one["x"], one["y"]] for one in HOT])
    own = []
    for member in model.belief.members:
        mean, variance = member.posterior.mean_and_variance(points)
        limit = float(member.scale.apply(bound))
        own.append(norm.cdf((limit - mean) / np.sqrt(variance + member.unresolved_variance)))
    return np.asarray(model.belief.weights @ np.array(own))


def test_a_constraint_is_as_likely_to_hold_as_its_hypotheses_say_by_their_weights(heat: ResultsModel) -> None:
    found = predicted(HOT, ["heat <= 1"], {"heat": heat}).satisfied
    assert found == pytest.approx(chance_below(heat, 1.0), abs=2e-3)
    assert found[0] > 0.99
    assert 0.1 < found[1] < 0.9
    assert found[2] < 0.01


def test_all_constraints_hold_as_often_as_each_does_by_itself(heat: ResultsModel, load: ResultsModel) -> None:
    both = predicted(HOT, ["heat <= 1.1", "load <= 0.4 + 0 * x"], {"heat": heat, "load": load})
    by_hand = chance_below(heat, 1.1) * chance_below(load, 0.4)
    assert both.satisfied == pytest.approx(by_hand, abs=5e-3)
    assert list(both.outcomes) == ["heat", "load"]


def test_constraints_see_parameters_as_they_are_set(heat: ResultsModel) -> None:
    found = predicted(HOT, ["heat <= 2 * x + 10 * (y - 0.5)"], {"heat": heat}).satisfied
    assert found[0] > 0.999
    assert found[2] < 0.001


def test_settings_that_break_a_constraint_on_parameters_satisfy_nothing(heat: ResultsModel) -> None:
    found = predicted(HOT, ["heat <= 3"], {"heat": heat}, ("y <= x",))
    assert found.satisfied == pytest.approx([0.0, 1.0, 1.0], abs=1e-3)
    assert np.isfinite(found.value.mean).all()


def test_of_settings_the_same_is_said_whatever_is_asked_beside_them(
    heat: ResultsModel, load: ResultsModel
) -> None:
    models = {"heat": heat, "load": load}
    together = predicted(HOT, ["heat * load <= 0.3"], models)
    for row, one in enumerate(HOT):
        alone = predicted([one], ["heat * load <= 0.3"], models)
        assert alone.satisfied[0] == together.satisfied[row]
        for quantity in ("mean", "deviation", "low", "high"):
            for whose in ("heat", "load"):
                told = getattr(together.outcomes[whose], quantity)[row]
                assert getattr(alone.outcomes[whose], quantity)[0] == told


def beside_reference(model: ResultsModel, constraint: str) -> FloatArray:
    """Where the middle of `HOT` is the reference, of which one result says less than it has."""
    space = Space.from_description(PLANE)
    wanted = WantedOutcomes.of(space, ("heat",), [constraint]).relative_to({"heat": 0.9})
    beside = OutcomeModels(space, wanted.settled, {"heat": model})
    relative = beside.relative_to(space.encode(HOT[1]))
    return predict(model, relative, HOT, np.random.default_rng(0)).satisfied


@pytest.mark.parametrize("stretch", [1.0, 2.5])
def test_a_limit_relative_to_the_reference_is_as_likely_kept_as_both_are_believed_together(
    heat: ResultsModel, stretch: float
) -> None:
    """Held against draws of the two points together."""
    believed = replace(heat, stretch=stretch)
    found = beside_reference(believed, "heat <= 1.6 * reference(heat)")
    normals = np.random.default_rng(3).standard_normal((40_000, 2))
    for row in (0, 2):
        points = np.array([[HOT[row]["x"], HOT[row]["y"]], [0.5, 0.5]])
        drawn = believed.together(points).drawn(normals)
        holds = (drawn.values[:, :, 0] <= 1.6 * drawn.values[:, :, 1]).mean(axis=1)
        assert found[row] == pytest.approx(float(drawn.weights @ holds), abs=0.01)
    assert 0.02 < found[2] < 0.98


def test_the_reference_is_hardly_worse_than_itself_whatever_was_measured_of_it(heat: ResultsModel) -> None:
    assert beside_reference(heat, "heat <= reference(heat)")[1] == 1.0
    assert beside_reference(heat, "heat < reference(heat)")[1] == 0.0
    assert beside_reference(heat, "heat <= 1.05 * reference(heat)")[1] > 0.99


def test_what_no_model_is_of_is_as_it_was_measured_at_the_reference(heat: ResultsModel) -> None:
    space = Space.from_description(PLANE)
    wanted = WantedOutcomes.of(space, ("heat", "load"), ["heat <= reference(load)"]).relative_to(
        {"load": 1.0}
    )
    beside = OutcomeModels(space, wanted.settled, {"heat": heat}).relative_to(space.encode(HOT[1]))
    found = predict(heat, beside, HOT, np.random.default_rng(0)).satisfied
    assert found == pytest.approx(chance_below(heat, 1.0), abs=2e-3)


def wavy(points: FloatArray) -> FloatArray:
    return np.asarray(np.sin(6.0 * points[:, 0]) + np.cos(5.0 * points[:, 1]) * points[:, 0])


def steep(points: FloatArray) -> FloatArray:
    return np.asarray(np.exp(3.0 * points[:, 0] - points[:, 1]))


def creased(points: FloatArray) -> FloatArray:
    return np.asarray(np.abs(points[:, 0] - 0.4) + 0.5 * np.abs(points[:, 1] - points[:, 0]))


@pytest.mark.parametrize("deviation", [0.0, 0.1])
def test_the_truth_of_points_that_were_not_tried_lies_within_about_as_often_as_is_said(
    deviation: float,
) -> None:
    space = Space.from_description(PLANE)
    problem = Problem(space.domain, noise=Noise("known", deviation))
    elsewhere = np.random.default_rng(1).random((150, 2))
    settings = [{"x": float(x), "y": float(y)} for x, y in elsewhere]
    within = []
    for truth in (wavy, steep, creased):
        model = fitted(truth, problem)
        found = predict(model, OutcomeModels(space, (), {}), settings, np.random.default_rng(0))
        values = truth(elsewhere)
        assert (found.value.low < found.value.mean).all()
        assert (found.value.mean < found.value.high).all()
        within.append(((found.value.low <= values) & (values <= found.value.high)).mean())
        assert (found.satisfied == 1.0).all()
    assert 0.75 < np.mean(within) <= 0.999
    assert min(within) > 0.55
