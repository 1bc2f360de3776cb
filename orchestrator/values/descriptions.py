"""What is known of each of some values, as numbers: by which of them are alike.

Notation: k values, d numbers of each.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from orchestrator.values.finite import in_short, is_number

MOST_NUMBERS = 50
"""Of each value: more than a few dozen results could ever tell apart."""
MOST_DESCRIBED = 10_000
NUMBERS_OF_EACH = "numbers of each value, as `{water: {polarity: 10.2, boiling: 100}, ...}`"
SAME_OF_ALL = "expected numbers that differ between the values, got the same of all"


@dataclass(frozen=True)
class Description:
    """``names`` of the d numbers, and k ``rows`` of them, as finite as floats.

    Raises ValueError, with what was expected and what came, if it is none, or says the same of all values.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        if mistake := mistake_in_counts(len(self.rows), len(self.names)):
            raise ValueError(mistake)
        if not self._varying:
            raise ValueError(SAME_OF_ALL)
        for name, column in zip(self.names, zip(*self.rows, strict=True), strict=True):
            if not math.isfinite(max(column) - min(column)):
                raise ValueError(f"expected numbers that differ by less than 1.8e308 as `{name}`")

    @classmethod
    def of(cls, told: Mapping[Any, Any]) -> Description:
        """That of a mapping of values to mappings of names to numbers. Raises ValueError."""
        names: tuple[str, ...] = ()
        rows = []
        for value, numbers in told.items():
            if not isinstance(numbers, Mapping):
                raise ValueError(f"expected {NUMBERS_OF_EACH}, got {in_short(numbers)} of {value!r}")
            names = names or tuple(map(str, numbers))
            if missing := [name for name in names if name not in numbers]:
                raise ValueError(f"expected `{missing[0]}` of every value, got none of {value!r}")
            if further := [name for name in numbers if name not in names]:
                raise ValueError(f"expected `{further[0]}` of every value or of none, got one of {value!r}")
            for name, number in numbers.items():
                if not is_number(number):
                    came = in_short(number)
                    raise ValueError(f"expected a finite number as `{name}` of {value!r}, got {came}")
            rows.append(tuple(float(numbers[name]) for name in names))
        return cls(names, tuple(rows))

    @property
    def constant(self) -> tuple[str, ...]:
        """The names of numbers that are the same of all values, and say nothing."""
        return tuple(name for j, name in enumerate(self.names) if j not in self._varying)

    @property
    def varying(self) -> tuple[str, ...]:
        """The names of the others."""
        return tuple(self.names[j] for j in self._varying)

    @property
    def shares(self) -> tuple[tuple[float, ...], ...]:
        """k rows of what varies, each number between 0, where it is least among the values, and 1."""
        shares = []
        for j in self._varying:
            column = [row[j] for row in self.rows]
            least, most = min(column), max(column)
            shares.append([(number - least) / (most - least) for number in column])
        return tuple(zip(*shares, strict=True))

    @property
    def _varying(self) -> list[int]:
        columns = zip(*self.rows, strict=True)
        return [j for j, column in enumerate(columns) if min(column) < max(column)]


def mistake_in_counts(values: int, numbers: int) -> str:
    """Why so many values cannot be described by so many numbers each; empty where they can."""
    if values > MOST_DESCRIBED:
        return f"expected at most {MOST_DESCRIBED:,} values that are described, got {values:,}"
    if numbers == 0:
        return f"expected {NUMBERS_OF_EACH}, got none"
    if numbers > MOST_NUMBERS:
        return (
            f"expected at most {MOST_NUMBERS} numbers of each value, got {numbers:,}; choose those that may"
            " matter, or their principal components"
        )
    return ""
