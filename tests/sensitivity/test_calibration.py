"""How well a fit determines its parameters, held against posteriors in closed form and on grids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from linear_fits import (
    ERRORS,
    NONE,
    RATES,
    SPACE,
    TRUTH,
    covariance,
    few_steps,
    fitted_to_truth,
    linear,
    model_of,
)
from process_oracles import outcomes_believed

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.arrays import FloatArray
from orchestrator.computed_objective import Misfit, misfit_to, of_formula
from orchestrator.errors import UsageError
from orchestrator.fit_targets import Target
from orchestrator.parameters.space import Space
from orchestrator.sensitivity.calibration import Calibration, calibrated, fitted_with_errors
from orchestrator.sensitivity.composed import ComposedModel, Composing
from orchestrator.sensitivity.marginals import Marginals, marginals
from orchestrator.sensitivity.plausible_settings import PlausibleSettings
from orchestrator.sensitivity.success import believed_success
from orchestrator.values.candidates import Candidates


@pytest.fixture(autouse=True, scope="module")
def _few_steps() -> Iterator[None]:
    with few_steps():
        yield


@pytest.fixture(scope="module")
def model() -> ComposedModel:
    return fitted_to_truth()


@pytest.fixture(scope="module")
def calibration(model: ComposedModel) -> Calibration:
    return calibrated(model.composing.problem, model, NONE)


@pytest.fixture(scope="module")
def told(calibration: Calibration) -> Marginals:
    return marginals(SPACE, calibration)


def test_of_a_linear_simulator_it_is_the_normal_posterior(calibration: Calibration) -> None:
    drawn = calibration.points * [2.0, 1.0]
    deviations = np.sqrt(np.diag(covariance()))
    assert (drawn.mean(axis=0) - TRUTH) / deviations == pytest.approx([0.0, 0.0], abs=0.12)
    assert np.cov(drawn.T) / np.outer(deviations, deviations) == pytest.approx(
        covariance() / np.outer(deviations, deviations), abs=0.12
    )


def test_errors_that_hang_together_make_it_that_of_their_covariance(model: ComposedModel) -> None:
    correlations = np.array([[1.0, 0.9, 0.7], [0.9, 1.0, 0.8], [0.7, 0.8, 1.0]])
    together = correlations * ERRORS * ERRORS[:, None]
    targets = {f"y{j}": Target(t, told=False) for j, t in enumerate(linear(TRUTH).tolist())}
    fit = misfit_to(targets, tuple(map(tuple, together.tolist())), -1.0, 2)
    problem = replace(model.composing.problem, composite=fit)
    found = ComposedModel.fitted(replace(model.composing, problem=problem, function=fit))
    assert fitted_with_errors(fit) is fit
    expected = np.linalg.inv(RATES.T @ np.linalg.inv(together) @ RATES)
    deviations = np.sqrt(np.diag(expected))
    drawn = calibrated(problem, found, NONE).points * [2.0, 1.0]
    assert (drawn.mean(axis=0) - TRUTH) / deviations == pytest.approx([0.0, 0.0], abs=0.12)
    scaled = np.outer(deviations, deviations)
    assert np.cov(drawn.T) / scaled == pytest.approx(expected / scaled, abs=0.12)
    # As if they were independent it would be another one.
    assert np.abs(expected - covariance()).max() > 0.3 * np.abs(covariance()).max()


def test_intervals_are_those_of_that_posterior(told: Marginals) -> None:
    for one, truth, variance in zip(told.each, TRUTH, np.diag(covariance()), strict=True):
        assert one.interval is not None
        deviation = np.sqrt(variance)
        assert (one.interval.median - truth) / deviation == pytest.approx(0.0, abs=0.15)
        assert (one.interval.high - one.interval.low) / deviation == pytest.approx(1.99, abs=0.2)
        assert (one.interval.most - one.interval.least) / deviation == pytest.approx(3.92, abs=0.4)
        assert one.bounds == ()
        assert one.counts == 1.0
    expected = covariance()[0, 1] / np.sqrt(np.diag(covariance()).prod())
    assert told.correlations[0, 1] == pytest.approx(expected, abs=0.06)


def test_models_that_know_a_simulator_add_nothing_to_intervals(told: Marginals) -> None:
    assert all(one.of_models is not None and one.of_models < 0.1 for one in told.each)


def test_models_that_are_unsure_make_intervals_wide_which_more_evaluations_would_narrow(
    model: ComposedModel, told: Marginals
) -> None:
    unsure = replace(model, stretch=20_000.0)
    found = marginals(SPACE, calibrated(model.composing.problem, unsure, NONE))
    for one, sure in zip(found.each, told.each, strict=True):
        assert one.interval is not None
        assert sure.interval is not None
        assert one.of_models is not None
        wider = (one.interval.high - one.interval.low) / (sure.interval.high - sure.interval.low)
        assert wider > 1.2
        assert one.of_models == pytest.approx(1.0 - 1.0 / wider, abs=0.1)


def test_the_same_results_say_the_same(model: ComposedModel, calibration: Calibration) -> None:
    again = calibrated(model.composing.problem, model, NONE)
    assert (again.points == calibration.points).all()
    assert (again.of_means == calibration.of_means).all()


def test_two_settings_that_fit_alike_are_both_found_as_a_grid_has_them() -> None:
    def folded(settings: FloatArray) -> FloatArray:
        a, b = settings.T
        return np.stack([(a - 1.0) ** 2 + 0.1 * a, b], axis=1)

    errors = np.array([0.05, 0.1])
    points = np.random.default_rng(1).random((25, 2))
    model = model_of(SPACE, folded, np.array([0.4, 0.5]), errors, points)
    found = calibrated(model.composing.problem, model, NONE)
    a = np.linspace(0.0, 2.0, 4001)
    density = np.exp(-0.5 * (((a - 1.0) ** 2 + 0.1 * a - 0.4) / errors[0]) ** 2)
    share = density[a > 1.0].sum() / density.sum()
    drawn = 2.0 * found.points[:, 0]
    assert (drawn > 1.0).mean() == pytest.approx(share, abs=0.08)
    for side in (a > 1.0, a < 1.0):
        middle = np.average(a[side], weights=density[side])
        deviation = np.sqrt(np.average((a[side] - middle) ** 2, weights=density[side]))
        own = drawn[(drawn > 1.0) == (middle > 1.0)]
        assert (own.mean() - middle) / deviation == pytest.approx(0.0, abs=0.2)
        assert own.std() / deviation == pytest.approx(1.0, abs=0.2)


def test_a_narrow_fit_is_not_lost_to_places_where_models_know_little() -> None:
    def waves(settings: FloatArray) -> FloatArray:
        a, b = settings.T
        return np.stack([np.sin(4.0 * a) + b, np.cos(5.0 * b) * a, a * b], axis=1)

    rng = np.random.default_rng(0)
    near = [TRUTH / [2.0, 1.0] + scale * rng.standard_normal((3, 2)) for scale in (0.05, 0.02, 0.005)]
    points = np.vstack([rng.random((6, 2)), *near])
    model = model_of(SPACE, waves, waves(TRUTH[None, :])[0], np.full(3, 2e-3), points)
    found = calibrated(model.composing.problem, model, NONE)
    assert np.abs(found.points * [2.0, 1.0] - TRUTH).max() < 0.02


def test_where_a_bound_cuts_plausible_values_off_it_is_told(model: ComposedModel) -> None:
    targets = linear(np.array([1.99, 0.5]))
    found = model_of(SPACE, linear, targets, ERRORS, model.composing.points)
    a, b = marginals(SPACE, calibrated(found.composing.problem, found, NONE)).each
    assert (a.bounds, b.bounds) == (("high",), ())


def test_where_evaluations_fail_settings_are_less_plausible(model: ComposedModel) -> None:
    rng = np.random.default_rng(2)
    points = rng.random((60, 2))
    success = believed_success(model.composing.problem, points, points[:, 0] > 0.5)
    assert success is not None
    places = np.array([[0.1, 0.5], [0.9, 0.5]])
    without, beside = (PlausibleSettings(model.likelihood, one).log(places) for one in (None, success))
    assert np.exp(beside - without) == pytest.approx(success.probability(model.domain.embed(places)))
    assert np.exp(beside - without) == pytest.approx([1.0, 0.0], abs=0.3)


MIXED = Space.from_description(
    {
        "a": (0.0, 2.0),
        "n": {"type": "int", "bounds": [1, 6]},
        "kind": {"type": "choice", "values": ["x", "y", "z"]},
    },
    ["a + n <= 7"],
)


def mixed(settings: FloatArray) -> FloatArray:
    return np.stack([settings[:, 0], settings[:, 1]], axis=1)


def test_whole_numbers_choices_and_constraints_are_kept_to() -> None:
    points = MIXED.domain.sample(30, np.random.default_rng(0))
    fit = Misfit({"u": Target(1.4, 0.3), "v": Target(5.4, 0.6)}, -1.0, 3)
    problem = Problem(MIXED.domain, noise=Noise("known", 0.0), composite=fit)
    numbers = np.column_stack([MIXED.parameters[j].numbers(points[:, j]) for j in (0, 1)])  # type: ignore[union-attr]
    model = ComposedModel.fitted(Composing(problem, fit, points, numbers, -1.0))
    found = marginals(MIXED, calibrated(problem, model, np.zeros((0, 3))))
    a, n, kind = found.each
    assert all(one["a"] + one["n"] <= 7.0 and one["n"] in range(1, 7) for one in found.draws)
    weights = np.exp(-0.5 * ((np.arange(1, 7) - 5.4) / 0.6) ** 2)
    # Of 6 `a` may be as far as 1: two thirds of what is plausible of it are left out.
    weights[5] *= 0.09
    drawn = np.bincount([one["n"] for one in found.draws], minlength=7)[1:] / len(found.draws)
    assert drawn == pytest.approx(weights / weights.sum(), abs=0.1)
    assert n.interval is not None
    assert n.interval.median == 5
    assert a.interval is not None
    assert kind.interval is None
    assert sorted(kind.chances) == ["x", "y", "z"]
    assert max(kind.chances.values()) < 0.45
    assert found.numbers == ("a", "n")


def test_numbers_that_a_walk_begins_at_are_of_points_that_may_be_set(model: ComposedModel) -> None:
    sparse = Space.from_description(
        {
            "a": (0.0, 2.0),
            "n": {"type": "int", "bounds": [1, 40], "scale": "log"},
            "kind": {"type": "choice", "values": ["x", "y", "z"]},
            "size": {"type": "ordered", "values": [1, 2, 50]},
        },
        ["n * a >= 1", "n * a <= 1.01"],
    )
    plausible = PlausibleSettings(replace(model.likelihood, domain=sparse.domain))
    numbers = plausible.begun(64, np.random.default_rng(0))
    points = sparse.domain.spread(numbers)
    assert sparse.domain.feasible(points).all()
    assert numbers.min() >= 0.0
    assert numbers.max() <= 1.0
    assert len(np.unique(points[:, 3])) == 3
    assert len(np.unique(numbers[:, 1])) == 64


def test_a_walk_begins_where_next_to_nothing_may_be_set_as_well(model: ComposedModel) -> None:
    slab = Space.from_description({"a": (0.0, 2.0), "b": (0.0, 1.0)}, ["a + b >= 1.4999", "a + b <= 1.5"])
    plausible = PlausibleSettings(replace(model.likelihood, domain=slab.domain))
    begun = plausible.beginning(64, slab.domain.sample(3, np.random.default_rng(0)), np.random.default_rng(1))
    assert len(begun.points) >= 64
    assert slab.domain.feasible(slab.domain.spread(begun.points)).all()
    assert np.isfinite(begun.log(begun.points)).all()


def test_without_a_fit_or_without_errors_nothing_is_said() -> None:
    with pytest.raises(UsageError, match="expected an objective that is fitted"):
        fitted_with_errors(None)
    with pytest.raises(UsageError, match="got one that is not"):
        fitted_with_errors(of_formula("u ** 2", ["u"], SPACE, 1.0))
    unknown = Misfit({"u": Target(1.0, told=False), "v": Target(1.0, 1.0)}, -1.0, 2)
    with pytest.raises(UsageError, match="got none of `u`: by how much"):
        fitted_with_errors(unknown)


def test_candidates_are_weighed_one_by_one() -> None:
    a, b = (axis.ravel() for axis in np.meshgrid(np.linspace(0.0, 2.0, 21), np.linspace(0.0, 1.0, 21)))
    table = Candidates.of({"a": a.tolist(), "b": b.tolist()})
    space = Space.from_description({"a": (0.0, 2.0), "b": (0.0, 1.0)}, candidates=table)
    settings = np.column_stack([a, b])
    points = np.array([space.encode({"a": row[0], "b": row[1]}) for row in settings[::31].tolist()])
    model = model_of(space, linear, linear(TRUTH), ERRORS, points)
    found = calibrated(model.composing.problem, model, NONE)
    assert found.chain is None
    weights = np.exp(-0.5 * np.square((linear(settings) - linear(TRUTH)) / ERRORS).sum(axis=1))
    told = marginals(space, found).each[0].interval
    assert told is not None
    order = np.argsort(settings[:, 0], kind="stable")
    below = np.cumsum(weights[order]) / weights.sum()
    ends = [settings[order][np.searchsorted(below, share), 0] for share in (0.025, 0.975)]
    assert [told.least, told.most] == pytest.approx(ends, abs=0.11)


def test_parameters_that_are_left_out_at_times_are_refused() -> None:
    space = Space.from_description(
        {"a": {"type": "float", "bounds": [0.0, 2.0], "least": 0.3}, "b": (0.0, 1.0)},
    )
    points = space.domain.sample(6, np.random.default_rng(0))
    model = model_of(space, linear, linear(TRUTH), ERRORS, points)
    with pytest.raises(UsageError, match="got some that are left out at times, as by `least`"):
        calibrated(model.composing.problem, model, NONE)


def test_noise_of_outcomes_is_not_what_models_do_not_know(model: ComposedModel) -> None:
    rng = np.random.default_rng(4)
    points = rng.random((60, 2))
    told = linear(points * [2.0, 1.0]) + 0.3 * rng.standard_normal((60, 3))
    problem = replace(model.composing.problem, noise=Noise())
    noisy = ComposedModel.fitted(replace(model.composing, problem=problem, points=points, told=told))
    _, (covariance_there,) = outcomes_believed(noisy.likelihood, np.array([[0.5, 0.5]]))
    assert np.sqrt(np.diag(covariance_there)).max() < 0.2 * noisy.stretch


def test_few_results_leave_open_how_far_outcomes_vary_and_more_is_plausible_for_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("orchestrator.sensitivity.composed.MOST_DRAWN", 8)

    def bent(settings: FloatArray) -> FloatArray:
        a, b = settings.T
        return np.stack([np.sin(3.0 * a) + b, np.exp(b) * a], axis=1)

    points = np.random.default_rng(3).random((5, 2))
    few = model_of(SPACE, bent, bent(TRUTH[None, :])[0], np.full(2, 0.02), points)
    everywhere = np.random.default_rng(0).random((400, 2))
    one, several = few.likelihood.log(everywhere), few.averaged_likelihood().log(everywhere)
    shares = [np.exp(logs - logs.max()) / np.exp(logs - logs.max()).sum() for logs in (one, several)]
    effective = [1.0 / np.square(share).sum() for share in shares]
    assert effective[1] > 1.05 * effective[0]


def test_where_the_simulator_cannot_meet_targets_errors_that_are_scaled_make_intervals_wide(
    model: ComposedModel,
) -> None:
    # At right angles to what settings reach: the best settings are the truth.
    off = np.cross(*(RATES / ERRORS[:, None]).T)
    targets = linear(TRUTH) + 6.0 * ERRORS * off / np.linalg.norm(off)
    beyond = model_of(SPACE, linear, targets, ERRORS, model.composing.points)
    problem = beyond.composing.problem
    told, found = (calibrated(problem, beyond, NONE, scaled=scaled) for scaled in (False, True))
    assert told.factors is None
    assert found.factors is not None
    assert found.factors.min() >= 1.0
    assert np.median(found.factors) == pytest.approx(6.0 / np.sqrt(1.2), rel=0.35)
    lows, highs = (np.quantile(one.points, (0.16, 0.84), axis=0) for one in (told, found))
    wider = (highs[1] - highs[0]) / (lows[1] - lows[0])
    assert (wider > 2.5).all()
    assert np.median(found.points * [2.0, 1.0], axis=0) == pytest.approx(TRUTH, abs=0.2)


def test_the_more_results_the_fewer_models_are_asked(
    model: ComposedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orchestrator.sensitivity.composed.MOST_DRAWN", 8)
    for over, asked in ((1000, 8), (42, 3), (20, 1)):
        monkeypatch.setattr("orchestrator.sensitivity.composed.AVERAGED_OVER", over)
        found = model.averaged_likelihood()
        assert len(found.members) == asked
        assert (found.members[0] is found.likeliest) == (asked == 1)
