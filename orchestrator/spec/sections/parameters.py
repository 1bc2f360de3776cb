"""The parameters of a spec: what may be varied, between which bounds, on which scale."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal, TypeGuard

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from orchestrator.expressions.computed import Computed
from orchestrator.expressions.conditions import Condition, terms_of
from orchestrator.expressions.counts import smallest_amount
from orchestrator.spec.document.section import Section, refuse, shown
from orchestrator.spec.sections.bounds import Bounds, BoundsIfAny, WholeBounds
from orchestrator.spec.sections.change import TimeToChange, TimeToChangeOne
from orchestrator.spec.sections.parameter_keys import (
    ComesRound,
    FloatOtherwise,
    FloatStep,
    KnownBeforehand,
    Least,
    Otherwise,
    Promising,
    Scalar,
    Scale,
    Tolerance,
    TravelLimit,
    VariesInUse,
    WholeStep,
)
from orchestrator.spec.sections.when import ScalarValue, When
from orchestrator.values.change import Change, change_of
from orchestrator.values.descriptions import Description
from orchestrator.values.drawn import Drawn
from orchestrator.values.finite import is_number
from orchestrator.values.hunch import SaidPromising, promising_of
from orchestrator.values.in_use import InUse, in_use_of
from orchestrator.values.ordered import mistake_in
from orchestrator.values.prior import Prior, prior_of
from orchestrator.values.steps import Steps
from orchestrator.values.travel import Travel


class FloatParameter(Section):
    """A real number."""

    type: Literal["float"]
    bounds: Bounds
    """The lowest and the highest value, both included."""
    scale: Scale = "linear"
    """`log` for what matters by its order of magnitude; the bounds must then be above 0."""
    step: FloatStep = None
    travel: TravelLimit = None
    change: TimeToChange = None
    tolerance: Tolerance = None
    in_use: VariesInUse = None
    prior: KnownBeforehand = None
    promising: Promising = None
    unit: str | None = None
    when: When = None
    otherwise: FloatOtherwise = None
    least: Least = None
    periodic: ComesRound = False


class IntParameter(Section):
    """A whole number."""

    type: Literal["int"]
    bounds: WholeBounds
    """The lowest and the highest value, both included."""
    scale: Scale = "linear"
    """`log` for what matters by its order of magnitude; the bounds must then be above 0."""
    step: WholeStep = None
    travel: TravelLimit = None
    change: TimeToChange = None
    in_use: VariesInUse = None
    prior: KnownBeforehand = None
    promising: Promising = None
    unit: str | None = None
    when: When = None
    otherwise: Otherwise = None
    periodic: ComesRound = False


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
    change: TimeToChangeOne = None
    in_use: VariesInUse = None
    prior: KnownBeforehand = None
    promising: Promising = None
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
    change: TimeToChangeOne = None
    tolerance: Tolerance = None
    in_use: VariesInUse = None
    prior: KnownBeforehand = None
    promising: Promising = None
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


Varying = FloatParameter | IntParameter | ChoiceParameter | OrderedParameter
Parameter = Annotated[
    Varying | FixedParameter | ComputedParameter | GivenParameter, Field(discriminator="type")
]


def varies(parameter: Parameter) -> TypeGuard[Varying]:
    """Whether it may be chosen: it is neither fixed nor follows from others."""
    return isinstance(parameter, Varying)


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


def changes_of(parameters: Mapping[str, Parameter]) -> dict[str, Change]:
    """Of those of the parameters that take time to change, how long."""
    changes: dict[str, Change] = {}
    for name, told in parameters.items():
        if isinstance(told, FloatParameter | IntParameter) and told.change is not None:
            changes[name] = change_of(told.change, told.scale)
        elif isinstance(told, ChoiceParameter | OrderedParameter) and told.change is not None:
            changes[name] = change_of(told.change, None)
    return changes


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
        if varies(told) and told.in_use is not None
    }


def priors_among(parameters: Mapping[str, Parameter]) -> dict[str, Prior]:
    """Of those of the parameters of which something is known beforehand, what is."""
    return {
        name: prior_of(told.prior)
        for name, told in parameters.items()
        if varies(told) and told.prior is not None
    }


def hunches_among(parameters: Mapping[str, Parameter]) -> dict[str, SaidPromising]:
    """Of those of the parameters of which good settings are believed to lie somewhere, where."""
    return {
        name: promising_of(told.promising)
        for name, told in parameters.items()
        if varies(told) and told.promising is not None
    }


def draws_among(parameters: Mapping[str, Parameter]) -> dict[str, Drawn]:
    """Of those of the parameters that are known together, by draws, these."""
    return {name: one for name, one in priors_among(parameters).items() if isinstance(one, Drawn)}


def bounds_of_draws(parameters: Mapping[str, Parameter]) -> dict[str, tuple[float, float]]:
    """Of those that have draws."""
    told = {name: parameters[name] for name in draws_among(parameters)}
    return {
        name: (float(one.bounds[0]), float(one.bounds[1]))
        for name, one in told.items()
        if isinstance(one, FloatParameter | IntParameter)
    }


def differentiable_among(parameters: Mapping[str, Parameter]) -> tuple[str, ...]:
    """Those of the parameters by which there may be derivatives."""
    return tuple(
        name
        for name, told in parameters.items()
        if isinstance(told, FloatParameter) and told.step is None and not told.periodic
    )


def computed_of(parameters: Mapping[str, Parameter]) -> tuple[Computed, ...]:
    """Those of the parameters that are computed from others. Raises ArithmeticMistake for a formula that
    cannot be read.
    """
    return tuple(
        Computed.of(name, told.value, told.bounds)
        for name, told in parameters.items()
        if isinstance(told, ComputedParameter)
    )


def condition_of(parameter: Parameter) -> Condition | None:
    """When a parameter counts, or None where it always does."""
    if varies(parameter) and parameter.when is not None:
        return Condition(terms_of(parameter.when), parameter.otherwise)
    return None


def conditions_of(parameters: Mapping[str, Parameter]) -> dict[str, Condition]:
    """Of those of the parameters that do not always count, when they do."""
    return {name: one for name, told in parameters.items() if (one := condition_of(told)) is not None}
