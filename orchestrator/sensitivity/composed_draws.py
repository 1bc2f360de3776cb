"""Functions drawn of what is believed of outcomes, and of a value that is computed from them, each at many
points.

Notation: N points, K draws, m numbers that are modelled, in groups of q with a root R (q, r), E embedded
columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.acquisition.composite_improvement import LARGEST
from orchestrator.acquisition.outcome_draws import OutcomeGroup
from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.composed import ComposedModel
from orchestrator.sensitivity.function_draws import Linked


@dataclass(frozen=True, eq=False, slots=True)
class ComposedDraws:
    """(K, N) of a ``value``, in its own sense, and (K, N, scalars) of the ``numbers`` that it is computed of,
    as they were told; those of curves are not among them.
    """

    value: FloatArray
    numbers: FloatArray


def numbers_modelled(model: ComposedModel) -> int:
    """m."""
    return sum(group.model.outputs for group in model.groups)


def drawn_outcomes(
    model: ComposedModel, points: FloatArray, count: int, rng: np.random.Generator
) -> ComposedDraws:
    """At (N, D) points, without noise; K is an even ``count``."""
    X, half = model.domain.embed(points), count // 2
    drawn = [_of_group(group, X, half, model.stretch, rng) for group in model.groups]
    return composed_of(model, points, np.concatenate(drawn, axis=2))


def composed_of(model: ComposedModel, points: FloatArray, drawn: FloatArray) -> ComposedDraws:
    """Of (K, N, m) numbers that are ``drawn`` at (N, D) points. Where a value is no number, it is as results
    mostly are.
    """
    modelled, composing = model.modelled_outcomes, model.composing
    value = np.empty(drawn.shape[:2])
    with np.errstate(all="ignore"):
        for k, numbers in enumerate(drawn):
            value[k] = composing.sign * modelled.function.values(numbers[None], points)[0]
    value = np.where(np.isfinite(value), np.clip(value, -LARGEST, LARGEST), np.median(composing.values))
    return ComposedDraws(value, modelled.scalars(drawn))


def expected_numbers(model: ComposedModel, points: FloatArray) -> FloatArray:
    """(N, scalars) what those outcomes that are numbers are expected to be at (N, D) points, as they were
    told.
    """
    X = model.domain.embed(points)
    expected = [group.shift + group.scale * group.model.means(X) for group in model.groups]
    return model.modelled_outcomes.scalars(np.hstack(expected))


def _of_group(
    group: OutcomeGroup, X: FloatArray, half: int, stretch: float, rng: np.random.Generator
) -> FloatArray:
    """(K, N, q)."""
    model = group.model
    means, deviations = model.beliefs(X)
    linked = Linked.of(model.covariances_between, X, deviations**2)
    latent = np.stack([linked.drawn(half, rng) for _ in range(model.root.shape[1])], axis=2)
    apart = stretch * (latent @ model.root.T)
    return np.asarray(group.shift + group.scale * (means + np.concatenate([apart, -apart])))
