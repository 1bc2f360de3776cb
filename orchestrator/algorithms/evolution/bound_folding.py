"""How a search without bounds is laid into the unit interval: what goes beyond a bound is folded back.

Within, both are the same, except for a margin at each bound, where the way back to the bound is a parabola.
So a best point at a bound is the middle of a valley that is alike on both sides.

Source: pycma's ``BoundTransform`` (Hansen, ``BoxConstraintsLinQuadTransformation``), with margins of 0.05.
"""

from __future__ import annotations

import numpy as np

from orchestrator.arrays import FloatArray

MARGIN = 0.05
"""Half of the width that a parabola takes: from so far beyond a bound to so far within."""
_WIDTH = 1.0 + 2.0 * MARGIN


def folded(places: FloatArray) -> FloatArray:
    """Where in [0, 1] places on the line lie, of any shape."""
    # A triangle wave: 0 where the lower parabola has its bottom, `_WIDTH` where the upper one has.
    along = np.abs(np.mod(places + MARGIN + _WIDTH, 2.0 * _WIDTH) - _WIDTH)
    back = _WIDTH - along
    inside = np.where(along < 2.0 * MARGIN, along**2 / (4.0 * MARGIN), along - MARGIN)
    return np.where(back < 2.0 * MARGIN, 1.0 - back**2 / (4.0 * MARGIN), inside)


def unfolded(positions: FloatArray) -> FloatArray:
    """The place in [-`MARGIN`, 1 + `MARGIN`] that lies at each position in [0, 1], of any shape."""
    low = 2.0 * np.sqrt(MARGIN * np.maximum(positions, 0.0)) - MARGIN
    high = 1.0 + MARGIN - 2.0 * np.sqrt(MARGIN * np.maximum(1.0 - positions, 0.0))
    places = np.where(positions < MARGIN, low, positions)
    return np.where(positions > 1.0 - MARGIN, high, places)


def mirrored(places: FloatArray, near: FloatArray) -> FloatArray:
    """The places at the same positions on the other side of whichever fold is nearer to a place ``near``
    them; of one shape.
    """
    return np.where(near < 0.5, -2.0 * MARGIN, 2.0 + 2.0 * MARGIN) - places


def folded_deviations(places: FloatArray, deviations: FloatArray) -> FloatArray:
    """How far from where a place lies one deviation to either side of it is, at most; of their shape."""
    centre = folded(places)
    below, above = folded(places - deviations), folded(places + deviations)
    return np.maximum(np.abs(below - centre), np.abs(above - centre))
