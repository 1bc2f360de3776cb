"""What is known of a parameter before any result, as a person says it: a number, how surely, or chances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from orchestrator.spelling import meant_instead
from orchestrator.values.distributions import (
    LEAST_INSIDE,
    AboutMean,
    ByChance,
    WithinFactor,
    about_mean,
    by_chance,
    lies_within,
    of_as_many,
    within_factor,
)
from orchestrator.values.drawn import Drawn, drawn

EXPECTED = (
    "what is known of it beforehand, as `{mean: 67.4, deviation: 0.5}`, `{mean: 0.02, factor: 1.5}`,"
    " `{chances: [0.2, 0.8]}` or `{draws: earlier.csv}`"
)
KEYS = ("mean", "deviation", "factor", "chances", "draws", "weights")
NO_CHANCES = "no `chances` of any number between bounds; say `mean` and `deviation`"
VARIES_IN_USE = "no `prior` beside `in_use`: what varies in use has no one value that could be known"

Prior: TypeAlias = AboutMean | WithinFactor | ByChance | Drawn
"""Of one parameter, or, by draws, of all together that have these."""
Priors: TypeAlias = Mapping[str, Prior]
"""By the parameters' names; of others all between the bounds is as plausible, on their scale."""


def prior_of(told: Any, *, of_numbers: bool = False) -> Prior:
    """What is told of one, ``of_numbers`` if it is any between bounds. Raises ValueError, which says what was
    expected.
    """
    if isinstance(told, Mapping):
        if told.keys() == {"mean", "deviation"}:
            return about_mean(told["mean"], told["deviation"])
        if told.keys() == {"mean", "factor"}:
            return within_factor(told["mean"], told["factor"])
        if told.keys() == {"chances"}:
            if of_numbers:
                raise ValueError(NO_CHANCES)
            return by_chance(told["chances"])
        if told.keys() == {"draws"}:
            return drawn(told["draws"])
    raise ValueError(f"{EXPECTED}{meant_instead(told, KEYS)}")


def require_prior_of_numbers(
    prior: Prior, low: float, high: float, what: str = "is plausible beforehand"
) -> None:
    """Raises ValueError, which says what was expected, for what cannot be known of numbers between bounds, or
    for ``what`` else lies so.
    """
    if isinstance(prior, ByChance):
        raise ValueError(NO_CHANCES)
    if isinstance(prior, WithinFactor) and low < 0:
        raise ValueError("no bounds below 0 beside a `factor`; or say `mean` and `deviation`")
    within = (
        prior.share_within(low, high) >= LEAST_INSIDE
        if isinstance(prior, Drawn)
        else lies_within(prior, low, high)
    )
    if not within:
        raise ValueError(f"bounds that hold what {what}, and not less than {100 * LEAST_INSIDE:g} % of it")


def require_prior_of_values(prior: Prior, count: int) -> None:
    """The same of one of so many values."""
    if not isinstance(prior, ByChance):
        came = "draws" if isinstance(prior, Drawn) else "mean"
        raise ValueError(f"no `{came}` of values that are listed; say `chances`, one for each")
    of_as_many(prior, count)


def lies_outside(prior: Prior, low: float, high: float) -> bool:
    """Whether its mean is not within bounds."""
    return not isinstance(prior, ByChance) and not low <= prior.mean <= high


def prior_in_words(prior: Prior) -> str:
    """For people, briefly."""
    if isinstance(prior, AboutMean):
        return f"{prior.mean:g} ± {prior.deviation:g}"
    if isinstance(prior, WithinFactor):
        return f"{prior.mean:g} within a factor of {prior.factor:g}"
    if isinstance(prior, Drawn):
        return prior.in_words()
    return f"chances {', '.join(f'{one:g}' for one in prior.chances)}"


def prior_in_brief(prior: Prior) -> Mapping[str, Any]:
    """For programs that tell what was known: of draws not each."""
    return prior.in_brief if isinstance(prior, Drawn) else prior.told
