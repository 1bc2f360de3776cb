"""Heat conduction along a rod of parts that conduct differently, and its adjoint.

The rod is held at 0 at its ends, and heated evenly; what is sought are the conductivities of its parts by the
temperatures along it. One more solution of the same equations, the adjoint, gives the derivatives by all of
them at once.

Notation: D parts, m = 4 D - 1 places inside, K (m, m) the stiffness of all parts together, u temperatures.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

_Array = NDArray[np.float64]
CELLS = 4
"""Of each part."""
ERROR = 0.01
"""By which temperatures may well be off."""


class Rod:
    """Of ``parts``, of unit length and heated by 1 everywhere; places are the ends of cells inside."""

    def __init__(self, parts: int) -> None:
        self.parts = parts

    @cached_property
    def _width(self) -> float:
        return 1.0 / (CELLS * self.parts)

    def temperatures(self, conductivities: _Array) -> _Array:
        """(m,) at the places, of (D,) conductivities above 0."""
        return self._solved(conductivities, np.full(CELLS * self.parts - 1, self._width))

    def misfit(self, conductivities: _Array, target: _Array) -> tuple[float, _Array]:
        """The mean square by which temperatures are off (m,) ones that were measured, in `ERROR`s, and its
        (D,) derivatives by the conductivities.
        """
        found = self.temperatures(conductivities)
        off = (found - target) / ERROR
        adjoint = self._solved(conductivities, 2.0 * off / (ERROR * len(off)))
        slopes, other = (np.diff(np.pad(one, 1)) for one in (found, adjoint))
        each = -slopes * other / self._width
        return float(off @ off) / len(off), each.reshape(self.parts, CELLS).sum(axis=1)

    def _solved(self, conductivities: _Array, load: _Array) -> _Array:
        stiff = np.repeat(conductivities, CELLS) / self._width
        banded = np.zeros((2, len(load)))
        banded[0, 1:] = -stiff[1:-1]
        banded[1] = stiff[:-1] + stiff[1:]
        return np.asarray(solveh_banded(banded, load))


def misfit(parameters: Mapping[str, Any], measured: list[float]) -> dict[str, Any]:
    """An evaluator: of conductivities by name, in the order of the rod's parts, how far temperatures are off
    those ``measured``, evenly along the rod, and its derivatives by each.
    """
    rod, names = Rod(len(parameters)), list(parameters)
    places = np.arange(1, CELLS * rod.parts) / (CELLS * rod.parts)
    ends = np.linspace(0.0, 1.0, len(measured) + 2)
    target = np.interp(places, ends, [0.0, *measured, 0.0])
    value, slopes = rod.misfit(np.array([float(parameters[name]) for name in names]), target)
    return {"value": value, "derivatives": dict(zip(names, slopes.tolist(), strict=True))}
