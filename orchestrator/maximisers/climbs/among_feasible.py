"""Climbing where parameters are tied to one another: the best point often lies where a tie begins to bind.

Steps up the gradient and about a point are moved in where they lead out, which leads along the boundary; they
grow where they help and shrink where they do not.

Notation: n points, D coordinates.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.maximisers.objective import Objective
from orchestrator.unit_cube.domain import Domain

ROUNDS = 40
# Of steps, in the unit cube: how far at first, at most and at last, and what becomes of that where they help
# and where they do not.
FIRST_SCALE, LARGEST_SCALE, SMALLEST_SCALE = 0.05, 0.3, 1e-5
GROWTH, SHRINKAGE = 1.5, 0.35
# Of each point in each round: steps about it, and lengths of a step up the gradient and on as before.
ABOUT = 16
LENGTHS = (2.0, 1.0, 0.3)
# The worse half of the points gives up after so many rounds, and again after as many.
ROUNDS_TO_A_CHOICE = 8
# Discrete coordinates are changed one at a time in every so many rounds.
ROUNDS_TO_A_CHANGE = 4


def settled(
    objective: Objective, domain: Domain, points: FloatArray, most: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Feasible (k, D) points and their (k,) values: the ``most`` best of (n, D) ones, moved in and on."""
    points = np.unique(domain.snap(points), axis=0)
    values = comparable(objective.values(points))
    order = np.argsort(-values, kind="stable")[:most]
    points, values = points[order], values[order]
    scales, last = np.full(len(points), FIRST_SCALE), np.zeros(points.shape)
    for number in range(ROUNDS):
        staying = max(1, len(values) >> (number // ROUNDS_TO_A_CHOICE))
        scales[np.argsort(-values, kind="stable")[staying:]] = 0.0
        live = np.flatnonzero(scales > SMALLEST_SCALE)
        if len(live) == 0:
            break
        groups = _steps(objective, domain, points[live], scales[live], last[live], rng)
        if number % ROUNDS_TO_A_CHANGE == 0 and (domain.is_discrete.any() or domain.faces is not None):
            changed = [domain.neighbours(points[i]) for i in live]
            groups = [np.vstack(both) for both in zip(groups, changed, strict=True)]
        found = comparable(objective.values(np.vstack(groups)))
        end = 0
        for i, group in zip(live, groups, strict=True):
            begin, end = end, end + len(group)
            best = begin + int(np.argmax(found[begin:end]))
            if found[best] > values[i]:
                last[i] = group[best - begin] - points[i]
                points[i], values[i] = group[best - begin], found[best]
                scales[i] = min(GROWTH * scales[i], LARGEST_SCALE)
            else:
                scales[i] *= SHRINKAGE
    return points, values


def _steps(
    objective: Objective,
    domain: Domain,
    points: FloatArray,
    scales: FloatArray,
    last: FloatArray,
    rng: np.random.Generator,
) -> list[FloatArray]:
    """Feasible (m, D) points about each of (n, D), as far as its scale."""
    n, D = points.shape
    _, slopes = objective.values_and_gradients(points)
    slopes = np.where(domain.is_discrete | ~np.isfinite(slopes), 0.0, slopes)
    about = rng.standard_normal((n, ABOUT, D))
    about[:, ::2] *= rng.random((n, ABOUT // 2, D)) < min(1.0, 2.0 / D)
    if domain.faces is not None:
        slopes = domain.faces.along(points, slopes)
        about = domain.faces.along(np.broadcast_to(points[:, None, :], about.shape), about)
    steepest = np.maximum(np.abs(slopes).max(axis=1, keepdims=True), 1e-300)
    lengths = np.array(LENGTHS)[None, :, None]
    upwards = lengths * (slopes / steepest)[:, None, :]
    tried = points[:, None, :] + scales[:, None, None] * np.concatenate([about, upwards], axis=1)
    onwards = points[:, None, :] + lengths * last[:, None, :]
    every = np.concatenate([tried, onwards], axis=1)
    return list(domain.snap(every.reshape(-1, D)).reshape(every.shape))


def comparable(values: FloatArray) -> FloatArray:
    """(n,) values, the least there is where one is no number or infinite: nothing leads there."""
    return np.where(np.isfinite(values), values, -np.finfo(float).max)
