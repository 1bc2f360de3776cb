"""Where good settings of a parameter are believed to lie, as a person says it: about a number, by chances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from orchestrator.spelling import meant_instead
from orchestrator.values.distributions import (
    AboutMean,
    ByChance,
    WithinFactor,
    about_mean,
    by_chance,
    within_factor,
)
from orchestrator.values.prior import require_prior_of_numbers, require_prior_of_values

EXPECTED = (
    "where it is promising, as `{mean: 20, deviation: 5}`, `{mean: 1.0e-3, factor: 3}` or"
    " `{chances: [0.2, 0.8]}`"
)
KEYS = ("mean", "deviation", "factor", "chances")
VARIES_IN_USE = "no `promising` beside `in_use`: what varies in use is not chosen"

SaidPromising: TypeAlias = AboutMean | WithinFactor | ByChance
"""Of one parameter, whatever the others are."""
Hunches: TypeAlias = Mapping[str, SaidPromising]
"""By the parameters' names; of others any setting is as promising."""


def promising_of(told: Any) -> SaidPromising:
    """What is told of one. Raises ValueError, which says what was expected."""
    if isinstance(told, Mapping):
        if told.keys() == {"mean", "deviation"}:
            return about_mean(told["mean"], told["deviation"])
        if told.keys() == {"mean", "factor"}:
            return within_factor(told["mean"], told["factor"])
        if told.keys() == {"chances"}:
            return by_chance(told["chances"])
    raise ValueError(f"{EXPECTED}{meant_instead(told, KEYS)}")


def require_promising(said: SaidPromising, beside: Mapping[str, Any]) -> None:
    """Raises ValueError, which says what was expected, for what cannot be said of a parameter of which
    ``bounds`` or ``values`` are told ``beside``, and perhaps that it varies ``in_use``.
    """
    if beside.get("in_use") is not None:
        raise ValueError(VARIES_IN_USE)
    if beside.get("bounds") is not None:
        low, high = beside["bounds"]
        require_prior_of_numbers(said, low, high, "is said to be promising")
    else:
        require_prior_of_values(said, len(beside["values"]))


def among_fewer(said: ByChance, kept: Sequence[bool]) -> ByChance | None:
    """Of those of its values that are kept; None where none of these was said to be likely."""
    left = [chance for chance, own in zip(said.chances, kept, strict=True) if own]
    total = sum(left)
    return ByChance(tuple(chance / total for chance in left)) if total > 0.0 else None
