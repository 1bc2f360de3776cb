"""Offsets that results of a block share are inferred jointly with the function, as by a dense process."""

import numpy as np
import pytest
from evidence_stories import require_gradient

from orchestrator.surrogates.covariances.block_offsets import OF_NONE, Blocks
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.pair_model import KernelEvidence
from orchestrator.surrogates.evidence.pairwise_data import PairwiseData
from orchestrator.surrogates.hyperparameters.interaction import InteractionModel
from orchestrator.surrogates.posteriors.exact import ExactGP

NOISE, OFFSETS = 0.01, 0.3
KERNEL = Kernel(MATERN_52, np.array([0.4, 0.7]), 1.5)
# Of a later block the values are higher all over: f and its offset are confounded, as in a search.
RNG = np.random.default_rng(0)
X = RNG.random((14, 2)) ** np.repeat([1.0, 0.3], 7)[:, None]
BLOCKS = np.array([0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, OF_NONE, OF_NONE])
Y = np.sin(4 * X[:, 0]) + X[:, 1] + np.array([0.4, -0.5, 0.2, 0.0])[BLOCKS]


def process(rows=slice(None)):
    gp = ExactGP(KERNEL, NOISE, OFFSETS)
    gp.append(X[rows], Y[rows], blocks=BLOCKS[rows])
    return gp


def shared():
    alike = (BLOCKS[:, None] == BLOCKS) & (BLOCKS[:, None] != OF_NONE)
    return KERNEL.matrix(X) + NOISE * np.eye(len(X)) + OFFSETS * alike


def test_the_function_is_believed_as_by_a_dense_process_with_the_term():
    gp, there = process(), np.random.default_rng(1).random((5, 2))
    cross = KERNEL.matrix(X, there)
    mean, variance = gp.mean_and_variance(there)
    np.testing.assert_allclose(mean, cross.T @ np.linalg.solve(shared(), Y), atol=1e-8)
    explained = np.einsum("np,np->p", cross, np.linalg.solve(shared(), cross))
    np.testing.assert_allclose(variance, 1.5 - explained, atol=1e-8)


def test_offsets_are_believed_as_by_a_dense_process_and_of_a_new_block_nothing_is_known():
    means, covariance = process().offsets(np.array([0, 1, 2, 3]))
    cross = OFFSETS * (BLOCKS[:, None] == np.arange(4))
    np.testing.assert_allclose(means, cross.T @ np.linalg.solve(shared(), Y), atol=1e-8)
    explained = cross.T @ np.linalg.solve(shared(), cross)
    np.testing.assert_allclose(covariance, OFFSETS * np.eye(4) - explained, atol=1e-8)
    assert (means[3], covariance[3, 3]) == (0.0, OFFSETS)


def test_values_less_the_offsets_believed_show_the_same_function():
    gp = process()
    corrected = ExactGP(KERNEL, NOISE)
    offsets = np.append(gp.offsets(np.arange(3))[0], 0.0)
    corrected.append(X, Y - offsets[BLOCKS])
    np.testing.assert_allclose(corrected.mean_at(X), gp.mean_at(X), atol=1e-8)


def test_one_by_one_together_and_after_a_hallucination_it_is_the_same():
    together, one_by_one = process(), process(slice(0, 1))
    for row in range(1, len(X)):
        with one_by_one.hallucinating(X[row : row + 1], without_noise=True):
            pass
        one_by_one.append(X[row : row + 1], Y[row : row + 1], blocks=BLOCKS[row : row + 1])
    assert (one_by_one.alpha == together.alpha).all()


def test_a_value_is_predicted_with_what_is_known_of_its_block():
    gp, there = process(slice(0, 13)), X[12:13] + 0.1
    high = gp.mean_at(there) + gp.offsets(np.array([0]))[0]
    densities = [float(gp.log_predictive(there, high, blocks=np.array([block]))[0]) for block in (0, 1, 9)]
    assert densities[0] > densities[2] > densities[1]


def test_what_is_drawn_beside_the_function_covaries_within_blocks():
    drawn = process().drawn_noise(4000, np.random.default_rng(2))
    found = np.cov(drawn.T)
    np.testing.assert_allclose(found, shared() - KERNEL.matrix(X), atol=0.04)


def test_the_evidence_has_the_term_and_its_gradient():
    data = Data(X, Y, np.arange(2), blocks=Blocks(BLOCKS, OFFSETS))
    pairs = PairwiseData.of(data)
    evidence = KernelEvidence(pairs, InteractionModel(pairs.squared, MATERN_52, False, None))
    require_gradient(evidence)
    theta = np.log([belief.median for belief in evidence.model.beliefs])
    own = evidence.model.hyperparameters(theta)
    K = own.kernel(MATERN_52, data.embedded_parameter).matrix(X) + own.noise_variance * np.eye(len(X))
    K += data.blocks.matrix
    expected = -0.5 * (Y @ np.linalg.solve(K, Y) + np.linalg.slogdet(2.0 * np.pi * K)[1])
    prior = sum(float(b.log_density(t)) for b, t in zip(evidence.model.beliefs, theta, strict=True))
    assert evidence.log_posterior(theta)[0] - prior == pytest.approx(expected, rel=1e-8)
    np.testing.assert_array_equal(
        pairs.thinned(5).between, PairwiseData.of(data.take(thinned_rows(5))).between
    )


def thinned_rows(count):
    return np.unique(np.linspace(0, len(X) - 1, count).round().astype(int))
