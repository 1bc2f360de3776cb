"""By how much a value is believed to be other at one point than at another: by hand, and by draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm, qmc

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.algorithms.mixture.belief import MixtureBelief
from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.believed_together import Drawn
from orchestrator.sensitivity.differences import HIGH, LOW, difference
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.settings_off import Off, SettingsOff

HERE, NEAR, FAR = np.array([0.3, 0.5]), np.array([0.34, 0.52]), np.array([0.9, 0.1])
NOISE = 0.2
OFF = SettingsOff.of([Off(0, 0.2, np.array([0.0, 1.0]), np.array([0.0, 1.0]))])


def told(values: Callable[[FloatArray], FloatArray], noise: float, count: int = 20) -> Measured:
    """At points that lie evenly."""
    rng = np.random.default_rng(5)
    points = qmc.Sobol(2, seed=rng).random(32)[:count]
    return Measured(points, values(points) + noise * rng.standard_normal(count), np.zeros(count))


def fitted(measured: Measured, noise: float) -> ResultsModel:
    return ResultsModel.fitted(Problem(Domain.continuous(2), noise=Noise("known", noise)), measured)


def wavy(points: FloatArray) -> FloatArray:
    return np.asarray(5.0 + np.sin(4.0 * points[:, 0]) + points[:, 1] ** 2)


def steep(points: FloatArray) -> FloatArray:
    return np.asarray(np.exp(7.0 * points[:, 0] + points[:, 1]))


@pytest.fixture(scope="module")
def model() -> ResultsModel:
    """Of noisy values that no map draws the tails of."""
    found = fitted(told(wavy, NOISE), NOISE)
    assert all(member.scale.warp is None for member in found.belief.members)
    return found


@pytest.fixture(scope="module")
def warped() -> ResultsModel:
    """Of values with a long tail."""
    found = fitted(told(steep, 0.0), 0.0)
    assert any(member.scale.warp is not None for member in found.belief.members)
    return found


def by_hand(model: ResultsModel, here: FloatArray, there: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Of each hypothesis the mean and the deviation of the difference: Rasmussen & Williams, Eq. 2.24."""
    means, deviations = [], []
    X = model.domain.embed(np.array([here, there]))
    for member in model.belief.members:
        posterior = member.posterior
        assert isinstance(posterior, ExactGP)
        K = posterior.covariance.matrix(posterior.inputs) + np.diag(posterior.noise_variances)
        cross = posterior.covariance.matrix(posterior.inputs, X)
        mean = cross.T @ np.linalg.solve(K, posterior.values)
        covariance = posterior.covariance.matrix(X) - cross.T @ np.linalg.solve(K, cross)
        apart = np.array([1.0, -1.0])
        means.append(member.scale.scale * float(apart @ mean))
        deviations.append(member.scale.scale * float(np.sqrt(apart @ covariance @ apart)))
    return np.array(means), np.array(deviations)


@pytest.mark.parametrize("there", [NEAR, FAR])
def test_it_is_that_of_the_joint_posterior_hypotheses_weighed(model: ResultsModel, there: FloatArray) -> None:
    means, deviations = by_hand(model, HERE, there)
    weights = model.belief.weights
    found = difference(model, HERE, there)
    mean = float(weights @ means)
    assert found.mean == pytest.approx(mean, abs=1e-9)
    assert found.mean == pytest.approx(found.here - found.there)
    spread = float(np.sqrt(weights @ (deviations**2 + (means - mean) ** 2)))
    assert found.deviation == pytest.approx(spread, rel=5e-3)
    assert found.higher == pytest.approx(float(weights @ norm.cdf(means / deviations)), abs=2e-3)
    for bound, share in ((found.low, LOW), (found.high, HIGH)):
        below = float(weights @ norm.cdf((bound - means) / deviations))
        assert below == pytest.approx(share, abs=2e-3)


def test_two_near_points_err_alike_and_their_difference_is_known_better_than_either(
    model: ResultsModel,
) -> None:
    _, deviations = model.predicted(np.array([HERE, NEAR]))
    assert difference(model, HERE, NEAR).deviation < 0.5 * float(deviations.min())


def test_the_other_way_round_it_is_the_negative(model: ResultsModel) -> None:
    one, other = difference(model, HERE, FAR), difference(model, FAR, HERE)
    assert one.mean == pytest.approx(-other.mean)
    assert one.low == pytest.approx(-other.high, rel=0.02)
    assert one.higher == pytest.approx(1.0 - other.higher, abs=2e-3)
    assert one.better(-1.0) == pytest.approx(1.0 - one.better(1.0))


def test_a_point_differs_from_itself_by_nothing_and_is_no_more_better_than_worse(
    warped: ResultsModel,
) -> None:
    found = difference(warped, HERE, HERE)
    assert (found.mean, found.deviation, found.low, found.high, found.higher) == (0.0, 0.0, 0.0, 0.0, 0.5)


def test_of_what_is_to_be_small_the_difference_is_of_the_values_as_they_are() -> None:
    measured = told(wavy, NOISE)
    small = fitted(replace(measured, sign=-1.0), NOISE)
    found = difference(small, FAR, HERE)
    truth = float(wavy(FAR[None, :])[0] - wavy(HERE[None, :])[0])
    assert found.low < truth < found.high
    assert found.better(-1.0) == 1.0 - found.higher


def test_where_a_map_draws_tails_in_it_is_carried_back_through_the_map(warped: ResultsModel) -> None:
    rng = np.random.default_rng(0)
    X = warped.domain.embed(np.array([FAR, HERE]))
    drawn, weights = [], []
    for member, weight in zip(warped.belief.members, warped.belief.weights, strict=True):
        posterior = member.posterior
        assert isinstance(posterior, ExactGP)
        K = posterior.covariance.matrix(posterior.inputs) + np.diag(posterior.noise_variances)
        cross = posterior.covariance.matrix(posterior.inputs, X)
        mean = cross.T @ np.linalg.solve(K, posterior.values)
        covariance = posterior.covariance.matrix(X) - cross.T @ np.linalg.solve(K, cross)
        covariance += member.unresolved_variance * np.eye(2)
        values = member.scale.undo(rng.multivariate_normal(mean, covariance, 100_000))
        drawn.append(values[:, 0] - values[:, 1])
        weights.append(np.full(100_000, weight / 100_000))
    found = difference(warped, FAR, HERE)
    for bound, share in ((found.low, LOW), (found.high, HIGH)):
        assert float(np.concatenate(weights) @ (np.concatenate(drawn) <= bound)) == pytest.approx(
            share, abs=5e-3
        )
    assert found.mean == pytest.approx(found.here - found.there)
    assert found.low < float((steep(FAR[None, :]) - steep(HERE[None, :]))[0]) < found.high


def test_what_is_stretched_reaches_farther_about_the_same_middle(model: ResultsModel) -> None:
    twice = difference(replace(model, stretch=2.0), HERE, NEAR)
    once = difference(model, HERE, NEAR)
    assert twice.mean == once.mean
    assert twice.deviation == pytest.approx(2.0 * once.deviation, rel=0.02)
    assert twice.high - twice.low == pytest.approx(2.0 * (once.high - once.low), rel=0.02)
    assert abs(twice.higher - 0.5) < abs(once.higher - 0.5)


def test_it_is_a_share_of_what_is_there_where_that_is_surely_not_nothing(model: ResultsModel) -> None:
    found = difference(model, HERE, FAR)
    assert found.share is not None
    assert found.share.mean == pytest.approx(found.mean / found.there)
    assert found.share.low < found.share.mean < found.share.high
    measured = told(wavy, NOISE)
    about_nothing = fitted(replace(measured, values=measured.values - found.there), NOISE)
    assert difference(about_nothing, HERE, FAR).share is None
    below = fitted(replace(measured, values=measured.values - 20.0), NOISE)
    share = difference(below, HERE, FAR).share
    assert share is not None
    assert np.sign(share.mean) == np.sign(found.mean)
    assert share.low < share.mean < share.high


def test_of_settings_that_are_off_it_is_that_of_the_averages(model: ResultsModel) -> None:
    found = difference(model, HERE, FAR, OFF)
    assert isinstance(model.belief, MixtureBelief)
    averages = model.belief.averaged(OFF.embedded(model.domain))
    X = model.domain.embed(np.array([HERE, FAR]))
    means = np.array([member.scale.undo(member.posterior.mean_at(X)) for member in averages.members])
    assert [found.here, found.there] == pytest.approx(model.belief.weights @ means)
    together = model.together(np.array([HERE, FAR]), OFF)
    m = len(OFF.ways)
    for member, covariance in zip(averages.members, together.covariances, strict=True):
        own = covariance.reshape(2, m, 2, m).mean(axis=(1, 3))
        assert np.diagonal(own) == pytest.approx(member.posterior.mean_and_variance(X)[1], rel=1e-6)


def test_offsets_of_blocks_are_no_part_of_it() -> None:
    measured = told(wavy, 0.05, 24)
    second = np.arange(24) % 2 == 1
    values = measured.values + np.where(second, 3.0, 0.0)
    blocks = tuple("b" if one else "a" for one in second)
    problem = Problem(Domain.continuous(2), noise=Noise("known", 0.05), blocks=True)
    model = ResultsModel.fitted(problem, replace(measured, values=values, blocks=blocks))
    here, there = measured.points[0], measured.points[1]
    truth = float(wavy(here[None, :])[0] - wavy(there[None, :])[0])
    found = difference(model, here, there)
    assert found.mean == pytest.approx(truth, abs=0.3)
    assert abs(measured.values[0] - (measured.values[1] + 3.0) - truth) > 2.5


def test_what_lies_between_hypotheses_that_disagree_is_in_the_deviation() -> None:
    own = norm.ppf((np.arange(2048) + 0.5) / 2048)
    drawn = Drawn(np.array([0.5, 0.5]), np.array([own, 4.0 + own]))
    assert drawn.deviation() == pytest.approx(np.sqrt(1.0 + 2.0**2), rel=1e-3)
