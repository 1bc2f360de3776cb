"""Parameters, as a person names them, and the unit cube, where the algorithms work.

A parameter is a `FloatParameter`, an `IntParameter` or a `ChoiceParameter`; a `Space` is an ordered list of
them, with constants beside. Positions are in [0, 1]:

- a float is linear, or linear in its logarithm;
- an integer sits at the centre of its cell (`WholeNumbers`);
- the i-th of k choices sits at (i + 1/2) / k, and their order means nothing.

Positions of floats are rounded to a grid of 2^-k, as fine as double precision can undo (2^-40, about 1e-12,
for most bounds), so that ``encode(decode(p))`` is one fixed point whose own round trip is exact to the bit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from orchestrator.domain import Coordinate, Domain
from orchestrator.errors import SpecError
from orchestrator.finite import in_short, is_finite
from orchestrator.python_values import plain
from orchestrator.whole_numbers import MOST_LISTED, WholeNumbers

FloatArray = NDArray[np.float64]
Scale = Literal["linear", "log"]

FINEST_GRID = 40
COARSEST_GRID = 16


@dataclass(frozen=True)
class FloatParameter:
    """A real number in [low, high]. On a log scale, low > 0."""

    name: str
    low: float
    high: float
    scale: Scale = "linear"
    unit: str = ""

    def __post_init__(self) -> None:
        _check_bounds(self.name, self.low, self.high, self.scale)
        if self._grid < 2.0**COARSEST_GRID:
            raise SpecError(
                f"parameter `{self.name}`: bounds [{self.low}, {self.high}] are too close for double"
                " precision to tell the numbers between them apart; shift or rescale the parameter"
            )

    @property
    def coordinate(self) -> Coordinate:
        return Coordinate()

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
        return float(2.0 ** min(FINEST_GRID, math.floor(-math.log2(error / (end - start)))))

    def decode(self, position: float) -> float:
        """The value at a position in [0, 1]."""
        start, end = self._ends
        share = round(float(position) * self._grid) / self._grid
        value = start * (1 - share) + end * share
        if self.scale == "log":
            value = math.exp(value)
        return min(max(value, float(self.low)), float(self.high))

    def encode(self, value: Any) -> float:
        """The position of a value. Raises SpecError for a value that is no number or outside the bounds."""
        number = _number(value)
        if number is None or not self.low <= number <= self.high:
            raise _mismatch(self.name, f"a number in [{self.low:g}, {self.high:g}]", value)
        start, end = self._ends
        share = ((math.log(number) if self.scale == "log" else number) - start) / (end - start)
        return min(max(round(share * self._grid) / self._grid, 0.0), 1.0)


@dataclass(frozen=True)
class IntParameter:
    """A whole number in [low, high]. On a log scale, low >= 1.

    More than 4096 values are not listed: algorithms search them as if they were continuous, and snap.
    """

    name: str
    low: int
    high: int
    scale: Scale = "linear"
    unit: str = ""

    def __post_init__(self) -> None:
        for bound in (self.low, self.high):
            if isinstance(bound, bool) or not isinstance(bound, int):
                raise _mismatch(self.name, "whole numbers as bounds", bound)
        _check_bounds(self.name, self.low, self.high, self.scale)

    @cached_property
    def _numbers(self) -> WholeNumbers:
        return WholeNumbers(self.low, self.high, self.scale == "log")

    @cached_property
    def coordinate(self) -> Coordinate:
        numbers = self._numbers
        if numbers.count > MOST_LISTED:
            return Coordinate(whole=numbers)
        return Coordinate("ordinal", tuple(numbers.position(v) for v in range(self.low, self.high + 1)))

    def decode(self, position: float) -> int:
        """The integer whose position is nearest on the parameter's scale."""
        return self._numbers.at(position)

    def encode(self, value: Any) -> float:
        """The position of an integer (2.0 is one). Raises SpecError for anything else."""
        number = _number(value)
        if number is None or number != int(number) or not self.low <= number <= self.high:
            raise _mismatch(self.name, f"a whole number in [{self.low}, {self.high}]", value)
        return self._numbers.position(int(value))


@dataclass(frozen=True)
class ChoiceParameter:
    """One of some values without an order: strings, numbers, booleans, whatever YAML can write."""

    name: str
    values: tuple[Any, ...]
    unit: str = ""

    def __post_init__(self) -> None:
        if not self.values:
            raise SpecError(f"parameter `{self.name}`: expected at least one value to choose from, got none")
        for i, value in enumerate(self.values):
            if not _same(value, value):
                raise _mismatch(self.name, "values that equal themselves, to tell them apart", value)
            if any(_same(value, other) for other in self.values[:i]):
                raise SpecError(f"parameter `{self.name}`: the value {value!r} is listed twice; remove one")

    @cached_property
    def coordinate(self) -> Coordinate:
        return Coordinate("categorical", tuple(self._position(i) for i in range(len(self.values))))

    def _position(self, index: int) -> float:
        return (index + 0.5) / len(self.values)

    def decode(self, position: float) -> Any:
        """The value as it was given."""
        return self.values[min(max(int(float(position) * len(self.values)), 0), len(self.values) - 1)]

    def encode(self, value: Any) -> float:
        """The position of one of the values. Raises SpecError for any other, with a near miss."""
        told = plain(value)
        for i, candidate in enumerate(self.values):
            if _same(candidate, told):
                return self._position(i)
        raise _mismatch(
            self.name, f"one of {', '.join(map(repr, self.values))}", value, [str(v) for v in self.values]
        )


Parameter = FloatParameter | IntParameter | ChoiceParameter


@dataclass(frozen=True)
class Space:
    """D parameters in order, and constants that every evaluation is given besides.

    Raises SpecError for no parameters or names that occur twice.
    """

    parameters: tuple[Parameter, ...]
    fixed: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [p.name for p in self.parameters] + list(self.fixed)
        if not self.parameters:
            raise SpecError("expected at least one parameter that is not fixed, got none")
        for name in names:
            if names.count(name) > 1:
                raise SpecError(f"parameter `{name}` is defined twice; rename or remove one")
        object.__setattr__(self, "fixed", MappingProxyType(dict(self.fixed)))

    def __reduce__(self) -> tuple[Any, ...]:
        # What may not be changed cannot be pickled either: it is made anew.
        return Space, (self.parameters, dict(self.fixed))

    @classmethod
    def from_description(cls, description: Mapping[str, Any]) -> Space:
        """A space from plain Python values, for the Python interface.

        ``{"x1": (0.0, 1.0), "x2": {"type": "int", "bounds": [2, 9]}}``: a pair is a float's bounds; a
        mapping has ``type`` (float, int, choice, fixed), ``bounds`` and ``scale`` (linear, log), or
        ``values``, or ``value``; and perhaps a ``unit``. Numbers and arrays of numpy become Python's.

        Raises SpecError for anything else.
        """
        if not isinstance(description, Mapping):
            raise SpecError(
                f"expected parameters as a mapping of their names to what they are, got {description!r}"
            )
        parameters: list[Parameter] = []
        fixed: dict[str, Any] = {}
        for name, told in description.items():
            if not isinstance(name, str) or not name:
                raise SpecError(f"expected names of parameters as text, got {name!r}")
            if isinstance(told, Mapping):
                if told.get("type") == "fixed":
                    fixed[name] = _take(name, told, required=("value",))["value"]
                else:
                    parameters.append(_from_mapping(name, told))
            else:
                low, high = _pair(name, told)
                parameters.append(FloatParameter(name, low, high))
        return cls(tuple(parameters), fixed)

    @cached_property
    def domain(self) -> Domain:
        """The feasible set in the unit cube, in the order of the parameters."""
        return Domain(tuple(p.coordinate for p in self.parameters))

    @property
    def names(self) -> tuple[str, ...]:
        """(D,) the parameters' names, without the fixed ones."""
        return tuple(p.name for p in self.parameters)

    def decode(self, point: FloatArray) -> dict[str, Any]:
        """A (D,) point to native Python values, with the fixed parameters last."""
        if np.shape(point) != (len(self.parameters),):
            raise ValueError(
                f"expected a point of {len(self.parameters)} positions, got shape {np.shape(point)}"
            )
        return {p.name: p.decode(float(x)) for p, x in zip(self.parameters, point, strict=True)} | dict(
            self.fixed
        )

    def encode(self, parameters: Mapping[str, Any]) -> FloatArray:
        """Values to a (D,) point. Fixed parameters may be left out.

        Raises SpecError, naming the parameter, what was expected and what came, for one that is missing,
        unknown, of the wrong kind or out of bounds.
        """
        if not isinstance(parameters, Mapping):
            raise SpecError(f"expected parameters as a mapping of their names to values, got {parameters!r}")
        known = [*self.names, *self.fixed]
        for name in parameters:
            if name not in known:
                raise SpecError(
                    f"expected the parameters {', '.join(self.names)}, got an unknown one, `{name}`"
                    + _near_miss(str(name), known)
                )
        for name, value in self.fixed.items():
            if name in parameters and not _same(value, parameters[name]):
                raise _mismatch(name, f"its fixed value {value!r}", parameters[name])
        for name in self.names:
            if name not in parameters:
                raise SpecError(f"parameter `{name}`: expected a value, but it is missing")
        return np.array([p.encode(parameters[p.name]) for p in self.parameters])

    def index(self, name: str) -> int:
        """The number of a parameter. Raises SpecError for a name that is not one."""
        if name not in self.names:
            raise SpecError(
                f"expected the name of a parameter ({', '.join(self.names)}), got `{name}`"
                + _near_miss(name, self.names)
            )
        return self.names.index(name)


def _from_mapping(name: str, told: Mapping[str, Any]) -> Parameter:
    kind = told.get("type")
    unit = str(told.get("unit", ""))
    if kind in ("float", "int"):
        known = _take(name, told, required=("bounds",), optional=("scale", "unit"))
        low, high = _pair(name, known["bounds"])
        scale = known.get("scale", "linear")
        if scale not in ("linear", "log"):
            raise _mismatch(name, "scale linear or log", scale)
        if kind == "float":
            return FloatParameter(name, low, high, scale, unit)
        return IntParameter(name, low, high, scale, unit)
    if kind == "choice":
        values = plain(_take(name, told, required=("values",), optional=("unit",))["values"])
        if isinstance(values, str) or not isinstance(values, Sequence):
            raise _mismatch(name, "a list of values", values)
        return ChoiceParameter(name, tuple(values), unit)
    raise _mismatch(name, "type float, int, choice or fixed", kind, ["float", "int", "choice", "fixed"])


def _take(
    name: str, told: Mapping[str, Any], required: Sequence[str], optional: Sequence[str] = ()
) -> Mapping[str, Any]:
    known = ["type", *required, *optional]
    for key in told:
        if key not in known:
            raise SpecError(
                f"parameter `{name}`: expected the keys {', '.join(known)}, got `{key}`"
                + _near_miss(str(key), known)
            )
    for key in required:
        if key not in told:
            raise SpecError(f"parameter `{name}`: `{key}` is missing; it has the keys {', '.join(known)}")
    return told


def _pair(name: str, told: Any) -> tuple[Any, Any]:
    if isinstance(told, (list, tuple)) and any(isinstance(one, (str, bool)) for one in told):
        choice = '{"type": "choice", "values": [...]}'
        raise _mismatch(name, f"a pair of bounds (low, high), or, to choose from values, {choice}", told)
    pair = plain(told)
    if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
        raise _mismatch(name, "a pair of bounds (low, high), or a mapping with a `type`", told)
    return plain(pair[0]), plain(pair[1])


def _check_bounds(name: str, low: Any, high: Any, scale: Scale) -> None:
    for bound in (low, high):
        if _number(bound) is None:
            raise _mismatch(name, "finite numbers as bounds", bound)
    if not low < high:
        raise SpecError(
            f"parameter `{name}`: expected bounds [low, high] with low < high, got [{low}, {high}];"
            " a constant is written `type: fixed`"
        )
    if not math.isfinite(float(high) - float(low)):
        raise SpecError(f"parameter `{name}`: bounds [{low}, {high}] are too far apart for double precision")
    if scale == "log" and low <= 0:
        raise SpecError(f"parameter `{name}`: a log scale needs bounds above 0, got [{low}, {high}]")


def _number(value: Any) -> float | None:
    """The value as a finite float, or None: text, booleans, NaN, infinities and whole numbers beyond a float
    are no numbers here.
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        return None
    return float(value) if is_finite(value) else None


def _same(a: Any, b: Any) -> bool:
    """Equal, and neither is a boolean where the other is a number: YAML's `true` is not 1. Arrays, whose
    equality is no one truth, never are.
    """
    try:
        return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)
    except ValueError:
        return False


def _mismatch(name: str, expected: str, came: Any, near: Sequence[str] = ()) -> SpecError:
    hint = _near_miss(in_short(came) if isinstance(came, int) else str(came), near)
    return SpecError(f"parameter `{name}`: expected {expected}, got {in_short(came)}{hint}")


def _near_miss(word: str, known: Sequence[str]) -> str:
    matches = get_close_matches(word, known, n=1)
    return f"; did you mean `{matches[0]}`?" if matches else ""
