"""The kinds of parameters: what a value is in a person's terms, and where it lies in [0, 1].

Positions:

- a float is linear, or linear in its logarithm;
- an integer sits at the centre of its cell (`WholeNumbers`), and so does one of k numbers that are steps
  apart;
- the first and the last of k ordered values sit 1/2k from the ends, the others between them by their
  distances (`OrderedParameter`);
- where a parameter is periodic, its upper bound is its lower one, and has that one's position;
- the i-th of k choices sits at (i + 1/2) / k, and their order means nothing; they may be described.

Positions of floats are rounded to a grid of 2^-k, as fine as double precision can undo (2^-40, about 1e-12,
for most bounds), so that ``encode(decode(p))`` is one fixed point whose own round trip is exact to the bit.
Where bounds lie so close beside their size that the grid is coarse, a float is a whole number of its steps.

Notation: n positions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.errors import SpecError
from orchestrator.parameters.ordered import OrderedParameter
from orchestrator.parameters.values import Scale, mismatch, number_in, same
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.descriptors import Descriptors
from orchestrator.unit_cube.whole_numbers import MOST_LISTED, WholeNumbers
from orchestrator.values.between import as_meant, bound_meant, nearest
from orchestrator.values.descriptions import Description
from orchestrator.values.periodic import require_periodic
from orchestrator.values.plain import plain
from orchestrator.values.single_precision import bound_beyond_which
from orchestrator.values.steps import BESIDE_A_LOG_SCALE, Steps

FINEST_GRID = 40
COARSEST_GRID = 16
COARSE_GRID = 32
"""What is chosen has to be what is evaluated: on coarser grids the one would be taken for another point."""

MOST_NAMED = 50
"""Of values to choose from, in an error."""


@dataclass(frozen=True)
class FloatParameter:
    """A real number in [low, high]. On a log scale, low > 0. ``periodic``: both are one setting, ``low``."""

    name: str
    low: float
    high: float
    scale: Scale = "linear"
    unit: str = ""
    periodic: bool = False

    def __post_init__(self) -> None:
        _check_bounds(self.name, self.low, self.high, self.scale)
        if self._grid < 2.0**COARSEST_GRID:
            raise SpecError(
                f"parameter `{self.name}`: bounds [{self.low}, {self.high}] are too close for double"
                " precision to tell the numbers between them apart; shift or rescale the parameter"
            )
        if self.periodic:
            _check_periodic(self.name, {"bounds": (self.low, self.high), "scale": self.scale})

    @property
    def coordinate(self) -> Coordinate:
        return Coordinate(whole=self._steps, periodic=self.periodic)

    @cached_property
    def _steps(self) -> WholeNumbers | None:
        last = int(self._grid) - (1 if self.periodic else 0)
        return WholeNumbers(0, last) if self._grid < 2.0**COARSE_GRID else None

    @cached_property
    def _ends(self) -> tuple[float, float]:
        if self.scale == "log":
            return math.log(self.low), math.log(self.high)
        return float(self.low), float(self.high)

    @cached_property
    def _grid(self) -> float:
        # A round trip errs by a few units in the last place of the ends, relative to their distance (and,
        # through exp and log, of 1), and by no less than the smallest numbers there are. Steps sixteen times
        # wider are undone exactly.
        start, end = self._ends
        size = max(abs(start), abs(end), 1.0 if self.scale == "log" else 0.0)
        error = 16 * max(np.finfo(float).eps * size, math.ulp(0.0))
        # Logarithms of different bounds may be the same.
        if start == end:
            return 0.0
        return float(2.0 ** min(FINEST_GRID, math.floor(-math.log2(error / (end - start)))))

    def decode(self, position: float) -> float:
        """The value at a position in [0, 1]."""
        start, end = self._ends
        steps = round(float(position) * self._grid) if self._steps is None else self._steps.at(position)
        share = steps / self._grid
        if self.periodic and share == 1.0:
            share = 0.0
        value = start * (1 - share) + end * share
        if self.scale == "log":
            value = math.exp(value)
        # The exponential of its logarithm may be another number than a bound, and on either side of it.
        if share in (0.0, 1.0):
            return float(self.high if share else self.low)
        return min(max(value, float(self.low)), float(self.high))

    @property
    def linear_grid(self) -> float | None:
        """The steps that positions are rounded to, where they are shares of the way between the bounds."""
        plain = self.scale == "linear" and not self.periodic and self._steps is None
        return self._grid if plain else None

    def numbers(self, positions: FloatArray) -> FloatArray:
        """(n,) what `decode` says of each of (n,) positions, to the bit."""
        start, end = self._ends
        steps = np.rint(positions * self._grid) if self._steps is None else self._steps.numbers(positions)
        shares = steps / self._grid
        if self.periodic:
            shares = np.where(shares == 1.0, 0.0, shares)
        values = start * (1 - shares) + end * shares
        if self.scale == "log":
            # Not numpy's, which may differ in the last bit.
            values = np.array([math.exp(value) for value in values.tolist()], dtype=float)
        values = np.where(shares == 0.0, float(self.low), np.where(shares == 1.0, float(self.high), values))
        return np.asarray(np.clip(values, float(self.low), float(self.high)))

    def as_meant(self, value: Any) -> Any:
        """The bound that a number from elsewhere was, if rounding put it beyond; else it as it came."""
        number = number_in(value)
        if number is None or self.low <= number <= self.high:
            return value
        bounds = (self.low, self.high)
        bound = bound_beyond_which(bounds, number)
        if bound is None:
            bound = bound_meant(bounds, repr(number), logarithmic=self.scale == "log")
        return value if bound is None else bound

    def nearest(self, value: Any) -> Any:
        """The value as it came: there are none between two."""
        return value

    def encode(self, value: Any) -> float:
        """The position of a value. Raises SpecError for a value that is no number or outside the bounds."""
        number = number_in(value)
        # Bounds that are whole numbers may be no floats; `decode` gives the floats that they are read as.
        if number is None or not float(self.low) <= number <= float(self.high):
            raise mismatch(self.name, f"a number in [{self.low:g}, {self.high:g}]", value)
        start, end = self._ends
        share = ((math.log(number) if self.scale == "log" else number) - start) / (end - start)
        steps = min(max(round(share * self._grid), 0), int(self._grid))
        if self.periodic and steps == int(self._grid):
            steps = 0
        return steps / self._grid if self._steps is None else self._steps.position(steps)


@dataclass(frozen=True)
class IntParameter:
    """A whole number in [low, high]. On a log scale, low >= 1. ``periodic``: both are one setting, ``low``.

    More than 4096 values are not listed: algorithms search them as if they were continuous, and snap.
    """

    name: str
    low: int
    high: int
    scale: Scale = "linear"
    unit: str = ""
    periodic: bool = False

    def __post_init__(self) -> None:
        for bound in (self.low, self.high):
            if isinstance(bound, bool) or not isinstance(bound, int):
                raise mismatch(self.name, "whole numbers as bounds", bound)
        _check_bounds(self.name, self.low, self.high, self.scale)
        if self.periodic:
            told = {"type": "int", "bounds": (self.low, self.high), "scale": self.scale}
            _check_periodic(self.name, told)

    @cached_property
    def _numbers(self) -> WholeNumbers:
        return WholeNumbers(self.low, self.high - 1 if self.periodic else self.high, self.scale == "log")

    @cached_property
    def coordinate(self) -> Coordinate:
        numbers = self._numbers
        if numbers.count > MOST_LISTED:
            return Coordinate(whole=numbers, periodic=self.periodic)
        positions = tuple(numbers.position(v) for v in range(numbers.low, numbers.high + 1))
        return Coordinate("ordinal", positions, periodic=self.periodic)

    def decode(self, position: float) -> int:
        """The integer whose position is nearest on the parameter's scale."""
        return self._numbers.at(position)

    def numbers(self, positions: FloatArray) -> FloatArray:
        """(n,) what `decode` says of each of (n,) positions, as floats."""
        return self._numbers.numbers(positions)

    def as_meant(self, value: Any) -> Any:
        """The integer that a number from elsewhere was, if it was rounded; else it as it came."""
        number = number_in(value)
        if number is None or number.is_integer():
            return value
        return as_meant(range(self.low, self.high + 1), number, repr(number))

    def nearest(self, value: Any) -> Any:
        """The integer nearest to a number that lies between two; anything else as it came."""
        number = number_in(value)
        if number is None or number.is_integer():
            return value
        return nearest(range(self.low, self.high + 1), number)

    def encode(self, value: Any) -> float:
        """The position of an integer (2.0 is one). Raises SpecError for anything else."""
        number = number_in(value)
        # Beyond 2^53 the float of a bound may lie outside it, so the whole number itself is compared.
        if number is None or number != int(number) or not self.low <= int(value) <= self.high:
            raise mismatch(self.name, f"a whole number in [{self.low}, {self.high}]", value)
        is_upper = self.periodic and int(value) == self.high
        return self._numbers.position(self.low if is_upper else int(value))


@dataclass(frozen=True)
class ChoiceParameter:
    """One of some values without an order: strings, numbers, booleans, whatever YAML can write.

    ``description``: numbers of each of them, by which some are alike, if there are any.
    """

    name: str
    values: tuple[Any, ...]
    unit: str = ""
    description: Description | None = None

    def __post_init__(self) -> None:
        if not self.values:
            raise SpecError(f"parameter `{self.name}`: expected at least one value to choose from, got none")
        for value in self.values:
            if not same(value, value):
                raise mismatch(self.name, "values that equal themselves, to tell them apart", value)
        for i, value in enumerate(self.values):
            if self._index(value) < i:
                raise SpecError(f"parameter `{self.name}`: the value {value!r} is listed twice; remove one")
        if self.description is not None and len(self.values) < 2:
            raise SpecError(
                f"parameter `{self.name}`: expected at least two values that are described, got one"
            )

    @cached_property
    def coordinate(self) -> Coordinate:
        descriptors = None if self.description is None else Descriptors(self.description.shares)
        positions = tuple(self._position(i) for i in range(len(self.values)))
        return Coordinate("categorical", positions, descriptors=descriptors)

    @cached_property
    def _indices(self) -> dict[Any, int]:
        """By value, where all can be looked up so; true and false are not 1 and 0."""
        if not all(isinstance(value, str | int | float) for value in self.values):
            return {}
        return {(type(v) is bool, v): i for i, v in reversed(list(enumerate(self.values)))}

    def _index(self, value: Any) -> int:
        """The number of the first value that is the same; -1 if none is."""
        if isinstance(value, str | int | float) and self._indices:
            return self._indices.get((type(value) is bool, value), -1)
        return next((i for i, candidate in enumerate(self.values) if same(candidate, value)), -1)

    def _position(self, index: int) -> float:
        return (index + 0.5) / len(self.values)

    def decode(self, position: float) -> Any:
        """The value as it was given."""
        return self.values[min(max(int(float(position) * len(self.values)), 0), len(self.values) - 1)]

    @property
    def all_numbers(self) -> bool:
        """Whether all of the values are numbers."""
        return all(number_in(value) is not None for value in self.values)

    def numbers(self, positions: FloatArray) -> FloatArray:
        """(n,) what `decode` says of each of (n,) positions; all values must be numbers."""
        return np.array(self.values, dtype=float)[self.indices(positions)]

    def indices(self, positions: FloatArray) -> IndexArray:
        """(n,) the number of the value at each of (n,) positions."""
        k = len(self.values)
        return np.clip((positions * k).astype(np.intp), 0, k - 1)

    def as_meant(self, value: Any) -> Any:
        """The value as it came: none is rounded."""
        return value

    def nearest(self, value: Any) -> Any:
        """The value as it came: none lies between others."""
        return value

    def encode(self, value: Any) -> float:
        """The position of one of the values. Raises SpecError for any other, with a near miss."""
        index = self._index(plain(value))
        if index >= 0:
            return self._position(index)
        listed = ", ".join(map(repr, self.values[:MOST_NAMED]))
        more = f" or {len(self.values) - MOST_NAMED:,} more" if len(self.values) > MOST_NAMED else ""
        raise mismatch(self.name, f"one of {listed}{more}", value, [str(v) for v in self.values])


Parameter = FloatParameter | IntParameter | OrderedParameter | ChoiceParameter


def stepped(parameter: FloatParameter | IntParameter, step: Any) -> OrderedParameter:
    """The same between its bounds, but in steps. Raises SpecError for what is no step of it."""
    if parameter.scale == "log":
        raise SpecError(f"parameter `{parameter.name}`: {BESIDE_A_LOG_SCALE}")
    low, high = parameter.low, parameter.high
    try:
        if isinstance(parameter, FloatParameter):
            steps = Steps(float(low), float(high), step)
        else:
            steps = Steps(low, high, step)
    except ValueError as error:
        raise SpecError(f"parameter `{parameter.name}`: {error}") from None
    if parameter.periodic:
        _check_periodic(parameter.name, {"bounds": (low, high), "step": step})
    return OrderedParameter(parameter.name, steps, unit=parameter.unit, periodic=parameter.periodic)


def _check_periodic(name: str, told: Mapping[str, Any]) -> None:
    try:
        require_periodic(told)
    except ValueError as error:
        raise SpecError(f"parameter `{name}`: expected {error}") from None


def _check_bounds(name: str, low: Any, high: Any, scale: Scale) -> None:
    for bound in (low, high):
        if number_in(bound) is None:
            raise mismatch(name, "finite numbers as bounds", bound)
    if not low < high:
        raise SpecError(
            f"parameter `{name}`: expected bounds [low, high] with low < high, got [{low}, {high}];"
            " a constant is written `type: fixed`"
        )
    if not math.isfinite(float(high) - float(low)):
        raise SpecError(f"parameter `{name}`: bounds [{low}, {high}] are too far apart for double precision")
    if scale == "log" and low <= 0:
        raise SpecError(f"parameter `{name}`: a log scale needs bounds above 0, got [{low}, {high}]")
