"""How much less is not known of a whole function after an evaluation: held against evaluating."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from orchestrator.acquisition.integrated_variance import LogTaken, VarianceTaken
from orchestrator.surrogates.covariances.fourier_features import FourierFeatures
from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.posteriors.covariances_with import covariances_with
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel

NOISE = 1e-3
RNG = np.random.default_rng(0)
X, Y = RNG.random((12, 3)), RNG.standard_normal(12)
PLACES, WEIGHTS = RNG.random((40, 3)), RNG.random(40)
POINTS = RNG.random((6, 3))


def process(scale: float = 0.4) -> ExactGP:
    posterior = ExactGP(Kernel(MATERN_52, np.full(3, scale), 1.7), NOISE)
    posterior.append(X, Y)
    return posterior


def features() -> RandomFeatureModel:
    frequencies = Kernel(RBF, np.full(3, 0.4)).spectral_frequencies(60, np.random.default_rng(1))
    return RandomFeatureModel.prior(FourierFeatures(frequencies), 1.7, NOISE).condition_on_batch(X, Y)


def taken(posterior: ExactGP | RandomFeatureModel, weights: np.ndarray = WEIGHTS) -> VarianceTaken:
    return VarianceTaken(posterior, covariances_with(posterior, PLACES), weights, NOISE)


def left(posterior: ExactGP | RandomFeatureModel) -> float:
    return float(posterior.mean_and_variance(PLACES)[1] @ WEIGHTS)


def test_a_process_that_is_told_a_value_knows_as_much_more_as_was_promised() -> None:
    before, promised = left(process()), taken(process()).values(POINTS)
    for point, promise in zip(POINTS, promised, strict=True):
        for value in (-30.0, 0.1):
            after = process()
            after.append(point[None, :], np.array([value]))
            assert before - left(after) == pytest.approx(promise, abs=1e-8)


def test_a_model_of_features_does_so_too() -> None:
    before, promised = left(features()), taken(features()).values(POINTS)
    for point, promise in zip(POINTS, promised, strict=True):
        assert before - left(features().condition(point, 5.0)[0]) == pytest.approx(promise, abs=1e-8)


def test_before_anything_is_told_it_is_the_priors_variance_that_is_taken() -> None:
    nothing = ExactGP(Kernel(RBF, np.full(3, 0.4)), NOISE)
    assert taken(nothing).values(POINTS)[0] == pytest.approx(
        left(nothing) - left(_told(nothing, POINTS[0])), abs=1e-8
    )


def _told(nothing: ExactGP, point: np.ndarray) -> ExactGP:
    told = ExactGP(nothing.covariance, NOISE)
    told.append(point[None, :], np.array([1.0]))
    return told


def test_what_runs_counts_as_known_to_whoever_comes_next_in_either_order() -> None:
    one, other = POINTS[:1], POINTS[1:2]
    totals = []
    for first, second in ((one, other), (other, one)):
        posterior = process()
        promised = taken(posterior).values(first)[0]
        with posterior.hallucinating(first):
            promised += taken(posterior).values(second)[0]
        totals.append(promised)
    assert totals[0] == pytest.approx(totals[1], abs=1e-8)
    told = process()
    told.append(POINTS[:2], np.array([7.0, -7.0]))
    assert left(process()) - left(told) == pytest.approx(totals[0], abs=1e-8)


def test_of_several_processes_each_takes_its_part() -> None:
    parts = [taken(process(0.4), 0.3 * WEIGHTS), taken(process(0.9), 0.7 * WEIGHTS)]
    together = LogTaken(parts)
    expected = 0.3 * taken(process(0.4)).values(POINTS) + 0.7 * taken(process(0.9)).values(POINTS)
    np.testing.assert_allclose(np.exp(together.values(POINTS)), expected, rtol=1e-10)
    np.testing.assert_allclose(together.values_and_gradients(POINTS)[0], together.values(POINTS), rtol=1e-10)


@pytest.mark.parametrize("posterior", [process(), features()], ids=["process", "features"])
def test_its_gradient_agrees_with_finite_differences(posterior: ExactGP | RandomFeatureModel) -> None:
    acquisition = LogTaken([taken(posterior), taken(process(0.9))])
    _, gradients = acquisition.values_and_gradients(POINTS)
    for point, gradient in zip(POINTS, gradients, strict=True):
        numerical = approx_fprime(point, lambda x: acquisition.values(x[None])[0], 1e-7)
        np.testing.assert_allclose(gradient, numerical, rtol=1e-4, atol=1e-5)


def test_where_nothing_counts_there_is_a_number_and_no_way_up() -> None:
    values, gradients = LogTaken([taken(process(), np.zeros(40))]).values_and_gradients(POINTS)
    assert np.isfinite(values).all()
    assert (gradients == 0.0).all()
