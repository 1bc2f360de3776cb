"""The parameters of a spec: what may be varied, between which bounds, on which scale."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator

from orchestrator.expressions.computed import Computed
from orchestrator.expressions.conditions import Condition, terms_of
from orchestrator.expressions.counts import check_least, smallest_amount
from orchestrator.spec.document.section import Section, refuse, shown
from orchestrator.spec.sections.bounds import Bounds, BoundsIfAny, WholeBounds
from orchestrator.spec.sections.when import ScalarValue, When, is_scalar
from orchestrator.values.descriptions import Description
from orchestrator.values.finite import is_number
from orchestrator.values.in_use import InUse, in_use_of, require_of_numbers, require_of_values
from orchestrator.values.ordered import mistake_in
from orchestrator.values.steps import BESIDE_A_LOG_SCALE, Steps
from orchestrator.values.tolerance import tolerance_of
from orchestrator.values.travel import Travel, travel_of


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


def _as_it_varies(told: Any, info: ValidationInfo) -> Any:
    beside = info.data
    if told is None or beside.keys().isdisjoint({"bounds", "values"}):
        return None
    try:
        in_use = in_use_of(told)
        if "bounds" in beside:
            require_of_numbers(in_use, beside["bounds"], whole=beside.get("type") == "int")
        else:
            require_of_values(in_use, beside["values"])
    except ValueError as error:
        # Of a mapping the sentence says what it is about.
        came = "" if isinstance(told, dict) else f", got {shown(told)}"
        raise refuse(f"expected {error}{came}") from None
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


LEAST = "It is 0, or at least so much: from which amount on it is used."
Least = Annotated[
    Annotated[Annotated[float, Field(gt=0)] | None, BeforeValidator(_where_used)], Field(description=LEAST)
]


class FloatParameter(Section):
    """A real number."""

    type: Literal["float"]
    bounds: Bounds
    """The lowest and the highest value, both included."""
    scale: Scale = "linear"
    """`log` for what matters by its order of magnitude; the bounds must then be above 0."""
    step: FloatStep = None
    travel: TravelLimit = None
    tolerance: Tolerance = None
    in_use: VariesInUse = None
    unit: str | None = None
    when: When = None
    otherwise: Otherwise = None
    least: Least = None


class IntParameter(Section):
    """A whole number."""

    type: Literal["int"]
    bounds: WholeBounds
    """The lowest and the highest value, both included."""
    scale: Scale = "linear"
    """`log` for what matters by its order of magnitude; the bounds must then be above 0."""
    step: WholeStep = None
    travel: TravelLimit = None
    in_use: VariesInUse = None
    unit: str | None = None
    when: When = None
    otherwise: Otherwise = None


def _numbers_by_name(told: object) -> object:
    if not isinstance(told, dict) or not all(isinstance(column, list) for column in told.values()):
        raise refuse(
            "expected the name of a CSV file, or numbers by name, as {polarity: [10.2, 5.2]},"
            f" got {shown(told)}"
        )
    for name, column in told.items():
        for number in column:
            if not is_number(number):
                raise refuse(f"expected finite numbers as `{name}`, got {shown(number)}")
    return told


class ChoiceParameter(Section):
    """One of some values that have no order."""

    type: Literal["choice"]
    values: list[Scalar]
    """At least two, each once."""
    described: Annotated[dict[str, list[float]], BeforeValidator(_numbers_by_name)] | None = None
    """What is known of each value, by which some are alike: under each name as many numbers as there are
    values; or a table of them, as the path of a CSV file beside the spec."""
    in_use: VariesInUse = None
    unit: str | None = None
    when: When = None
    otherwise: Otherwise = None

    @field_validator("described")
    @classmethod
    def _of_each_value(
        cls, described: dict[str, list[float]] | None, info: ValidationInfo
    ) -> dict[str, list[float]] | None:
        if described is None or "values" not in info.data:
            return described
        count = len(info.data["values"])
        for name, numbers in described.items():
            if len(numbers) != count:
                raise refuse(
                    f"expected as many numbers as there are values, {count}, as `{name}`, got {len(numbers)}"
                )
        try:
            _description(described)
        except ValueError as error:
            raise refuse(str(error)) from None
        return described

    @property
    def description(self) -> Description | None:
        """What is known of the values, if anything is."""
        return None if self.described is None else _description(self.described)

    @field_validator("values")
    @classmethod
    def _two_or_more_each_once(cls, values: list[ScalarValue]) -> list[ScalarValue]:
        if len(values) < 2:
            raise refuse(
                f"expected at least two values to choose from, got {len(values)}; one is `type: fixed`"
            )
        texts: set[str] = set()
        equal: set[tuple[bool, ScalarValue]] = set()
        for value in values:
            # By their text as well, because that is how a CSV file of results names them.
            text, own = str(value), (isinstance(value, bool), value)
            if text in texts or own in equal:
                raise refuse(f"expected each value once, got {shown(value)} again")
            texts.add(text)
            equal.add(own)
        return values


def _description(told: Mapping[str, list[float]]) -> Description:
    """Raises ValueError."""
    return Description(tuple(told), tuple(zip(*told.values(), strict=True)))


def _number_or_text(value: object) -> object:
    if isinstance(value, str) or is_number(value):
        return value
    raise refuse(f"expected a finite number or text, got {shown(value)}")


class OrderedParameter(Section):
    """One of some values whose order means something."""

    type: Literal["ordered"]
    scale: Literal["linear", "log"] = "linear"
    """`log` for numbers that matter by their order of magnitude; they must then be above 0."""
    values: list[Annotated[str | int | float, BeforeValidator(_number_or_text)]]
    """At least two, each once: numbers that ascend or descend, which lie by their distances; or texts, which
    lie evenly.
    """
    tolerance: Tolerance = None
    in_use: VariesInUse = None
    unit: str | None = None
    when: When = None
    otherwise: Otherwise = None

    @field_validator("values")
    @classmethod
    def _in_order(cls, values: list[object], info: ValidationInfo) -> list[object]:
        if "scale" in info.data and (mistake := mistake_in(values, info.data["scale"])):
            raise refuse(mistake)
        return values

    @property
    def numbers(self) -> list[float]:
        """The values, if they are numbers."""
        return [value for value in self.values if not isinstance(value, str)]


class FixedParameter(Section):
    """A constant that every evaluation is given. A bare value in place of the mapping is one as well."""

    type: Literal["fixed"]
    value: Scalar
    unit: str | None = None


class ComputedParameter(Section):
    """What is not chosen, but follows from other parameters; every evaluation is given it."""

    type: Literal["computed"]
    value: str
    """Arithmetic of other parameters, as `100 - resin - hardener`."""
    bounds: BoundsIfAny = None
    """The lowest and the highest value, both included, which the others have to leave it; any, if left out.
    """
    unit: str | None = None


class GivenParameter(Section):
    """What goes with the row of the candidates that is tried, such as a barcode: evaluations are given it."""

    type: Literal["given"]
    unit: str | None = None


Parameter = Annotated[
    FloatParameter
    | IntParameter
    | ChoiceParameter
    | OrderedParameter
    | FixedParameter
    | ComputedParameter
    | GivenParameter,
    Field(discriminator="type"),
]


def varies(parameter: Parameter) -> bool:
    """Whether it may be chosen: it is neither fixed nor follows from others."""
    return not isinstance(parameter, FixedParameter | ComputedParameter | GivenParameter)


def steps_of(parameter: Parameter) -> Steps | None:
    """The values of a parameter that takes steps, or None for others."""
    if not isinstance(parameter, FloatParameter | IntParameter) or parameter.step is None:
        return None
    return _steps(*parameter.bounds, parameter.step)


@lru_cache(maxsize=1_000, typed=True)
def _steps(low: float, high: float, step: float) -> Steps:
    """Made once: they are asked for at every value of every known result."""
    return Steps(low, high, step)


def travels_of(parameters: Mapping[str, Parameter]) -> dict[str, Travel]:
    """Of those of the parameters that may not go anywhere at once, how far they may."""
    return {
        name: Travel(told.travel, told.scale == "log")
        for name, told in parameters.items()
        if isinstance(told, FloatParameter | IntParameter) and told.travel is not None
    }


def least_amounts_of(parameters: Mapping[str, Parameter]) -> dict[str, str]:
    """By name, the constraints that say from which amount on parameters are used that may be 0."""
    told = {
        n: p.least for n, p in parameters.items() if isinstance(p, FloatParameter) and p.least is not None
    }
    return {name: smallest_amount(name, least) for name, least in told.items()}


def tolerances_of(parameters: Mapping[str, Parameter]) -> dict[str, float]:
    """Of those of the parameters that what is built does not meet exactly, by how much it may be off."""
    return {
        name: told.tolerance
        for name, told in parameters.items()
        if isinstance(told, FloatParameter | OrderedParameter) and told.tolerance is not None
    }


def in_use_among(parameters: Mapping[str, Parameter]) -> dict[str, InUse]:
    """Of those of the parameters that nobody sets in use, how they vary."""
    return {
        name: in_use_of(told.in_use)
        for name, told in parameters.items()
        if not isinstance(told, FixedParameter | ComputedParameter | GivenParameter)
        and told.in_use is not None
    }


def computed_of(parameters: Mapping[str, Parameter]) -> tuple[Computed, ...]:
    """Those of the parameters that are computed from others. Raises ArithmeticMistake for a formula that
    cannot be read.
    """
    return tuple(
        Computed.of(name, told.value, told.bounds, told.unit or "")
        for name, told in parameters.items()
        if isinstance(told, ComputedParameter)
    )


def condition_of(parameter: Parameter) -> Condition | None:
    """When a parameter counts, or None where it always does."""
    if isinstance(parameter, FixedParameter | ComputedParameter | GivenParameter) or parameter.when is None:
        return None
    return Condition(terms_of(parameter.when), parameter.otherwise)


def conditions_of(parameters: Mapping[str, Parameter]) -> dict[str, Condition]:
    """Of those of the parameters that do not always count, when they do."""
    return {name: one for name, told in parameters.items() if (one := condition_of(told)) is not None}
