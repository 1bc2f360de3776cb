"""CMA-ES learns from a generation what Hansen's tutorial writes down, by the weights of its Table 1."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.algorithms.evolution.distribution_update import longest_step, updated
from orchestrator.algorithms.evolution.recombination_weights import Recombination, default_population
from orchestrator.algorithms.evolution.search_distribution import SearchDistribution


@given(st.integers(1, 60), st.integers(4, 200))
def test_weights_are_those_of_the_table(dimension: int, population: int) -> None:
    r = Recombination.of(dimension, population)
    best, others = r.weights[: r.parents], r.weights[r.parents :]
    assert best.sum() == pytest.approx(1.0)
    assert (others <= 0.0).all()
    assert (np.diff(r.weights) <= 1e-15).all()
    assert r.mass == pytest.approx(1.0 / (best**2).sum())
    assert 1.0 <= r.mass <= r.parents
    # So that no covariance loses more than it has: Eqs. 50-53.
    assert -others.sum() <= 1.0 + r.rank_one_rate / r.rank_many_rate + 1e-12
    left = 1.0 - r.rank_one_rate - r.rank_many_rate
    assert -others.sum() * dimension * r.rank_many_rate <= left + 1e-12
    assert 0.0 < r.step_rate < 1.0
    assert 0.0 < r.path_rate <= 1.0
    assert left > -1e-12


def test_the_default_population_is_the_table_s() -> None:
    assert [default_population(n) for n in (1, 2, 10, 20, 100)] == [4, 6, 10, 12, 17]


def some_distribution(rng: np.random.Generator, n: int, generations: int) -> SearchDistribution:
    root = rng.standard_normal((n, n))
    return SearchDistribution(
        mean=rng.random(n),
        step=0.2,
        covariance=root @ root.T / n + 0.1 * np.eye(n),
        step_path=rng.standard_normal(n),
        covariance_path=rng.standard_normal(n),
        generations=generations,
    )


@pytest.mark.parametrize("n", [1, 3, 8])
@pytest.mark.parametrize("generations", [0, 40])
@pytest.mark.parametrize("quick", [False, True])
def test_an_update_is_the_tutorial_s_written_out(n: int, generations: int, quick: bool) -> None:
    rng = np.random.default_rng(n)
    old = some_distribution(rng, n, generations)
    if quick:
        old = SearchDistribution(
            old.mean, old.step, old.covariance, 50 * np.ones(n), old.covariance_path, generations
        )
    count = 7
    r = Recombination.of(n, count)
    values, vectors = np.linalg.eigh(old.covariance)
    inverse_root = vectors @ np.diag(1.0 / np.sqrt(values)) @ vectors.T
    # None is so long that it would be cut.
    normal = rng.standard_normal((count, n))
    normal *= np.minimum(1.0, 0.99 * longest_step(n) / np.linalg.norm(normal, axis=1))[:, None]
    y = normal @ np.linalg.inv(inverse_root).T

    y_w = sum(r.weights[i] * y[i] for i in range(r.parents))
    mean = old.mean + old.step * y_w
    p_s = (1 - r.step_rate) * old.step_path + math.sqrt(r.step_rate * (2 - r.step_rate) * r.mass) * (
        inverse_root @ y_w
    )
    chi = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n**2))
    step = old.step * math.exp(min(1.0, r.step_rate / r.step_damping * (np.linalg.norm(p_s) / chi - 1)))
    normalised = np.linalg.norm(p_s) / math.sqrt(1 - (1 - r.step_rate) ** (2 * (generations + 1)))
    h = 1.0 if normalised < (1.4 + 2 / (n + 1)) * chi else 0.0
    assert h == (0.0 if quick else 1.0)
    p_c = (1 - r.path_rate) * old.covariance_path + h * math.sqrt(
        r.path_rate * (2 - r.path_rate) * r.mass
    ) * y_w
    delta = (1 - h) * r.path_rate * (2 - r.path_rate)
    covariance = (1 + r.rank_one_rate * delta - r.rank_one_rate - r.rank_many_rate * r.weights.sum()) * (
        old.covariance
    ) + r.rank_one_rate * np.outer(p_c, p_c)
    for i in range(count):
        w = r.weights[i]
        if w < 0:
            w *= n / np.linalg.norm(inverse_root @ y[i]) ** 2
        covariance = covariance + r.rank_many_rate * w * np.outer(y[i], y[i])

    new = updated(old, old.mean + old.step * y, r)
    assert new.mean == pytest.approx(mean)
    assert new.step == pytest.approx(step)
    assert new.step_path == pytest.approx(p_s)
    assert new.covariance_path == pytest.approx(p_c)
    assert new.covariance == pytest.approx(covariance)
    assert new.generations == generations + 1


@given(st.integers(1, 6), st.integers(4, 12), st.integers(0, 10**6), st.sampled_from([0.0, 1e-9, 1.0, 1e6]))
def test_whatever_it_is_told_of_it_stays_a_distribution(n: int, count: int, seed: int, far: float) -> None:
    rng = np.random.default_rng(seed)
    distribution = SearchDistribution.begun(np.full(n, 0.5), 0.3)
    recombination = Recombination.of(n, count)
    for _ in range(5):
        points = distribution.mean + far * rng.standard_normal((count, n))
        distribution = updated(distribution, points, recombination)
        lengths, _ = distribution.axes
        assert np.isfinite(distribution.mean).all()
        assert 0.0 < distribution.step < math.inf
        assert np.linalg.eigvalsh(distribution.covariance).min() > 0.0
        assert np.isfinite(lengths).all()


def test_a_point_from_far_off_moves_the_mean_by_no_more_than_one_cut_to_length() -> None:
    old = SearchDistribution.begun(np.zeros(3), 0.1)
    recombination = Recombination.of(3, 6)
    far = np.vstack([[1e9, 0.0, 0.0], np.zeros((5, 3))])
    cut = np.vstack([[0.1 * longest_step(3), 0.0, 0.0], np.zeros((5, 3))])
    assert updated(old, far, recombination).mean == pytest.approx(updated(old, cut, recombination).mean)


def test_draws_have_the_mean_and_covariance_that_are_said() -> None:
    distribution = some_distribution(np.random.default_rng(3), 3, 5)
    drawn = distribution.draw(200_000, np.random.default_rng(0))
    assert drawn.mean(axis=0) == pytest.approx(distribution.mean, abs=0.005)
    expected = distribution.step**2 * distribution.covariance
    assert np.cov(drawn.T) == pytest.approx(expected, abs=0.02 * expected.max())
    white = distribution.whitened((drawn - distribution.mean) / distribution.step)
    assert np.cov(white.T) == pytest.approx(np.eye(3), abs=0.02)
