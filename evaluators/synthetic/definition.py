"""What a synthetic function is: a box, an optimum that is known, and terms that sum to its value.

Notation: D parameters, F terms (one a factor where the decomposition is additive), n points.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from orchestrator.objectives import Goal

FloatArray: TypeAlias = NDArray[np.float64]
Kind: TypeAlias = Literal["float", "int", "choice"]
Factors: TypeAlias = tuple[tuple[int, ...], ...]
Terms: TypeAlias = Callable[[FloatArray], FloatArray]
"""(n, D) points to (n, F) terms."""


@dataclass(frozen=True, eq=False)
class Box:
    """The feasible set.

    Attributes:
        bounds: (D, 2) lower and upper bound of each parameter, both included.
        kinds: the kind of each parameter; empty where all are continuous. An ``int`` takes the whole
            numbers in its bounds; a ``choice`` likewise, but they have no order.
        reach: (D, 2) how far beyond the bounds the formula may be followed with its optimum still the
            best there is; may be infinite. None: not at all. See `shifting`.
    """

    bounds: FloatArray
    kinds: tuple[Kind, ...] = ()
    reach: FloatArray | None = None

    def __post_init__(self) -> None:
        bounds = _frozen(self.bounds)
        if bounds.ndim != 2 or bounds.shape[1] != 2 or not (bounds[:, 0] < bounds[:, 1]).all():
            raise ValueError(f"expected (D, 2) bounds, each lower below its upper, got {bounds.tolist()}")
        object.__setattr__(self, "bounds", bounds)
        if self.reach is not None:
            object.__setattr__(self, "reach", _frozen(self.reach))
        extent = self.extent
        if not ((extent[:, 0] <= bounds[:, 0]) & (bounds[:, 1] <= extent[:, 1])).all():
            raise ValueError("expected a reach that holds the bounds")
        object.__setattr__(self, "kinds", tuple(self.kinds) or ("float",) * len(bounds))
        if len(self.kinds) != len(bounds):
            raise ValueError(f"expected {len(bounds)} kinds, one a parameter, got {len(self.kinds)}")

    @classmethod
    def cube(
        cls, lower: float, upper: float, dimension: int, reach: tuple[float, float] | None = None
    ) -> Box:
        """The same continuous interval for each parameter; ``reach`` likewise."""
        if dimension < 1:
            raise ValueError(f"expected at least one parameter, got {dimension}")
        return cls(
            np.tile([float(lower), float(upper)], (dimension, 1)),
            reach=None if reach is None else np.tile(reach, (dimension, 1)),
        )

    @property
    def dimension(self) -> int:
        """D."""
        return len(self.bounds)

    @property
    def extent(self) -> FloatArray:
        """(D, 2) the reach, which is the bounds where none was given."""
        return self.bounds if self.reach is None else self.reach

    def contains(self, points: ArrayLike) -> bool:
        """Whether all (n, D) points are feasible."""
        array = np.atleast_2d(np.asarray(points, dtype=float))
        inside = (self.bounds[:, 0] <= array) & (array <= self.bounds[:, 1])
        whole = np.array([kind != "float" for kind in self.kinds])
        return bool(inside.all() and (array[:, whole] == np.rint(array[:, whole])).all())

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """(n, D) feasible points, uniform."""
        lower, upper = self.bounds.T
        points: FloatArray = lower + (upper - lower) * rng.random((n, self.dimension))
        for i, kind in enumerate(self.kinds):
            if kind != "float":
                points[:, i] = rng.integers(int(lower[i]), int(upper[i]) + 1, size=n)
        return points


EVERYWHERE = (-math.inf, math.inf)
"""The reach of a formula whose optimum is the best of all space."""


@dataclass(frozen=True, eq=False)
class Optimum:
    """The best value in the box and the (k, D) points that attain it: at least one, not always all."""

    value: float
    points: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", _frozen(np.atleast_2d(self.points)))


@dataclass(frozen=True, eq=False)
class SyntheticFunction:
    """A function that costs nothing and whose optimum is known.

    Attributes:
        name: as the registry has it.
        box: the feasible set.
        optimum: its best value, in the sense of ``goal``, and where.
        terms: (n, D) points to (n, F) terms that sum to the value.
        factors: the parameter numbers that each term depends on, where the function is additive. They may
            overlap, and together they cover every parameter.
        goal: every function of the registry is written for maximisation.
    """

    name: str
    box: Box
    optimum: Optimum
    terms: Terms
    factors: Factors | None = None
    goal: Goal = "maximise"

    @property
    def dimension(self) -> int:
        """D."""
        return self.box.dimension

    @property
    def bounds(self) -> FloatArray:
        """(D, 2)."""
        return self.box.bounds

    def evaluate(self, points: ArrayLike) -> FloatArray:
        """The (n,) values at (n, D) points."""
        values: FloatArray = self.terms(self._checked(points)).sum(axis=1)
        return values

    def factor_values(self, points: ArrayLike) -> FloatArray:
        """The (n, F) values of the factors at (n, D) points; ValueError if there is no decomposition."""
        if self.factors is None:
            raise ValueError(f"{self.name} has no additive decomposition: there are no factors to report")
        return self.terms(self._checked(points))

    def regret(self, values: ArrayLike) -> FloatArray:
        """How far values fall short of the optimum, at least zero but for noise and rounding."""
        sign = 1.0 if self.goal == "maximise" else -1.0
        shortfall: FloatArray = sign * (self.optimum.value - np.asarray(values, dtype=float))
        return shortfall

    def _checked(self, points: ArrayLike) -> FloatArray:
        array = np.asarray(points, dtype=float)
        if array.ndim != 2 or array.shape[1] != self.dimension:
            raise ValueError(f"{self.name}: expected (n, {self.dimension}) points, got shape {array.shape}")
        return array


def single(values: Callable[[FloatArray], FloatArray]) -> Terms:
    """Terms of a function that is not decomposed: its (n,) values as one column."""
    return lambda points: values(points)[:, np.newaxis]


def _frozen(array: ArrayLike) -> FloatArray:
    copy = np.array(array, dtype=float)
    copy.setflags(write=False)
    return copy
