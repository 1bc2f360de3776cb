"""What a run's results say of its parameters: what the figures are, and how far to trust them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from orchestrator.report.words.scales import seen_words
from orchestrator.report.words.wording import NAMED, counted, number
from orchestrator.sensitivity.analysis import Sensitivity
from orchestrator.sensitivity.measured import MOST_RESULTS
from orchestrator.sensitivity.results_model import LeftOut
from orchestrator.values.percent import percentage
from orchestrator.values.printable import printable

LITTLE_EXPLAINED = 0.5
"""A model that explains less of results left out says little of the parameters."""
LEAST_TOLD = 1.05
"""By which what is believed is stretched: of less nothing is said."""


def sentences(
    found: Sensitivity, quantity: str, through: str, *, constrained: bool, along: str
) -> Iterator[str]:
    """What the columns are, and how far to trust them. ``through``: which point profiles run through, in
    words; ``constrained``: whether there are constraints between parameters; ``along``: the quantity with its
    unit.
    """
    quantity = printable(quantity)
    yield (
        f"alone: the share of how {quantity} varies over all settings that goes once the parameter is known; "
        "in all: the share that stays while only it is unknown"
    )
    yield f"from, to: the {printable(along)} expected along it, the others as in {printable(through)}"
    if found.by_logarithm:
        yield "all settings: spread evenly over ranges as they were told, also where a logarithm counts"
    if constrained:
        yield "all settings: whatever the constraints between parameters say"
    yield trust(found)


def trust(found: Sensitivity) -> str:
    """By which models, and what they predict of results left out."""
    words = trust_in(found.hypotheses, found.left_out, found.results, found.by_logarithm)
    if found.left_out.explained < LITTLE_EXPLAINED:
        words += ": too little to rely on the shares"
    return words


def trust_in(
    hypotheses: Mapping[str, float],
    left_out: LeftOut,
    results: int,
    by_logarithm: Mapping[str, Sequence[str]],
) -> str:
    """The same of any model, of which of so many ``results`` it was made, and which parameters it sees
    ``by_logarithm`` of their distance from either end.
    """
    named = [f"`{name}` ({percentage(weight)})" for name, weight in list(hypotheses.items())[:NAMED]]
    by = ", ".join(named) or "models of the outcomes that it is computed from"
    within, of = int(left_out.expected.sum()), len(left_out.expected)
    seeing = f", {seen}" if (seen := seen_words(by_logarithm)) else ""
    words = f"by {by}{seeing}, from {_chosen(of, results)}"
    if math.isnan(left_out.explained):
        return f"{words}, which are all alike"
    return (
        f"{words}; left out one by one, {within} of {of} lie within two deviations of what the others "
        f"predict, which explains {percentage(max(0.0, left_out.explained))} of their variance"
    )


def stretched(times: float) -> str:
    """Why what is told of what models believe is not what they say themselves, if it is not."""
    if times < LEAST_TOLD:
        return ""
    return (
        f"; what is expected here is told to be {number(times, 2)} times as uncertain as these models say: by"
        " so much those of four fifths of the results missed the rest"
    )


def _chosen(modelled: int, results: int) -> str:
    if modelled == results:
        return counted(results, "result")
    why = "drawn whatever their values" if results > MOST_RESULTS else "the others being penalties"
    return f"{modelled} of {results} results, {why}"
