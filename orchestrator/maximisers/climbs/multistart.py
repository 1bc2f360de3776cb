"""Maximise an acquisition over a domain: many starts, gradients where they exist, neighbours where not.

Random points and the neighbourhoods of the best points known are screened together; the best climb by
gradient with ordinal coordinates, and whole numbers, relaxed; then snapped points move to better neighbours
in their discrete coordinates, in turn with ascent in the continuous ones, until neither helps.

Notation: D coordinates, n points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.maximisers.climbs.among_feasible import comparable, settled
from orchestrator.maximisers.climbs.among_rows import AmongRows
from orchestrator.maximisers.climbs.ascent import MOST_HESSIAN_ENTRIES, ascend
from orchestrator.maximisers.maximum import Maximum
from orchestrator.maximisers.objective import Objective
from orchestrator.unit_cube.domain import Domain

Allows = Callable[[FloatArray], BoolArray]

# Deviations, in the unit cube, of steps about the best points known.
NEARBY_SCALES = (0.1, 0.03, 0.01)
# A neighbour is better by more than rounding: this part of the value, and of 1.
SMALLEST_GAIN = 1e-9
# Of more discrete neighbours of a point so many are looked at, others at every move.
MOST_NEIGHBOURS = 500


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to look: random points screened, starts that climb, iterations of ascent, points polished
    in discrete coordinates, and the most moves each makes.
    """

    samples: int = 400
    starts: int = 16
    iterations: int = 40
    polished: int = 4
    moves: int = 12


def anything(points: FloatArray) -> BoolArray:
    """Allows all of (n, D) points."""
    return np.ones(len(points), dtype=bool)


def maximise(
    objective: Objective,
    domain: Domain,
    incumbents: FloatArray,
    allows: Allows,
    rng: np.random.Generator,
    effort: Effort = Effort(),
) -> Maximum | None:
    """The best feasible point found among those that ``allows`` lets through; None if it lets none.

    ``incumbents`` (k, D), k >= 0, are points worth searching about. ``allows`` maps (n, D) to (n,) booleans;
    where it refuses the best point, its neighbours are looked at for the next best. Of rows
    all are looked at.
    """
    if domain.rows is not None:
        corners = np.zeros(domain.dimension), np.ones(domain.dimension)
        return AmongRows(domain, domain.rows, allows, *corners).best(objective, incumbents, rng)
    screened = np.vstack([domain.sample(effort.samples, rng), incumbents, _nearby(domain, incumbents, rng)])
    scores = comparable(objective.values(screened))
    starts = _starts(screened, scores, effort, domain)
    relaxed = domain.is_climbed
    if relaxed.any():
        # Of snapped points several are polished, and the highest of them need not come from the highest top.
        only_highest = domain.is_product and not domain.is_discrete.any()
        moving = relaxed if domain.faces is None else relaxed & domain.faces.in_use(starts)
        climbed, reached = ascend(
            objective,
            starts,
            moving,
            effort.iterations,
            rivals=only_highest,
            comes_round=domain.is_searched_round,
        )
        reached = comparable(reached)
    else:
        climbed, reached = starts, comparable(objective.values(starts))
    if domain.ties is not None:
        tops = np.vstack([starts, climbed])
        climbed, reached = settled(objective, domain, tops, effort.polished, rng)
    elif domain.is_discrete.any() or domain.activity is not None:
        climbed, reached = _polish(objective, domain, climbed, effort, rng)
    order = np.argsort(-reached, kind="stable")
    climbed, reached = climbed[order], reached[order]
    if allows(climbed[:1])[0]:
        return Maximum(climbed[0], float(reached[0]))
    near = np.vstack(
        [_nearby(domain, climbed[:1], rng), domain.some_neighbours(climbed[0], MOST_NEIGHBOURS, rng)]
    )
    points = np.vstack([climbed, near, screened])
    values = np.concatenate([reached, comparable(objective.values(near)), scores])
    allowed = np.flatnonzero(allows(points))
    if len(allowed) == 0:
        return None
    best = allowed[np.argmax(values[allowed])]
    return Maximum(points[best], float(values[best]))


def _starts(screened: FloatArray, scores: FloatArray, effort: Effort, domain: Domain) -> FloatArray:
    """Half of the starts from anywhere, half from about the incumbents (the best of each)."""
    count = max(2, min(effort.starts, MOST_HESSIAN_ENTRIES // domain.dimension**2))
    anywhere, near = np.arange(effort.samples), np.arange(effort.samples, len(screened))
    orders = [group[np.argsort(-scores[group], kind="stable")] for group in (anywhere, near)]
    if domain.activity is not None:
        orders = [_of_all_kinds(order, screened, domain) for order in orders]
    starts: FloatArray = screened[np.concatenate([order[: (count + 1) // 2] for order in orders])]
    return starts


def _of_all_kinds(order: IndexArray, points: FloatArray, domain: Domain) -> IndexArray:
    """The rows of distinct points in another order: the first of each kind, that is of those where the same
    coordinates count, then the second of each. Where little counts, points lie dense, and would be most.
    """
    _, first = np.unique(points[order], axis=0, return_index=True)
    order = order[np.sort(first)]
    _, kinds = np.unique(domain.active(points[order]), axis=0, return_inverse=True)
    places = np.empty(len(order), dtype=np.intp)
    for kind in np.unique(kinds):
        own = kinds.ravel() == kind
        places[own] = np.arange(np.count_nonzero(own))
    return order[np.argsort(places, kind="stable")]


def _nearby(domain: Domain, points: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Feasible points about each of (k, D): three scales, and all coordinates moved or about two of them."""
    if len(points) == 0:
        return points
    k, D = points.shape
    scales = np.repeat(NEARBY_SCALES, 4)[:, None]
    steps = scales * rng.standard_normal((k, len(scales), D))
    chosen = rng.random((k, len(scales), D)) < min(1.0, 2.0 / D)
    steps[:, ::2] *= chosen[:, ::2]
    if domain.faces is not None:
        steps = domain.faces.along(np.broadcast_to(points[:, None, :], steps.shape), steps)
    return domain.snap((points[:, None, :] + steps).reshape(-1, D))


def _polish(
    objective: Objective, domain: Domain, points: FloatArray, effort: Effort, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """The best ``polished``, snapped, then moved to the best neighbour and up the gradient in turn."""
    points = np.unique(domain.snap(points), axis=0)
    values = comparable(objective.values(points))
    order = np.argsort(-values, kind="stable")[: effort.polished]
    points, values = points[order], values[order]
    continuous = ~domain.is_discrete
    moving = np.arange(len(points))
    for _ in range(effort.moves):
        if continuous.any():
            climbed, reached = ascend(
                objective,
                points[moving],
                continuous,
                effort.iterations // 4,
                comes_round=domain.is_searched_round,
            )
            points[moving], values[moving] = climbed, comparable(reached)
        groups = [domain.some_neighbours(points[i], MOST_NEIGHBOURS, rng) for i in moving]
        neighbours = np.vstack(groups)
        if len(neighbours) == 0:
            break
        scores = comparable(objective.values(neighbours))
        moved, end = [], 0
        for i, group in zip(moving, groups, strict=True):
            start, end = end, end + len(group)
            best = start + int(np.argmax(scores[start:end]))
            if scores[best] > values[i] + SMALLEST_GAIN * (1 + abs(values[i])):
                points[i], values[i] = neighbours[best], scores[best]
                moved.append(i)
        if not moved:
            break
        moving = np.array(moved)
    return domain.folded(points), values
