"""Functions drawn of what is believed of outcomes that are fitted, and held against what these were measured
to be.

Settings that are plausible by a fit are so by all that is believed of outcomes. Of these, those are plausible
there that are near the targets: without it outcomes would be spread as if nothing had been measured but for
the parameters. So at each setting outcomes are drawn of what is believed and of what was measured, both
together: exactly, however unsure models are. Where several models are as plausible, each comes up at each
setting as often as it is likely by the targets. What measurements were off by is drawn at each setting by
itself, as of two settings that meet the same targets each may be off another way.

Notation: N points, K draws, h half of these, M models, E embedded columns; of a group, in the errors of its
targets, z (q,) by how much outcomes are off, and U, v, s as in `target_likelihood`. With G = v s^2 / (1 + v
s^2), z drawn of what is believed, and e ~ N(0, 1), z - U G (U' z + e) is drawn of what was measured, too.
Source: Matheron's rule, Wilson et al. 2021, "Pathwise conditioning of Gaussian processes".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from scipy.special import ndtr, ndtri

from orchestrator.acquisition.averaged_likelihood import AveragedLikelihood
from orchestrator.acquisition.outcome_draws import OutcomeGroup
from orchestrator.acquisition.target_likelihood import FittedGroup, factor_of, log_of_square
from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.sensitivity.function_draws import Linked

TINY = float(np.finfo(float).tiny)

Model = TypeVar("Model")


def drawn_by_targets(
    likelihood: AveragedLikelihood,
    points: FloatArray,
    count: int,
    rng: np.random.Generator,
    factors: FloatArray | None = None,
) -> FloatArray:
    """(K, N, m) numbers that are modelled, at (N, D) points, without noise; K is an even ``count``.
    ``factors`` (N,) by which at each point all errors, and what models do not know, are larger than told.
    """
    X, half, stretch = likelihood.domain.embed(points), count // 2, likelihood.likeliest.stretch
    larger = np.ones(len(points)) if factors is None else factors

    def log_of_group(one: FittedGroup) -> FloatArray:
        squares, sizes = one.squares_and_sizes(X, stretch)
        return np.asarray(-0.5 * (squares / np.square(larger) + sizes))

    def of_group(one: FittedGroup, draws: int) -> FloatArray:
        return _of_group(one, X, stretch, draws, larger, rng)

    def log_of_rest(one: OutcomeGroup) -> FloatArray:
        return log_of_square(one, X, stretch)

    def of_rest(one: OutcomeGroup, draws: int) -> FloatArray:
        return _of_square(one, X, stretch, draws, rng)

    members = likelihood.members
    groups = zip(*(one.groups for one in members), strict=True)
    squares = zip(*(one.squares for one in members), strict=True)
    drawn = [_of_any(one, log_of_group, of_group, half, rng) for one in groups]
    drawn += [_of_any(one, log_of_rest, of_rest, half, rng) for one in squares]
    return np.concatenate(drawn, axis=3).reshape(2 * half, len(points), -1)


def _of_any(
    models: Sequence[Model],
    log: Callable[[Model], FloatArray],
    drawn: Callable[[Model, int], FloatArray],
    half: int,
    rng: np.random.Generator,
) -> FloatArray:
    """(2, h, N, q), of each of M models as often at each point as it is likely there."""
    if len(models) == 1:
        return drawn(models[0], half)
    chosen = _chosen(np.array([log(one) for one in models]), half, rng)
    found: FloatArray | None = None
    for i, one in enumerate(models):
        rows = np.flatnonzero((chosen == i).any(axis=1))
        if not len(rows):
            continue
        own = drawn(one, len(rows))
        if found is None:
            found = np.zeros((2, half, *own.shape[2:]))
        found[:, rows] = np.where((chosen[rows] == i)[None, :, :, None], own, found[:, rows])
    assert found is not None, "one is chosen"
    return found


def _chosen(logs: FloatArray, half: int, rng: np.random.Generator) -> IndexArray:
    """(h, N) which of M models, by (M, N) logarithms of how likely each is: of one function it changes from
    point to point no more than it has to.
    """
    until = np.cumsum(np.exp(logs - logs.max(axis=0)), axis=0)
    luck = (rng.permutation(half) + 0.5) / half
    passed = until[None, :-1] <= luck[:, None, None] * until[None, -1:]
    return np.asarray(passed.sum(axis=1))


def _of_group(
    fitted: FittedGroup,
    X: FloatArray,
    stretch: float,
    half: int,
    factors: FloatArray,
    rng: np.random.Generator,
) -> FloatArray:
    """(2, h, N, q)."""
    model = fitted.group.model
    mean, deviation = model.beliefs(X)
    linked = Linked.of(model.covariances_between, X, deviation**2)
    latent = np.stack([linked.drawn(half, rng) for _ in range(model.root.shape[1])], axis=2)
    apart = stretch * factors[:, None] * (latent @ (factor_of(fitted.group) / fitted.errors[:, None]).T)
    errors = factors[:, None] * rng.standard_normal((half, len(X), fitted.along.shape[1]))
    variances = np.square(stretch * deviation)[:, None] * fitted.shares
    gain, expected = variances / (1.0 + variances), fitted.apart(mean)
    found = np.empty((2, *apart.shape))
    for own, sign in zip(found, (1.0, -1.0), strict=True):
        off = expected + sign * apart
        off -= (gain * (off @ fitted.along + sign * errors)) @ fitted.along.T
        own[:] = fitted.values + fitted.errors * off
    return found


def _of_square(
    group: OutcomeGroup, X: FloatArray, stretch: float, half: int, rng: np.random.Generator
) -> FloatArray:
    """(2, h, N, 1) of what components of a curve leave out, z ~ N(mu, d^2) above 0, of which exp(-z / 2)
    counts: normal about mu - d^2 / 2, above 0.
    """
    told, deviation = group.model.beliefs(X)
    mean = (group.shift + group.scale * told)[:, 0]
    size = np.maximum(stretch * deviation * float(group.scale[0]), TINY)
    drawn = Linked.of(group.model.covariances_between, X, deviation**2).drawn(half, rng)
    normal = np.stack([drawn, -drawn]) / np.maximum(deviation, TINY)
    middle = mean - size**2 / 2.0
    with np.errstate(over="ignore"):
        above = np.maximum(ndtr(-normal) * ndtr(middle / size), TINY)
    return np.asarray(np.maximum(middle - size * ndtri(above), 0.0)[..., None])
