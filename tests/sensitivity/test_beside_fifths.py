"""What parts of the results would have led to is believed beside what all of them did, by all of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.algorithms.mixture.belief import MixtureBelief
from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.beside_fifths import beside_fifths
from orchestrator.sensitivity.fitted_mixture import FEW, FittedMixture
from orchestrator.sensitivity.foretold import log_densities
from orchestrator.sensitivity.function_draws import drawn_functions
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.unit_cube.by_logarithm import ByLogarithm, Scales
from orchestrator.unit_cube.domain import Domain

EXACT = Problem(Domain.continuous(1), seed=1, noise=Noise("known", 0.0))
SKEWED = Scales((ByLogarithm(0, upper=False, ratio=50.0),))
COUNT = 12
POINTS = ((np.arange(COUNT) + 0.5) / COUNT)[:, None]
ELSEWHERE = np.array([[0.03], [0.3], [0.71]])


def measured(values: FloatArray) -> Measured:
    return Measured(POINTS, values, np.zeros(COUNT), -1.0)


WAVES = measured(np.sin(9.0 * POINTS[:, 0]))


def on(scales: Scales, told: Measured) -> ResultsModel:
    fitted = FittedMixture.on(EXACT, told, scales)
    counts = COUNT, COUNT
    return ResultsModel(
        EXACT.domain, fitted.belief, -1.0, *counts, standing=fitted.standing, scales=fitted.seen.scales
    )


@pytest.fixture(scope="module")
def model() -> ResultsModel:
    return on(Scales(), WAVES)


@pytest.fixture(scope="module")
def skewed() -> ResultsModel:
    return on(SKEWED, WAVES)


@pytest.fixture(scope="module")
def mixed(model: ResultsModel, skewed: ResultsModel) -> ResultsModel:
    return beside_fifths(model, [skewed], EXACT, WAVES)


def test_each_hypothesis_sees_points_on_the_scales_on_which_it_was_found(
    mixed: ResultsModel, model: ResultsModel, skewed: ResultsModel
) -> None:
    own = [one.believed(ELSEWHERE) for one in (model, skewed)]
    believed = mixed.believed(ELSEWHERE)
    assert believed.means == pytest.approx(np.concatenate([one.means for one in own]), abs=1e-9)
    assert believed.deviations == pytest.approx(np.concatenate([one.deviations for one in own]), abs=1e-9)
    assert np.ptp(believed.means, axis=0).max() > 1e-6


def test_what_is_expected_believed_together_and_drawn_is_of_one_mind(mixed: ResultsModel) -> None:
    # Equally likely: of 4,000 draws few would be of members that are hardly believed, and are the least sure.
    members = mixed.belief.members
    mixed = replace(mixed, belief=MixtureBelief(members, np.zeros(len(members))))
    believed, together = mixed.believed(ELSEWHERE), mixed.together(ELSEWHERE)
    mean, deviation = believed.moments()
    assert mixed.expected(ELSEWHERE) == pytest.approx(mean)
    assert together.means == pytest.approx(believed.means)
    for covariance, deviations in zip(together.covariances, believed.deviations, strict=True):
        assert np.diagonal(covariance) == pytest.approx(deviations**2, rel=1e-3, abs=1e-7)
    rng = np.random.default_rng(0)
    functions = drawn_functions(mixed, ELSEWHERE, 4000, rng)
    values = mixed.drawn(np.repeat(ELSEWHERE, 4000, axis=0), rng.random(12000)).reshape(3, 4000)
    for drawn in (functions, values.T):
        assert (np.abs(drawn.mean(axis=0) - mean) < 0.1 * deviation).all()
        assert drawn.std(axis=0) == pytest.approx(deviation, rel=0.15)


def test_a_weight_is_a_share_times_how_well_one_result_is_foretold_on_average(
    mixed: ResultsModel, model: ResultsModel, skewed: ResultsModel
) -> None:
    members = [*model.belief.members, *skewed.belief.members]
    foretold = np.array([log_densities(one, -WAVES.values).sum() / COUNT for one in members])
    best = foretold[: len(model.belief.members)].max()
    shares = 0.5 * np.concatenate([model.belief.weights, skewed.belief.weights])
    weights = shares * np.minimum(np.exp(foretold - best), 1.0)
    assert mixed.belief.weights == pytest.approx(weights / weights.sum())
    assert sum(mixed.hypotheses.values()) == pytest.approx(1.0)
    assert list(mixed.hypotheses.values()) == sorted(mixed.hypotheses.values(), reverse=True)


def test_what_foretells_results_badly_is_hardly_believed_and_knows_them_all_the_same(
    model: ResultsModel,
) -> None:
    line = on(Scales(), measured(POINTS[:, 0]))
    mixed = beside_fifths(model, [line], EXACT, WAVES)
    assert mixed.belief.weights[len(model.belief.members) :].sum() < 0.2
    before, after = line.believed(POINTS), mixed.believed(POINTS)
    scales, means = after.scales[-len(before.scales) :], after.means[-len(before.means) :]
    for scale, own, known in zip(scales, before.means, means, strict=True):
        off, less = (np.abs(scale.undo(mean) + WAVES.values).mean() for mean in (own, known))
        assert less < off


def test_of_more_results_of_noisy_ones_or_none_left_out_a_model_stays_as_it_is(
    model: ResultsModel, skewed: ResultsModel
) -> None:
    assert beside_fifths(model, [], EXACT, WAVES) is model
    assert beside_fifths(model, [replace(skewed, modelled=FEW + 1)], EXACT, WAVES) is model
    noisy = replace(EXACT, noise=Noise())
    assert beside_fifths(model, [skewed], noisy, WAVES) is model
