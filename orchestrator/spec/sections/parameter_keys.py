"""What the keys of a parameter may hold, each beside those before it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo
from pydantic_core import PydanticCustomError

from orchestrator.expressions.counts import check_least
from orchestrator.spec.document.section import refuse, shown
from orchestrator.spec.sections.when import ScalarValue, is_scalar
from orchestrator.values.finite import is_number
from orchestrator.values.hunch import promising_of, require_promising
from orchestrator.values.in_use import in_use_of, require_of_numbers, require_of_values
from orchestrator.values.periodic import require_periodic
from orchestrator.values.prior import (
    VARIES_IN_USE,
    prior_of,
    require_prior_of_numbers,
    require_prior_of_values,
)
from orchestrator.values.steps import BESIDE_A_LOG_SCALE, Steps
from orchestrator.values.tolerance import tolerance_of
from orchestrator.values.travel import travel_of


def _scalar(value: object) -> object:
    if is_scalar(value):
        return value
    named = "; give what is none a name, as `none`" if value is None else ""
    raise refuse(f"expected text, a finite number, true or false, got {shown(value)}{named}")


Scalar = Annotated[ScalarValue, BeforeValidator(_scalar)]


def _beside_when(value: ScalarValue | None, info: ValidationInfo) -> ScalarValue | None:
    if value is not None and "when" in info.data and info.data["when"] is None:
        raise refuse("expected `when` as well: a parameter without it always counts, and is never otherwise")
    return value


Otherwise = Annotated[
    Annotated[Scalar | None, AfterValidator(_beside_when)],
    Field(
        description="What an evaluation is given where the parameter does not count; nothing, if left out."
    ),
]


def _real(value: ScalarValue | None) -> ScalarValue | None:
    # As all its values are: programs that read columns put a point into a number that has none.
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


FloatOtherwise = Annotated[Otherwise, AfterValidator(_real)]


def _log_above_zero(scale: str, info: ValidationInfo) -> str:
    bounds = info.data.get("bounds")
    if scale == "log" and bounds is not None and bounds[0] <= 0:
        raise refuse(f"a log scale needs bounds above 0, got {shown(bounds)}")
    return scale


Scale = Annotated[Literal["linear", "log"], AfterValidator(_log_above_zero)]


def _between_bounds(step: Any, info: ValidationInfo) -> float | None:
    if step is None:
        return None
    if not is_number(step) or step <= 0:
        raise refuse(f"expected a number above 0 as the step, got {shown(step)}")
    if info.data.get("scale") == "log":
        raise refuse(BESIDE_A_LOG_SCALE)
    if "bounds" not in info.data:
        return None
    low, high = info.data["bounds"]
    try:
        steps = Steps(low, high, step)
    except ValueError as error:
        raise refuse(str(error)) from None
    return int(steps.step) if steps.whole else float(steps.step)


STEP = "How far apart values are, from the lower bound to the upper one; if left out, any between may come."
FloatStep = Annotated[
    Annotated[Annotated[float, Field(gt=0)] | None, BeforeValidator(_between_bounds)], Field(description=STEP)
]
WholeStep = Annotated[
    Annotated[Annotated[int, Field(gt=0)] | None, BeforeValidator(_between_bounds)], Field(description=STEP)
]


def _by_which_it_can_change(travel: object, info: ValidationInfo) -> float | None:
    told = info.data
    if travel is None or not {"bounds", "scale", "step"} <= told.keys():
        return None
    least = told["step"] or (1.0 if told["type"] == "int" else 0.0)
    try:
        return travel_of(travel, told["scale"], told["bounds"], least).limit
    except ValueError as error:
        raise refuse(f"expected {error}, got {shown(travel)}") from None


TRAVEL = (
    "How far it may go from one evaluation to the next: in its own units, or, where the scale is log, by"
    " which factor."
)
TravelLimit = Annotated[
    Annotated[Annotated[float, Field(gt=0)] | None, BeforeValidator(_by_which_it_can_change)],
    Field(description=TRAVEL),
]


def _narrower_than_bounds(width: Any, info: ValidationInfo) -> float | None:
    told = info.data
    if width is None or told.keys().isdisjoint({"bounds", "values"}):
        return None
    ends = told["bounds"] if "bounds" in told else (told["values"][0], told["values"][-1])
    if any(isinstance(end, str) for end in ends):
        raise refuse(f"expected no tolerance of texts, between which there is nothing, got {shown(width)}")
    try:
        return tolerance_of(width, min(ends), max(ends))
    except ValueError as error:
        raise refuse(f"expected {error}, got {shown(width)}") from None


TOLERANCE = (
    "By how much what is built may be off, up and down, in its own units, where evaluations are as set: what"
    " is looked for is best on average over that."
)
Tolerance = Annotated[
    Annotated[Annotated[float, Field(gt=0)] | None, BeforeValidator(_narrower_than_bounds)],
    Field(description=TOLERANCE),
]


def _where_used(least: Any, info: ValidationInfo) -> float | None:
    told = info.data
    if least is None or "bounds" not in told:
        return None
    try:
        check_least(least, told["bounds"], conditional=told.get("when") is not None)
    except ValueError as error:
        raise refuse(f"expected {error}, got {shown(least)}") from None
    return float(least)


def _refused(error: ValueError, told: Any) -> PydanticCustomError:
    # Of a mapping the sentence says what it is about.
    came = "" if isinstance(told, dict) else f", got {shown(told)}"
    return refuse(f"expected {error}{came}")


def _as_it_varies(told: Any, info: ValidationInfo) -> Any:
    beside = info.data
    if told is None or beside.keys().isdisjoint({"bounds", "values"}):
        return None
    try:
        in_use = in_use_of(told, of_numbers="bounds" in beside)
        if "bounds" in beside:
            whole, step = beside.get("type") == "int", beside.get("step")
            require_of_numbers(in_use, beside["bounds"], whole=whole, step=step)
        else:
            require_of_values(in_use, beside["values"])
    except ValueError as error:
        raise _refused(error, told) from None
    return in_use.told


IN_USE = (
    "How it varies in use, where nobody sets it, though an evaluation is told it: `evenly`, `{mean: 8,"
    " deviation: 3}`, `{chances: [0.2, 0.8]}`, `{recorded: [4.1, 7.8]}`, or a CSV file of what was recorded,"
    " as `weather.csv`. What is looked for is a design of the others that is best over that."
)
VariesInUse = Annotated[
    Annotated[Literal["evenly"] | str | dict[str, Any] | None, BeforeValidator(_as_it_varies)],
    Field(description=IN_USE),
]


def _as_it_is_known(told: Any, info: ValidationInfo) -> Any:
    beside = info.data
    if told is None or beside.keys().isdisjoint({"bounds", "values"}):
        return None
    try:
        if beside.get("in_use") is not None:
            raise ValueError(VARIES_IN_USE)
        prior = prior_of(told, of_numbers="bounds" in beside)
        if "bounds" in beside:
            require_prior_of_numbers(prior, *beside["bounds"])
        else:
            require_prior_of_values(prior, len(beside["values"]))
    except ValueError as error:
        raise _refused(error, told) from None
    return prior.told


PRIOR = (
    "What is known of it before any result: `{mean: 67.4, deviation: 0.5}`, `{mean: 0.02, factor: 1.5}`, of"
    " listed values `{chances: [0.2, 0.8]}`, or draws, as of an earlier posterior, together with those of all"
    " others that have these: a CSV file, as `earlier.csv`. It says over what values are spread, of a `fit`"
    " also which settings are plausible, and does not count in the misfit."
)
KnownBeforehand = Annotated[
    Annotated[str | dict[str, Any] | None, BeforeValidator(_as_it_is_known)], Field(description=PRIOR)
]


def _where_promising(told: Any, info: ValidationInfo) -> Any:
    if told is None or info.data.keys().isdisjoint({"bounds", "values"}):
        return None
    try:
        said = promising_of(told)
        require_promising(said, info.data)
    except ValueError as error:
        raise _refused(error, told) from None
    return said.told


PROMISING = (
    "Where good settings are believed to lie: `{mean: 20, deviation: 5}`, `{mean: 1.0e-3, factor: 3}`, or of"
    " listed values `{chances: [0.2, 0.8]}`. The search begins there, and trusts it less as results come."
)
Promising = Annotated[
    Annotated[dict[str, Any] | None, BeforeValidator(_where_promising)], Field(description=PROMISING)
]


def _round_and_round(periodic: bool, info: ValidationInfo) -> bool:
    if not periodic or "bounds" not in info.data:
        return periodic
    try:
        require_periodic(info.data)
    except ValueError as error:
        raise refuse(f"expected {error}") from None
    return True


PERIODIC = (
    "Whether it comes round, as an angle from -180 to 180 degrees does: both bounds are the same setting, and"
    " results near one say as much of what is near the other."
)
ComesRound = Annotated[Annotated[bool, AfterValidator(_round_and_round)], Field(description=PERIODIC)]

LEAST = "It is 0, or at least so much: from which amount on it is used."
Least = Annotated[
    Annotated[Annotated[float, Field(gt=0)] | None, BeforeValidator(_where_used)], Field(description=LEAST)
]
