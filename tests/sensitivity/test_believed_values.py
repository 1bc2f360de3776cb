"""What a mixture believes of values at points: held against arithmetic by hand, and against many draws."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from orchestrator.algorithms.mixture.belief import Member, MixtureBelief, Results
from orchestrator.algorithms.mixture.hypotheses import Found, Hypothesis
from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.believed_values import BelievedValues
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.surrogates.scales.warp import Warp
from orchestrator.unit_cube.domain import Domain

PLANE = Domain.continuous(2)
RBF = Hypothesis("joint", "rbf", shared=False, warped=False)
PLAIN = Standardisation()
SHARES = (0.05, 0.3, 0.5, 0.95)


def of_one(
    mean: float, deviation: float, scale: Standardisation = PLAIN, sign: float = 1.0
) -> BelievedValues:
    """One hypothesis about one point."""
    return BelievedValues(np.ones(1), (scale,), np.array([[mean]]), np.array([[deviation]]), sign)


def of_two(
    weight: float, low: float, high: float, deviation: float = 1.0, sign: float = 1.0
) -> BelievedValues:
    """Two that disagree about one point; the one that expects less has the weight."""
    means, deviations = np.array([[low], [high]]), np.full((2, 1), deviation)
    return BelievedValues(np.array([weight, 1.0 - weight]), (PLAIN, PLAIN), means, deviations, sign)


@pytest.mark.parametrize("exponent", [-700, 0, 700])
def test_moments_of_values_of_any_size_are_those_of_others_in_these_units_to_the_bit(exponent: int) -> None:
    near, far = of_two(0.3, -1.0, 2.0, 0.7), of_two(0.3, *np.ldexp([-1.0, 2.0, 0.7], exponent))
    (mean, deviation), found = near.moments(), far.moments()
    assert deviation == pytest.approx(math.sqrt(0.7**2 + 0.3 * 2.1**2 + 0.7 * 0.9**2))
    assert [one.tolist() for one in found] == [np.ldexp(one, exponent).tolist() for one in (mean, deviation)]


def test_a_model_believes_what_the_posterior_of_its_gaussian_process_is_by_hand() -> None:
    rng = np.random.default_rng(4)
    X, elsewhere = rng.random((12, 2)), rng.random((7, 2))
    lengths, variance, noise = np.array([0.3, 0.7]), 1.7, 0.02
    scale = Standardisation(shift=40.0, scale=5.0)
    values = 40.0 + 9.0 * np.sin(5.0 * X[:, 0]) + 2.0 * X[:, 1]
    told = Results(X, -values, np.zeros(12))
    found = Found(RBF, Hyperparameters((0.3, 0.7), variance, noise), 0.0)
    belief = MixtureBelief([Member.of(found, scale, PLANE, told)], np.zeros(1))
    believed = ResultsModel(PLANE, belief, -1.0, 12, 12).believed(elsewhere)

    def kernel(A: FloatArray, B: FloatArray) -> FloatArray:
        apart = (A[:, None, :] - B[None, :, :]) / lengths
        return np.asarray(variance * np.exp(-0.5 * (apart**2).sum(axis=2)))

    K = kernel(X, X) + noise * np.eye(12)
    k = kernel(X, elsewhere)
    mean = k.T @ np.linalg.solve(K, (-values - 40.0) / 5.0)
    spread = np.sqrt(variance - (k * np.linalg.solve(K, k)).sum(axis=0))
    expected, deviation = believed.moments()
    assert expected == pytest.approx(-(40.0 + 5.0 * mean), abs=1e-8)
    assert deviation == pytest.approx(5.0 * spread, abs=1e-8)
    for share in SHARES:
        by_hand = -(40.0 + 5.0 * mean) + 5.0 * spread * norm.ppf(share)
        assert believed.quantile(share) == pytest.approx(by_hand, abs=1e-8)


def test_quantiles_are_those_of_the_mixture_and_no_average_of_its_hypotheses_own() -> None:
    believed = of_two(0.3, 0.0, 10.0)
    drawn = believed.drawn(0, np.random.default_rng(0).random(400_000))
    for share in (*SHARES, 0.8):
        found = float(believed.quantile(share)[0])
        assert (drawn <= found).mean() == pytest.approx(share, abs=0.003)
    # Of two that are sure, and far apart, the twentieth lies with the one and the 95th with the other.
    assert believed.quantile(0.05)[0] == pytest.approx(norm.ppf(0.05 / 0.3), abs=1e-3)
    assert believed.quantile(0.95)[0] == pytest.approx(10.0 + norm.ppf(0.65 / 0.7), abs=1e-3)


def test_the_variance_of_a_mixture_has_what_lies_between_its_hypotheses() -> None:
    believed = of_two(0.3, 0.0, 10.0)
    mean, deviation = believed.moments()
    drawn = believed.drawn(0, np.random.default_rng(1).random(400_000))
    assert mean[0] == pytest.approx(7.0)
    assert deviation[0] == pytest.approx(math.sqrt(1.0 + 0.3 * 0.7 * 100.0))
    assert drawn.mean() == pytest.approx(7.0, abs=0.05)
    assert drawn.std() == pytest.approx(deviation[0], rel=0.01)


def test_of_what_is_minimised_the_lower_quantile_is_the_lower_one_too() -> None:
    high, low = of_two(0.3, 0.0, 10.0), of_two(0.3, 0.0, 10.0, sign=-1.0)
    for share in SHARES:
        assert low.quantile(share) == pytest.approx(-high.quantile(1.0 - share))
    assert low.quantile(0.05) < low.quantile(0.95)
    draws = low.drawn(0, (np.arange(1000) + 0.5) / 1000)
    assert (draws <= low.quantile(0.4)[0]).mean() == pytest.approx(0.4, abs=0.002)


def test_a_hypothesis_that_sees_values_through_a_warp_has_the_quantiles_of_what_it_sees() -> None:
    warped = Standardisation(0.5, 2.0, Warp(centre=3.0, spread=1.5, upper=0.2, lower=0.7))
    believed = of_one(0.4, 1.3, warped)
    for share in SHARES:
        own = warped.undo(0.4 + 1.3 * norm.ppf(share))
        assert believed.quantile(share)[0] == pytest.approx(float(own), rel=1e-9)
    assert believed.moments()[0][0] == pytest.approx(believed.quantile(0.5)[0])


def test_beside_one_through_a_warp_quantiles_are_still_those_of_the_mixture() -> None:
    warped = Standardisation(0.5, 2.0, Warp(centre=3.0, spread=1.5, upper=0.2, lower=0.7))
    believed = BelievedValues(
        np.array([0.6, 0.4]), (warped, PLAIN), np.array([[0.4], [5.0]]), np.array([[1.3], [2.0]]), -1.0
    )
    drawn = believed.drawn(0, np.random.default_rng(2).random(400_000))
    for share in SHARES:
        assert (drawn <= believed.quantile(share)[0]).mean() == pytest.approx(share, abs=0.003)


def test_what_is_known_for_certain_has_no_width() -> None:
    believed = of_one(2.0, 0.0)
    assert [float(believed.quantile(share)[0]) for share in SHARES] == [2.0] * 4
    both = of_two(0.3, 0.0, 10.0, deviation=0.0)
    assert [float(both.quantile(share)[0]) for share in (0.05, 0.29, 0.31, 0.95)] == pytest.approx(
        [0.0, 0.0, 10.0, 10.0]
    )


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_is_stretched_reaches_as_many_times_as_far_from_its_median(sign: float) -> None:
    plain = of_two(0.4, 0.0, 10.0, sign=sign)
    wide = replace(plain, stretch=3.0)
    luck = (np.arange(400) + 0.5) / 400
    median = plain.quantile(0.5)
    for share in SHARES:
        assert wide.quantile(share) - median == pytest.approx(3.0 * (plain.quantile(share) - median))
    assert wide.drawn(0, luck) - median == pytest.approx(3.0 * (plain.drawn(0, luck) - median))
    assert wide.moments()[0] == plain.moments()[0]
    assert wide.moments()[1] == pytest.approx(3.0 * plain.moments()[1])
