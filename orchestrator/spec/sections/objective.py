"""What is optimised, and how its value comes about, as it is written in a spec."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from orchestrator.fit_targets import MOST_TARGETS
from orchestrator.objectives import OF_THE_VALUE, Goal
from orchestrator.spec.document.section import Section, refuse, shown
from orchestrator.spec.sections.fit_target import FitTarget
from orchestrator.values.finite import is_number
from orchestrator.values.over import over_of

BY_COMPARISON: Literal["by comparison"] = "by comparison"
"""How an objective is told that nobody can measure: people say which of two trials is better."""


def _noise(value: Any) -> Any:
    if value in ("unknown", "reported") or (is_number(value) and value >= 0):
        return value
    raise refuse(f"expected `unknown`, `reported` or a standard deviation of at least 0, got {shown(value)}")


def _over(told: Any) -> Any:
    try:
        return over_of(told).told
    except ValueError as error:
        came = shown(told)
        if isinstance(told, dict) and len(told) == 1:
            ((name, share),) = told.items()
            came = f"`{{{name}: {shown(share).strip('`')}}}`"
        raise refuse(f"expected {error}, got {came}") from None


def _derivatives(told: Any) -> Any:
    if isinstance(told, bool) or (isinstance(told, list) and all(isinstance(one, str) for one in told)):
        return told
    raise refuse(f"expected `true`, or a list of parameters, got {shown(told)}")


def _covariance(told: Any) -> Any:
    """What was written out is a square of numbers, in lists."""
    return told if told is None else tuple(tuple(map(float, row)) for row in told)


class Objective(Section):
    """What is optimised."""

    name: Annotated[str, Field(min_length=1, max_length=100)] = "value"
    """What an evaluation may return it under; for tables and plots; the column of a CSV of known results."""
    goal: Goal
    told: Literal["as a value", "by comparison"] = "as a value"
    """`by comparison`: no trial has a value, people say which of two is better. There is no goal then."""
    noise: Annotated[Literal["unknown", "reported"] | float, BeforeValidator(_noise)] = "unknown"
    """`unknown`: inferred; a number: its standard deviation; `reported`: evaluations bring a variance."""
    over: Annotated[Literal["average", "worst", "each"] | dict[str, float], BeforeValidator(_over)] = (
        "average"
    )
    """Beside parameters that vary in use: `average`; `{worst: 0.1}`, over the worst tenth; `{quantile: 0.1}`,
    what is fallen short of in a tenth; `worst`, which comes up; `each`, which has its own best settings."""
    threshold: float | None = None
    """No best point is sought, but in which part of the domain the value is above this. There is no goal
    then."""
    derivatives: Annotated[bool | list[str], BeforeValidator(_derivatives)] = False
    """Whether evaluations return derivatives of the value beside it, as `{span: 0.3, sweep: -0.1}` under
    `derivatives`, or the parameters by which they do: `true` stands for all that are real numbers."""
    unit: str | None = None
    """For people: it stands behind values."""
    value: str | None = None
    """A formula of `outcomes` and parameters, by which the value is computed, such as `(lift - 3) ** 2`:
    evaluations return the outcomes alone."""
    fit: Annotated[dict[str, FitTarget] | None, Field(min_length=1, max_length=MOST_TARGETS)] = None
    """What outcomes are to be: the value is the sum of the squares by which they are off, each in units of
    its error. A table of columns `outcome`, `value` and perhaps `error` beside the spec, or as
    `{lift: {value: 3.2, error: 0.1}, drag: 1.0}`; of a curve a row a point, with a column `at`."""

    covariance: Annotated[tuple[tuple[float, ...], ...] | None, BeforeValidator(_covariance)] = None
    """Of the errors of a `fit`, where they hang together: a row and a column for each target, in their order,
    of a curve for each of its points. A square table beside the spec, or `[[0.04, 0.01], [0.01, 0.09]]`."""

    @model_validator(mode="before")
    @classmethod
    def _better_is_the_goal(cls, told: object) -> object:
        if not isinstance(told, dict) or "goal" in told:
            return told
        if told.get("told") == BY_COMPARISON or told.get("threshold") is not None:
            return {"goal": "maximise"} | told
        return told

    @property
    def is_computed(self) -> bool:
        """Whether its value is computed from outcomes."""
        return self.value is not None or self.fit is not None

    @property
    def is_returned(self) -> bool:
        """Whether evaluations return its value."""
        return self.told != BY_COMPARISON and not self.is_computed

    @property
    def own_name(self) -> str:
        """What may stand for `value` where a result is a mapping; empty where the name says something else
        there.
        """
        return "" if self.name in OF_THE_VALUE else self.name


class FurtherObjective(Section):
    """What is optimised besides: it is returned beside the value, under its name."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    goal: Goal
    unit: str | None = None
