"""What a run starts from: points to begin with, and results that are known."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from orchestrator.spec.document.section import Section, refuse
from orchestrator.spec.sections.number_or_curve import number_or_curve
from orchestrator.spec.sections.parameter_keys import Scalar
from orchestrator.values.block_name import OF_NO_BLOCK, block_name
from orchestrator.values.counts import MOST, MOST_TIMES

MOST_RELATED = 4
FEWEST_RELATED = 2
"""Results of a related experiment of which a model can be made."""


def refusal_of_many(related: int) -> str:
    """Why so many related experiments are refused; empty if they are not."""
    if related <= MOST_RELATED:
        return ""
    return (
        f"expected at most {MOST_RELATED} related experiments, got {related}: few results cannot tell which"
        " of many are like this one; name those that are likeliest to be"
    )


def _few_related(tables: list[str]) -> list[str]:
    if complaint := refusal_of_many(len(tables)):
        raise refuse(complaint)
    return tables


def _outcome(value: object) -> object:
    if isinstance(value, bool):
        return float(value)
    return number_or_curve(value)


class KnownResult(Section):
    """A value, or a failure, known before the run. Part of the data, not of the budget."""

    parameters: dict[str, Scalar | None]
    value: float | None
    """Nothing where `state` says that it failed."""
    state: str | None = None
    """As `orchestrator export` writes it: `failed`, of what gave no value. Beside a value it says nothing."""
    variance: Annotated[float, Field(ge=0)] | None = None
    factors: list[float] | None = None
    """What each of the spec's factors gave, where that is known."""
    seconds: Annotated[float, Field(gt=0)] | None = None
    """What its evaluation took, where that is known: of use where durations are weighed, or costs learned."""
    block: Annotated[str, BeforeValidator(block_name)] = OF_NO_BLOCK
    """Which of the spec's blocks it is of, where that is known."""
    outcomes: dict[str, Annotated[float | tuple[float, ...], BeforeValidator(_outcome)]] = Field(
        default_factory=dict
    )
    """The spec's outcomes, as far as they are known. Without them it does not count as the best."""
    derivatives: dict[str, float | None] = Field(default_factory=dict)
    """Those of the objective by parameters, as far as they are known."""


class Initial(Section):
    """What the run starts from."""

    count: Annotated[int, Field(ge=1, le=MOST)] | None = None
    """How many points come from the start design; the algorithm's own default if not given."""
    reference: dict[str, Scalar | None] | None = None
    """The point that the best one is measured against, as what is made with today: evaluated first of all."""
    reference_times: Annotated[int, Field(ge=1, le=MOST_TIMES)] = 1
    """How often it is evaluated then: limits relative to it are so to the mean of what it has."""
    points: list[dict[str, Scalar | None]] = Field(default_factory=list)
    """Points to evaluate before any other, the reference first, as often as it is, if there is one. Those
    that leave parameters out come last, and have the rest chosen.
    """
    results: list[KnownResult] = Field(default_factory=list)
    """Results known already, inline or as the paths of CSV files beside the spec, alone or with what all
    results of a file had in parameters that it has no column of: `{file: old.csv, where: {humidity: 40}}`.
    """
    related: Annotated[list[str], AfterValidator(_few_related)] = Field(default_factory=list)
    """Tables of results of other experiments, which are like this one as far as results show, as the paths
    of CSV files beside the spec."""
