"""What is known of several parameters together, as draws say it: those of the posterior of an earlier fit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from orchestrator.values.finite import is_number, written

FEW = 3
"""Draws that are told where something is wrong with many."""
FEWEST, FEWEST_EACH = 50, 10
"""Draws of which a density can be made, of any parameters, and for each of several."""
NOT_AS_MANY = (
    "expected as many draws of each parameter, as those of one row belong together, got {} of `{}` and {} of"
    " `{}`"
)
COUNTS_AT_TIMES = "expected no `draws` of a parameter that counts only at times, by `when` or `least`"


@dataclass(frozen=True, slots=True)
class Drawn:
    """Its ``values``, each as likely as another; those of several parameters at the same places were drawn
    together.
    """

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Of all draws, wherever bounds are."""
        size = self._size
        return size * (math.fsum(one / size for one in self.values) / len(self.values))

    @property
    def deviation(self) -> float:
        """Of all draws, above 0."""
        size = self._size
        mean = self.mean / size
        away = math.hypot(*(one / size - mean for one in self.values))
        return size * (away / math.sqrt(len(self.values)))

    @property
    def _size(self) -> float:
        """A power of two, by which none is far from 1: squares of what is huge or tiny are no doubles."""
        return 2.0 ** (math.frexp(max(map(abs, self.values)))[1] - 1)

    def deviations_off(self, number: float) -> float:
        """By how many deviations a number lies above the mean."""
        return (number - self.mean) / self.deviation

    def share_within(self, low: float, high: float) -> float:
        """How many of the draws bounds hold."""
        return sum(low <= one <= high for one in self.values) / len(self.values)

    def in_words(self, unit: str = "") -> str:
        """For people, briefly."""
        number = f"{self.mean:.4g} ± {self.deviation:.2g} {unit}".rstrip()
        return f"{number} by {len(self.values):,} draws"

    @property
    def told(self) -> dict[str, list[float]]:
        """As a spec says it."""
        return {"draws": list(self.values)}

    @property
    def in_brief(self) -> dict[str, Any]:
        """What of it is worth telling."""
        return {"draws": len(self.values), "mean": self.mean, "deviation": self.deviation}


def drawn(told: Any) -> Drawn:
    """Raises ValueError, which says what was expected."""
    values = list(told) if isinstance(told, Sequence) and not isinstance(told, str) else []
    if len(values) < FEWEST:
        came = "" if not values else f", and not {len(values)}"
        raise ValueError(f"at least {FEWEST} draws, listed or in a CSV file, as `draws: earlier.csv`{came}")
    for one in values:
        if not is_number(one):
            raise ValueError(f"draws that are numbers, and not {one!r}")
    found = Drawn(tuple(float(one) for one in values))
    if min(found.values) == max(found.values):
        same = written(found.values[0])
        raise ValueError(
            f"draws that differ, and not {same} each time: what is known exactly is `{{type: fixed, value:"
            f" {same}}}`"
        )
    return found


def with_few_draws(told: Any) -> Any:
    """What came as a prior, or has one, without all of its many draws; anything else as it came."""
    if not isinstance(told, Mapping):
        return told
    short = {name: with_few_draws(one) if name == "prior" else one for name, one in told.items()}
    if isinstance(values := short.get("draws"), list) and len(values) > FEW:
        short["draws"] = [*values[:FEW], "..."]
    return short


def rows_within(each: Mapping[str, Drawn], bounds: Mapping[str, tuple[float, float]]) -> list[int]:
    """The numbers of the rows of which all draws lie within the ``bounds`` of their parameters. Raises
    ValueError, which says what was expected, for draws that do not belong together, where of too few all do,
    and where these are the same.
    """
    (first, *others), counts = list(each), {name: len(one.values) for name, one in each.items()}
    for name in others:
        if counts[name] != counts[first]:
            raise ValueError(NOT_AS_MANY.format(counts[first], first, counts[name], name))
    rows = zip(*(one.values for one in each.values()), strict=True)
    ends = [bounds[name] for name in each]
    inside = [
        number
        for number, row in enumerate(rows)
        if all(low <= one <= high for one, (low, high) in zip(row, ends, strict=True))
    ]
    if len(inside) < (fewest := max(FEWEST, FEWEST_EACH * len(each))):
        raise ValueError(
            f"expected at least {fewest} draws that lie within the bounds of all of"
            f" {', '.join(f'`{name}`' for name in each)}, got {len(inside)} of {counts[first]:,}: widen the"
            " bounds, or have more drawn"
        )
    for name, one in each.items():
        if len({one.values[row] for row in inside}) == 1:
            same = written(one.values[inside[0]])
            raise ValueError(
                f"expected draws of `{name}` that differ within the bounds, got {same} each time: widen the"
                " bounds of what is known by draws"
            )
    return inside
