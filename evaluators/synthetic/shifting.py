"""A function moved, so that an optimum at the centre, at a corner or at zero helps nobody.

Notation: D parameters, k listed optimum points.
"""

from __future__ import annotations

import numpy as np

from evaluators.synthetic.definition import Box, FloatArray, Optimum, SyntheticFunction

_MIDDLE = (0.2, 0.8)
"""The share of each parameter's range into which the optimum is moved."""


def shifted_and_permuted(function: SyntheticFunction, seed: int) -> SyntheticFunction:
    """The function with its parameters in another order and its landscape moved under the same bounds.

    A continuous parameter is translated, so that the first optimum point comes to lie at a place drawn
    uniformly from the middle 60 % of its range; an integer likewise, by a whole number (anywhere in its
    range, where that has no middle); a choice has its values renamed. Nothing is stretched: scales,
    periods and curvatures stay what they were. Bounds, kinds and factors move with their parameters.

    At the borders. What leaves the box on one side is lost, and on the other side the formula is followed
    beyond its old bounds, as far as its `Box.reach` goes: as far as its optimum is known to be the best
    there is. Beyond that the landscape is mirrored at the border of the reach, continuous with a crease.
    Most formulas hold everywhere and have no crease. Where the reach is the box itself (`eggholder`,
    `ackley-unit`, whose optima lie on the border), that border becomes a crease inside the new box, with
    the optimum on it.

    So the optimum's value is attained, feasible and never exceeded, and values are those of the original
    at other points. Optimum points that leave the box are no longer listed, and mirror images of optimum
    points are not listed either.
    """
    box, dimension = function.box, function.dimension
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(dimension,)))
    order = np.argsort(rng.random(dimension), kind="stable")
    draws = rng.random(dimension)
    choices = {
        i: np.argsort(rng.random(_count(box, i)), kind="stable") + box.bounds[i, 0]
        for i in range(dimension)
        if box.kinds[i] == "choice"
    }
    offset = _targets(box, draws) - function.optimum.points[0]
    offset[list(choices)] = 0.0
    reach_lower, reach_upper = box.extent.T

    def original(points: FloatArray) -> FloatArray:
        unordered = np.empty_like(points)
        unordered[:, order] = points
        moved: FloatArray = unordered - offset
        moved = np.where(moved > reach_upper, 2.0 * reach_upper - moved, moved)
        moved = np.where(moved < reach_lower, 2.0 * reach_lower - moved, moved)
        for i, names in choices.items():
            moved[:, i] = names[(unordered[:, i] - box.bounds[i, 0]).astype(int)]
        return moved

    images = function.optimum.points + offset
    for i, names in choices.items():
        new_names = np.argsort(names) + box.bounds[i, 0]
        images[:, i] = new_names[(images[:, i] - box.bounds[i, 0]).astype(int)]
    images = images[:, order]
    moved_box = Box(box.bounds[order], tuple(box.kinds[i] for i in order))
    place = np.argsort(order)
    return SyntheticFunction(
        name=f"{function.name}-shifted-{seed}",
        box=moved_box,
        optimum=Optimum(
            function.optimum.value, np.array([image for image in images if moved_box.contains(image)])
        ),
        terms=lambda points: function.terms(original(points)),
        factors=None
        if function.factors is None
        else tuple(tuple(sorted(int(place[i]) for i in factor)) for factor in function.factors),
        goal=function.goal,
    )


def _count(box: Box, parameter: int) -> int:
    lower, upper = box.bounds[parameter]
    return int(upper - lower) + 1


def _targets(box: Box, draws: FloatArray) -> FloatArray:
    """Where the optimum is to lie: (D,), feasible, from (D,) uniform draws."""
    lower, upper = box.bounds.T
    targets: FloatArray = lower + (upper - lower) * (_MIDDLE[0] + (_MIDDLE[1] - _MIDDLE[0]) * draws)
    for i, kind in enumerate(box.kinds):
        if kind == "float":
            continue
        first = np.ceil(lower[i] + _MIDDLE[0] * (upper[i] - lower[i]))
        last = np.floor(lower[i] + _MIDDLE[1] * (upper[i] - lower[i]))
        if first > last:
            first, last = lower[i], upper[i]
        targets[i] = first + np.floor(draws[i] * (last - first + 1.0))
    return targets
