"""A parameter whose values have an order: listed ones, or numbers that are steps apart.

Notation: n positions, k values.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.errors import SpecError
from orchestrator.parameters.values import Scale, mismatch, number_in, same
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.whole_numbers import MOST_LISTED, WholeNumbers
from orchestrator.values.between import as_meant, nearest
from orchestrator.values.ordered import mistake_in, positions_of
from orchestrator.values.plain import plain
from orchestrator.values.steps import Steps


@dataclass(frozen=True)
class OrderedParameter:
    """One of some numbers, ascending or descending, which lie by their value or by its logarithm; or of some
    texts, which lie evenly; or of `Steps`, which do too. Of these more than 4096 are not listed: they are
    searched as if they were continuous, and snapped. ``periodic``, of steps: the last is the first once more.

    Raises SpecError for values that are neither.
    """

    name: str
    values: Steps | tuple[Any, ...]
    scale: Scale = "linear"
    unit: str = ""
    periodic: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.values, Steps) and (mistake := mistake_in(self.values, self.scale)):
            raise SpecError(f"parameter `{self.name}`: {mistake}")

    @property
    def all_numbers(self) -> bool:
        """Whether the values are numbers."""
        return not isinstance(self.values[0], str)

    @cached_property
    def coordinate(self) -> Coordinate:
        if isinstance(self.values, Steps) and len(self.values) > MOST_LISTED:
            return Coordinate(whole=self._numbered, periodic=self.periodic)
        return Coordinate("ordinal", self._positions, evenly=True, periodic=self.periodic)

    @cached_property
    def _numbered(self) -> WholeNumbers:
        """Steps lie as their numbers do."""
        return WholeNumbers(0, len(self.values) - (2 if self.periodic else 1))

    @cached_property
    def _positions(self) -> tuple[float, ...]:
        if isinstance(self.values, Steps):
            return tuple(map(self._numbered.position, range(self._numbered.count)))
        return positions_of(self.values, self.scale)

    @cached_property
    def _middles(self) -> list[float]:
        return [(one + following) / 2 for one, following in pairwise(self._positions)]

    def decode(self, position: float) -> Any:
        """The value whose position is nearest, as it was given."""
        if isinstance(self.values, Steps):
            return self.values[self._numbered.at(position)]
        return self.values[bisect_left(self._middles, float(position))]

    def indices(self, positions: FloatArray) -> IndexArray:
        """(n,) the number of the value at each of (n,) positions."""
        if isinstance(self.values, Steps):
            return self._numbered.numbers(positions).astype(np.intp)
        return np.searchsorted(self._middles, positions)

    def numbers(self, positions: FloatArray) -> FloatArray:
        """(n,) what `decode` says of each of (n,) positions, as floats; the values must be numbers."""
        indices = self.indices(positions)
        if len(self.values) <= MOST_LISTED:
            return self._all[indices]
        return np.array([float(self.values[i]) for i in indices.tolist()], dtype=float)

    @cached_property
    def _all(self) -> FloatArray:
        return np.array(self.values[:], dtype=float)

    def index_of(self, value: Any) -> int | None:
        """The number of a value, or None for what is none."""
        told = plain(value)
        if isinstance(self.values, Steps):
            return self.values.number_of(told)
        return next((i for i, own in enumerate(self.values) if same(own, told)), None)

    def as_meant(self, value: Any) -> Any:
        """The value that a number from elsewhere was, if it was rounded; else it as it came."""
        number = self._foreign_number(value)
        return value if number is None else as_meant(self._ascending, number, repr(number))

    def nearest(self, value: Any) -> Any:
        """The value nearest to a number that lies between two, by the scale; anything else as it came."""
        number = self._foreign_number(value)
        return value if number is None else nearest(self._ascending, number, logarithmic=self.scale == "log")

    def _foreign_number(self, value: Any) -> float | None:
        """What is a number, but none of the values, or None."""
        return number_in(value) if self.all_numbers and self.index_of(value) is None else None

    @cached_property
    def _ascending(self) -> Sequence[float]:
        return self.values if isinstance(self.values, Steps) else sorted(self.values)

    def encode(self, value: Any) -> float:
        """The position of one of the values. Raises SpecError for any other, with a near miss."""
        index = self.index_of(value)
        if index is not None and isinstance(self.values, Steps):
            return self._numbered.position(index % self._numbered.count)
        if index is not None:
            return self._positions[index]
        if isinstance(self.values, Steps):
            number = number_in(value)
            beside = "" if number is None else self.values.beside(number)
            refused = mismatch(self.name, str(self.values), value)
            raise SpecError(f"{refused}{beside}")
        texts = [] if self.all_numbers else [str(value) for value in self.values]
        raise mismatch(self.name, f"one of {', '.join(map(repr, self.values))}", value, texts)
