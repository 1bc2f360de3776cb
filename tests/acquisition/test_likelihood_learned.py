"""How much of a likelihood's variance an evaluation takes: held against what comes of evaluations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.stats import multivariate_normal, norm

from orchestrator.acquisition.likelihood_learned import GroupAtPlaces, GroupTaken, LogLikelihoodLearned
from orchestrator.acquisition.outcome_draws import OutcomeGroup
from orchestrator.acquisition.target_likelihood import FittedGroup
from orchestrator.algorithms.ask_and_tell.hallucination import in_all
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.shared_kernel import SharedKernelGP

RNG = np.random.default_rng(5)
SEEN, PLACES, POINTS = RNG.random((7, 2)), RNG.random((9, 2)), RNG.random((4, 2))
TARGETS, ERRORS = np.array([0.4, -0.2, 1.0]), np.array([0.5, 0.3, 0.8])
NOISE = 1e-3
ALIKE = np.zeros(len(PLACES))


def fitted() -> list[FittedGroup]:
    """Of three outcomes, of which the last two share a kernel."""
    a, b = SEEN.T
    Y = np.stack([np.sin(4 * a), b**2, a + b], axis=1)
    groups = []
    for columns, scale in ((slice(0, 1), 0.5), (slice(1, 3), 0.4)):
        kernel = Hyperparameters((scale, 0.6), 1.0, 0.0).kernel(MATERN_52, np.arange(2))
        model = SharedKernelGP(kernel, NOISE, SEEN, Y[:, columns])
        width = columns.stop - columns.start
        group = OutcomeGroup(columns.start, model, np.full(width, 0.1), np.full(width, 1.7))
        groups.append(FittedGroup.of(group, TARGETS[columns], ERRORS[columns]))
    return groups


@contextmanager
def learned(
    running: FloatArray = POINTS[:0], log_weights: FloatArray = ALIKE
) -> Iterator[LogLikelihoodLearned]:
    groups = fitted()
    at = [GroupAtPlaces.of(one, PLACES) for one in groups]
    with in_all(one.group.model.hallucinating(running) for one in groups):
        yield LogLikelihoodLearned([GroupTaken.of(one, PLACES) for one in at], log_weights)


def taken_by(point: FloatArray, running: FloatArray = POINTS[:0]) -> float:
    with learned(running) as objective:
        return float(np.exp(objective.values(point)[0]))


def squares(taken: Sequence[FloatArray]) -> FloatArray:
    """(P,) E[E[L | z]^2] as it is told, without its constant."""
    at = [GroupAtPlaces.of(one, PLACES) for one in fitted()]
    return np.exp(sum(one.log_square(t) for one, t in zip(at, taken, strict=True)))


def drawn(draws: int) -> FloatArray:
    """(draws, P, 3) outcomes at all places, of each by itself."""
    rng, found = np.random.default_rng(1), []
    for one in fitted():
        mean, deviation = one.group.model.beliefs(PLACES)
        root = one.group.model.root
        z = rng.standard_normal((draws, len(PLACES), root.shape[1])) @ root.T
        found.append(one.group.shift + one.group.scale * (mean + deviation[:, None] * z))
    return np.concatenate(found, axis=2)


def test_before_an_evaluation_it_is_the_mean_squared_and_after_one_that_tells_all_the_mean_of_squares() -> (
    None
):
    likelihoods = norm.pdf(TARGETS, drawn(40_000), ERRORS).prod(axis=2) / norm.pdf(0, 0, ERRORS).prod()
    nothing = [np.zeros(len(PLACES))] * 2
    everything = [np.square(one.group.model.beliefs(PLACES)[1]) for one in fitted()]
    mean, second = likelihoods.mean(axis=0) ** 2, np.square(likelihoods).mean(axis=0)
    assert squares(nothing) == pytest.approx(mean, rel=0.05, abs=1e-3 * mean.max())
    assert squares(everything) == pytest.approx(second, rel=0.05, abs=1e-3 * second.max())


def test_between_them_it_is_what_is_left_on_average_over_what_an_evaluation_may_bring() -> None:
    """Held against the likelihood after each of many outcomes at a point, by models that were told them."""
    rng, point = np.random.default_rng(2), POINTS[:1]
    after = np.empty((200, len(PLACES)))
    for row in range(len(after)):
        means, covariances = [], []
        for one in fitted():
            model, own = one.group.model, one.group
            mean, deviation = model.beliefs(point)
            total = np.sqrt(deviation[0] ** 2 + NOISE)
            came = total * (model.root @ rng.standard_normal(model.root.shape[1]))
            cross = model.together(np.vstack([PLACES, point]))[1][:-1, -1]
            moved = model.beliefs(PLACES)[0] + cross[:, None] / total**2 * came
            left = np.square(model.beliefs(PLACES)[1]) - cross**2 / total**2
            factor = own.scale[:, None] * model.root
            means.append(own.shift + own.scale * moved)
            covariances.append(left[:, None, None] * (factor @ factor.T))
        for place in range(len(PLACES)):
            covariance = np.diag(ERRORS**2)
            covariance[:1, :1] += covariances[0][place]
            covariance[1:, 1:] += covariances[1][place]
            mean = np.concatenate([means[0][place], means[1][place]])
            after[row, place] = multivariate_normal.pdf(TARGETS, mean, covariance)
    met = norm.pdf(0.0, 0.0, ERRORS).prod()
    with learned() as objective:
        promised = squares([one.taken(point)[0] for one in objective.groups])
    assert promised.sum() == pytest.approx(np.square(after / met).mean(axis=0).sum(), rel=0.05)
    before = squares([np.zeros(len(PLACES))] * 2)
    assert taken_by(point) == pytest.approx((promised - before).sum(), rel=1e-9)


def test_what_runs_is_taken_first_in_either_order() -> None:
    one, other = POINTS[:1], POINTS[1:2]
    totals = [taken_by(one) + taken_by(other, one), taken_by(other) + taken_by(one, other)]
    assert totals[0] == pytest.approx(totals[1], rel=1e-6)
    assert taken_by(one, one) < taken_by(one) / 10.0


def test_its_slopes_are_those_of_its_values() -> None:
    for running in (POINTS[:0], POINTS[1:2]):
        with learned(running, RNG.standard_normal(len(PLACES))) as objective:
            values, slopes = objective.values_and_gradients(POINTS[2:])
            assert values == pytest.approx(objective.values(POINTS[2:]), rel=1e-12)
            for point, slope in zip(POINTS[2:], slopes, strict=True):
                numeric = approx_fprime(point, lambda x: float(objective.values(x[None, :])[0]), 1e-7)
                assert slope == pytest.approx(numeric, rel=1e-4, abs=1e-5)


def test_far_below_all_that_a_double_holds_it_still_tells_where_more_is_learned() -> None:
    far = [FittedGroup.of(one.group, one.values + 80.0, one.errors) for one in fitted()]
    at = [GroupAtPlaces.of(one, PLACES) for one in far]
    objective = LogLikelihoodLearned([GroupTaken.of(one, PLACES) for one in at], np.zeros(len(PLACES)))
    values, slopes = objective.values_and_gradients(POINTS)
    assert (values < -800.0).all()
    assert len(set(values.tolist())) == len(POINTS)
    assert np.abs(slopes).min() > 1e-3


def test_outcomes_that_may_be_off_by_more_than_can_be_squared_twice_have_a_number() -> None:
    group = GroupAtPlaces.of(fitted()[0], PLACES)
    wide = replace(group, variances=np.full(len(PLACES), 1e200))
    with np.errstate(over="raise"):
        told = wide.log_square(np.zeros(len(PLACES)))
    assert told == pytest.approx(-np.log(group.group.shares[0] * 1e200))
