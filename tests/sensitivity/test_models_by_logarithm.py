"""Models of results see a parameter by its logarithm where results say so, whatever chose the points."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.arrays import FloatArray
from orchestrator.sensitivity import fitted_mixture, results_model
from orchestrator.sensitivity.analysis import analyse
from orchestrator.sensitivity.fitted_mixture import FittedMixture
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.sensitivity.variance_shares import variance_shares
from orchestrator.unit_cube.by_logarithm import Scales
from orchestrator.unit_cube.domain import Domain

PROBLEM = Problem(Domain.continuous(2), noise=Noise("known", 0.0), seed=1)


def by_decades(X: FloatArray) -> FloatArray:
    return np.asarray(-((np.log10(X[:, 0] + 1e-5) + 2.3) ** 2) - 2.0 * (X[:, 1] - 0.4) ** 2)


def measured(count: int = 14) -> Measured:
    """At points of which every other one lies in one of the decades from the lower end."""
    X = np.random.default_rng(0).random((count, 2))
    X[::2, 0] = 10.0 ** (-4.0 * X[::2, 0])
    return Measured(X, by_decades(X), np.zeros(count))


@pytest.fixture(scope="module")
def model() -> ResultsModel:
    return ResultsModel.fitted(PROBLEM, measured())


def test_what_is_expected_follows_the_decades(model: ResultsModel) -> None:
    assert model.scales.by_end == {"lower": [0]}
    asked = np.array([[10.0**-decade, 0.3] for decade in (0.5, 1.5, 2.5, 3.5)])
    linear = FittedMixture.on(PROBLEM, measured(), Scales()).belief
    embedded = PROBLEM.domain.embed(asked)
    without = linear.weights @ np.array([one.expected(embedded) for one in linear.members])
    missed, missed_without = (np.abs(of - by_decades(asked)).max() for of in (model.expected(asked), without))
    assert missed < 0.2 < missed_without
    (alone,) = model.together(asked[:1]).expected()
    assert alone == pytest.approx(model.expected(asked)[0])


def test_profiles_are_closest_where_it_counts_and_shares_are_over_settings_as_told(
    model: ResultsModel,
) -> None:
    centre = np.array([0.005, 0.4])
    found = analyse(PROBLEM, ("rate", "share"), measured(), centre, lambda *_: model)
    assert found.by_logarithm == {"lower": ["rate"]}
    told = variance_shares(by_decades, PROBLEM.domain, np.random.default_rng(0))
    assert found.influences["rate"].in_all == pytest.approx(told.in_all[0], abs=0.05)
    profile = found.influences["rate"].profile
    assert profile is not None
    assert (profile.positions < 0.1).sum() > len(profile.positions) / 2
    assert profile.positions[profile.mean.argmax()] == pytest.approx(0.005, rel=0.3)


def test_a_model_of_a_part_of_many_results_sees_them_as_that_of_all_and_of_few_by_themselves(
    model: ResultsModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = measured().at(np.arange(0, 14, 2))
    assert not ResultsModel.fitted(PROBLEM, part, model).scales
    monkeypatch.setattr(results_model, "FEW", 6)
    assert ResultsModel.fitted(PROBLEM, part, model).scales == model.scales


def test_of_many_results_the_first_say_so_as_later_ones_may_lie_about_the_best(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at = []
    on = FittedMixture.on

    def noted(problem: Problem, told: Measured, scales: Scales, before: Standing) -> FittedMixture:
        looked_at.append((len(told), bool(scales)))
        return on(problem, told, scales, before)

    monkeypatch.setattr(fitted_mixture, "MOST_LOOKED_AT", 12)
    monkeypatch.setattr(FittedMixture, "on", noted)
    assert ResultsModel.fitted(PROBLEM, measured()).scales.by_end == {"lower": [0]}
    assert looked_at == [(12, False), (12, True), (14, True)]
