"""Quasi-Newton ascent in the unit cube from many starts at once.

Every start keeps its own inverse Hessian and step length, but all of them are evaluated together: one call
of the objective an iteration, whatever the number of starts. Bounds are kept by projection, coordinates
that push against one taking no part in the step. Coordinates that come round have none.

Notation: n starts, D coordinates, X (n, D) points, f (n,) values, G (n, D) gradients, H (n, D, D)
approximations to the inverse of minus the Hessian (BFGS), s and y differences of points and gradients.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.maximisers.objective import Objective
from orchestrator.unit_cube.circle import within_a_turn

# A step that gains less than this part of what the gradient foretold is tried again at a quarter (Armijo).
SUFFICIENT_INCREASE = 1e-4
# Of a step, in the unit cube, by the coordinate that moves farthest: the first, the longest, and the last.
FIRST_STEP, LONGEST_STEP, SHORTEST_STEP = 0.1, 0.5, 1e-4
# As part of the value, and of 1.
SMALLEST_GAIN = 1e-6
# A rival that lies just below the highest is given up if so many more steps like its last one would not bring
# it far enough above: from so many calls on, and not before it has learned some of how its hill is curved,
# which takes as many steps as there are coordinates.
ALMOST_AS_HIGH, ENOUGH_ABOVE, STEPS_TO_CATCH_UP = 0.1, 1e-3, 5
JUDGED_FROM, JUDGED_FROM_OF_EACH_COORDINATE = 8, 0.5
MOST_HESSIAN_ENTRIES = 2_000_000
"""As many as `ascend` should be made to hold: n D^2 of them."""


def ascend(
    objective: Objective,
    X: FloatArray,
    moving: BoolArray,
    iterations: int,
    *,
    rivals: bool = False,
    comes_round: BoolArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Climb from each of (n, D) starts; coordinates that are not ``moving``, (D,) or (n, D), stay, and of
    those that ``comes_round``, (D,), both ends are one setting, also to the objective.

    Returns the (n, D) points reached and their (n,) values, none lower than at its start. ``iterations``
    bounds the calls of the objective; a start stops earlier when its steps are shorter than 1e-4
    or gain less than a millionth of its value (and of 1).

    Where only the highest end is wanted, in standardised units or logarithms, starts are ``rivals``: one that
    is almost as high as the highest so far, and is not going to be higher by more than a thousandth, stops as
    well. Most climb to the same top, whose last digits took half of all calls. Those that lie far below may
    yet be on their way: along a narrow ridge they gain little at first.
    """
    X = X.copy()
    lower, upper = _ends(X.shape[1], comes_round)
    moving = np.broadcast_to(moving, X.shape)
    f, G = objective.values_and_gradients(X)
    f, G = f.copy(), G * moving
    H = np.broadcast_to(np.eye(X.shape[1]), (len(X), *2 * X.shape[1:])).copy()
    H *= (FIRST_STEP / np.maximum(np.abs(G).max(axis=1), 1e-300))[:, None, None]
    fresh = np.ones(len(X), dtype=bool)
    step = np.ones(len(X))
    gained = np.full(len(X), np.inf)
    judged_from = max(JUDGED_FROM, JUDGED_FROM_OF_EACH_COORDINATE * X.shape[1])
    live = np.flatnonzero(np.isfinite(f) & (G != 0).any(axis=1))
    for call in range(1, iterations + 1):
        if len(live) == 0:
            break
        x, g = X[live], G[live]
        free = ~((x <= lower) & (g < 0) | (x >= upper) & (g > 0))
        g_free = g * free
        direction = (H[live] @ g_free[:, :, None])[:, :, 0] * free
        longest = np.abs(direction).max(axis=1)
        shrink = step[live] * np.minimum(1.0, LONGEST_STEP / np.maximum(longest, 1e-300))
        x_new = np.clip(x + shrink[:, None] * direction, lower, upper)
        f_new, g_new = objective.values_and_gradients(x_new)
        g_new = g_new * moving[live]
        s = x_new - x
        accepted = f_new >= f[live] + SUFFICIENT_INCREASE * np.einsum("ij,ij->i", g, s)
        moving_on = np.abs(s).max(axis=1) > SHORTEST_STEP
        moving_on &= ~accepted | (f_new - f[live] > SMALLEST_GAIN * (1 + np.abs(f_new)))
        step[live] = np.where(accepted, 1.0, 0.25 * step[live])
        taken = live[accepted]
        gained[taken] = f_new[accepted] - f[taken]
        X[taken], f[taken], G[taken] = x_new[accepted], f_new[accepted], g_new[accepted]
        _learn_curvature(H, fresh, taken, s[accepted], (g - g_new)[accepted])
        live = live[moving_on]
        if rivals and call >= judged_from:
            live = live[_worth_climbing(f, live, gained)]
    if comes_round is not None and comes_round.any():
        X[:, comes_round] = within_a_turn(X[:, comes_round])
    return X, f


def _ends(dimension: int, comes_round: BoolArray | None) -> tuple[FloatArray, FloatArray]:
    """(D,) lower and upper ones."""
    lower, upper = np.zeros(dimension), np.ones(dimension)
    if comes_round is not None:
        lower[comes_round], upper[comes_round] = -np.inf, np.inf
    return lower, upper


def _worth_climbing(f: FloatArray, live: IndexArray, gained: FloatArray) -> BoolArray:
    """Which of the ``live`` rivals, which ``gained`` so much by their last steps, may yet be the highest."""
    highest = f[np.isfinite(f)].max()
    far_below = f[live] < highest - ALMOST_AS_HIGH
    catching_up = f[live] + STEPS_TO_CATCH_UP * gained[live] >= highest + ENOUGH_ABOVE
    worth: BoolArray = far_below | catching_up | (f[live] >= highest)
    return worth


def _learn_curvature(H: FloatArray, fresh: BoolArray, rows: IndexArray, s: FloatArray, y: FloatArray) -> None:
    """BFGS updates of H at ``rows``, where the curvature along the step is that of a maximum."""
    sy = np.einsum("ij,ij->i", s, y)
    yy = np.einsum("ij,ij->i", y, y)
    # Gradients next to nothing differ by squares that round to zero.
    curved = (sy > 1e-10 * np.sqrt(np.einsum("ij,ij->i", s, s) * yy)) & (yy > np.finfo(float).tiny)
    if not curved.any():
        return
    rows, s, y, sy, yy = rows[curved], s[curved], y[curved], sy[curved], yy[curved]
    # Before its first update H is the identity in units of the curvature along the first step.
    first = fresh[rows]
    h = H[rows]
    h[first] = np.eye(s.shape[1]) * (sy[first] / yy[first])[:, None, None]
    fresh[rows] = False
    hy = (h @ y[:, :, None])[:, :, 0]
    yhy = np.einsum("ij,ij->i", y, hy)
    cross = s[:, :, None] * hy[:, None, :]
    h -= (cross + cross.transpose(0, 2, 1)) / sy[:, None, None]
    h += ((1 + yhy / sy) / sy)[:, None, None] * (s[:, :, None] * s[:, None, :])
    H[rows] = h
