"""Parameters of plain Python values, as the Python interface is told them.

Everything raises SpecError, with what was expected and what came.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any, TypeGuard

from orchestrator.errors import SpecError
from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.computed import Computed
from orchestrator.expressions.conditions import Condition, Term, terms_of
from orchestrator.expressions.counts import check_least, smallest_amount
from orchestrator.expressions.one_of import OneOf
from orchestrator.parameters.kinds import ChoiceParameter, FloatParameter, IntParameter, Parameter, stepped
from orchestrator.parameters.ordered import OrderedParameter
from orchestrator.parameters.types_elsewhere import TYPES, in_python, key_elsewhere, type_elsewhere
from orchestrator.parameters.values import Scale, mismatch
from orchestrator.spelling import did_you_mean, is_it
from orchestrator.values.change import BESIDE_WHEN as NO_CHANGE
from orchestrator.values.change import Change, ChangeMistake, change_of
from orchestrator.values.descriptions import Description
from orchestrator.values.drawn import with_few_draws
from orchestrator.values.finite import in_short, is_number
from orchestrator.values.foreign import in_a_line, numbers_within, plain_within, single_number
from orchestrator.values.hunch import SaidPromising, promising_of, require_promising
from orchestrator.values.in_use import InUse, in_use_of, require_of_numbers, require_of_values
from orchestrator.values.periodic import require_nothing_beside
from orchestrator.values.plain import plain, plain_throughout
from orchestrator.values.prior import (
    VARIES_IN_USE,
    Prior,
    prior_of,
    require_prior_of_numbers,
    require_prior_of_values,
)
from orchestrator.values.quoted import quoted
from orchestrator.values.tolerance import tolerance_of
from orchestrator.values.travel import BESIDE_WHEN, Travel, travel_of

CONDITIONAL = ("when", "otherwise")
OF_NUMBERS = ("scale", "step", "unit", "travel", "change", "periodic")


def _kind(told: Mapping[str, object]) -> str:
    """Its type, if that is a text: an array can be compared with none."""
    kind = plain(told.get("type"))
    return kind if isinstance(kind, str) else ""


def is_fixed(told: object) -> TypeGuard[Mapping[str, object]]:
    """Whether it is no parameter to choose, but a constant."""
    return isinstance(told, Mapping) and _kind(told) == "fixed"


def constant_described(name: str, told: Mapping[str, object]) -> object:
    """The value of one that is fixed."""
    value = plain_within(_take(name, told, required=("value",), optional=("unit",))["value"])
    _refuse_signalling(name, [value])
    return value


def is_computed(told: object) -> TypeGuard[Mapping[str, object]]:
    """Whether it is not chosen, but follows from others."""
    return isinstance(told, Mapping) and _kind(told) == "computed"


def computed_described(name: str, told: Mapping[str, object]) -> Computed:
    """One that is computed."""
    known = _take(name, told, required=("value",), optional=("bounds", "unit"))
    bounds = None
    if known.get("bounds") is not None:
        low, high = _pair(name, known["bounds"])
        if not (is_number(low) and is_number(high) and low < high):
            raise mismatch(name, "finite bounds (low, high) with low < high", known["bounds"])
        bounds = (low, high)
    try:
        return Computed.of(name, plain(known["value"]), bounds)
    except ArithmeticMistake as mistake:
        raise SpecError(f"parameter `{name}`: {mistake}") from None


def computable_range(told: object) -> float:
    """How wide the bounds are of a float that an equality may have computed; 0 of any other."""
    if isinstance(told, Mapping):
        own = ("step", "travel", "change", "tolerance", "when", "least", "in_use", "prior", "promising")
        more = any(told.get(key) is not None for key in own) or bool(told.get("periodic"))
        if _kind(told) != "float" or plain(told.get("scale", "linear")) != "linear" or more:
            return 0.0
    pair = plain(told.get("bounds") if isinstance(told, Mapping) else told)
    if not isinstance(pair, Sequence) or len(pair) != 2 or not all(map(is_number, pair)):
        return 0.0
    return max(0.0, float(pair[1]) - float(pair[0]))


def parameter_described(name: str, told: object) -> Parameter:
    """One that is neither fixed nor computed."""
    if not isinstance(told, Mapping):
        return FloatParameter(name, *_pair(name, told))
    kind = _kind(told)
    unit = str(told.get("unit", ""))
    if kind in ("float", "int"):
        own = (*OF_NUMBERS, "tolerance", "least") if kind == "float" else OF_NUMBERS
        own = (*own, "in_use", "prior", "promising", *CONDITIONAL)
        known = _take(name, told, required=("bounds",), optional=own)
        low, high = _pair(name, known["bounds"])
        scale, step = _scale(name, known), single_number(known.get("step"))
        periodic = _periodic(name, known)
        plainly = (
            FloatParameter(name, low, high, scale, unit, periodic)
            if kind == "float"
            else IntParameter(name, _whole(low), _whole(high), scale, unit, periodic)
        )
        return plainly if step is None else stepped(plainly, step)
    if kind in ("choice", "ordered"):
        further = ("scale", "tolerance") if kind == "ordered" else ("described",)
        own = (*further, "unit", "change", "in_use", "prior", "promising", *CONDITIONAL)
        known = _take(name, told, required=("values",), optional=own)
        described = plain_throughout(known.get("described"))
        if kind == "choice" and isinstance(known["values"], Mapping):
            if described is not None:
                raise mismatch(name, "no `described` beside values that are", described)
            return _described_choice(name, plain_throughout(known["values"]), unit)
        values = plain(known["values"])
        if isinstance(values, str) or not isinstance(values, Sequence):
            listable = isinstance(values, Iterable) and not isinstance(values, str)
            made = ", as list(...) makes one" if listable else ""
            raise mismatch(name, f"a list of values{made}", values)
        if kind == "ordered":
            return OrderedParameter(name, tuple(values), _scale(name, known), unit)
        _refuse_signalling(name, values)
        chosen = ChoiceParameter(name, tuple(values), unit)
        if described is None:
            return chosen
        return _described_choice(name, _numbers_of_each(name, chosen.values, described), unit)
    expected = f"type {', '.join(TYPES[:-1])} or {TYPES[-1]}"
    if (meant := type_elsewhere(kind)) is not None:
        here = (
            f" (did you mean `{meant['type']}`?)" if len(meant) == 1 else f"; here that is {in_python(meant)}"
        )
        raise SpecError(f"parameter `{name}`: expected {expected}, got {in_short(kind)}{here}")
    if "type" not in told:
        near = is_it("type", map(str, told))
        raise SpecError(f"parameter `{name}`: expected {expected}, but `type` is missing{near}")
    raise mismatch(name, expected, plain(told["type"]), TYPES)


def _refuse_signalling(name: str, values: Iterable[object]) -> None:
    """Raises SpecError for a NaN that cannot even be compared."""
    for value in values:
        if isinstance(value, Decimal) and value.is_snan():
            raise mismatch(name, "values that can be compared", value)


def _numbers_of_each(name: str, values: Sequence[Any], columns: object) -> dict[Any, dict[str, object]]:
    """What columns, in the order of the values, say of each of these."""
    if not isinstance(columns, Mapping) or not all(
        isinstance(column, Sequence) and not isinstance(column, str) and len(column) == len(values)
        for column in columns.values()
    ):
        numbers = f"{len(values)} numbers a name, as {{'mass': [262, 350, ...]}}"
        raise mismatch(name, f"`described` as {numbers}, in the order of the values", columns)
    if not all(isinstance(value, Hashable) for value in values):
        raise mismatch(name, "values that are texts or numbers beside `described`", list(values))
    return {value: {key: column[i] for key, column in columns.items()} for i, value in enumerate(values)}


def _described_choice(name: str, told: Mapping[Any, Any], unit: str) -> ChoiceParameter:
    try:
        description = Description.of(told)
    except ValueError as error:
        raise SpecError(f"parameter `{name}`: {error}") from None
    return ChoiceParameter(name, tuple(told), unit, description)


def _periodic(name: str, told: Mapping[str, object]) -> bool:
    periodic = plain(told.get("periodic", False))
    if not isinstance(periodic, bool):
        raise mismatch(name, "True or False as `periodic`", periodic)
    if periodic:
        try:
            require_nothing_beside(told)
        except ValueError as error:
            raise SpecError(f"parameter `{name}`: expected {error}") from None
    return periodic


def _scale(name: str, told: Mapping[str, object]) -> Scale:
    scale = plain(told.get("scale", "linear"))
    if not isinstance(scale, str) or scale not in ("linear", "log"):
        raise mismatch(name, "scale linear or log", scale)
    return "log" if scale == "log" else "linear"


def condition_described(name: str, told: object) -> Condition | None:
    """When a parameter counts, or None where it always does."""
    if not isinstance(told, Mapping):
        return None
    if told.get("when") is None:
        if told.get("otherwise") is not None:
            raise SpecError(f"parameter `{name}`: expected `when` beside `otherwise`, got none")
        return None
    try:
        return Condition(_terms(plain_throughout(told["when"])), plain(told.get("otherwise")))
    except ValueError as error:
        raise SpecError(f"parameter `{name}`: {error}") from None


def travel_described(name: str, told: object) -> Travel | None:
    """Of a parameter that is right in all else, or None where it may go anywhere."""
    if not isinstance(told, Mapping) or told.get("travel") is None:
        return None
    if told.get("when") is not None:
        raise SpecError(f"parameter `{name}`: {BESIDE_WHEN}")
    low, high = _pair(name, told["bounds"])
    step, limit = single_number(told.get("step")), single_number(told["travel"])
    least = (1.0 if told["type"] == "int" else 0.0) if step is None else float(step)
    try:
        return travel_of(limit, _scale(name, told), (float(low), float(high)), least)
    except ValueError as error:
        raise mismatch(name, f"as `travel` {error}", limit) from None


def change_described(name: str, told: object) -> Change | None:
    """Of a parameter that is right in all else, or None where changing it takes no time."""
    if not isinstance(told, Mapping) or told.get("change") is None:
        return None
    if told.get("when") is not None:
        raise SpecError(f"parameter `{name}`: {NO_CHANGE}")
    takes = plain_throughout(told["change"])
    try:
        return change_of(takes, _scale(name, told) if _kind(told) in ("float", "int") else None)
    except ChangeMistake as error:
        raise mismatch(name, f"as `change` {error}", error.came) from None


def tolerance_described(name: str, told: object) -> float | None:
    """Of a parameter that is right in all else, or None where it is met exactly."""
    if not isinstance(told, Mapping) or told.get("tolerance") is None:
        return None
    width = single_number(told["tolerance"])
    ends = _pair(name, told["bounds"]) if "bounds" in told else plain(told["values"])
    if any(isinstance(end, str) for end in ends):
        raise mismatch(name, "no `tolerance` of texts, between which there is nothing", width)
    try:
        return tolerance_of(width, float(min(ends)), float(max(ends)))
    except ValueError as error:
        raise mismatch(name, f"as `tolerance` {error}", width) from None


def least_described(name: str, told: object) -> str | None:
    """What a parameter that is right in all else asks by the least amount that is used, as a constraint; None
    where any is.
    """
    if not isinstance(told, Mapping) or told.get("least") is None:
        return None
    low, high = _pair(name, told["bounds"])
    least = single_number(told["least"])
    try:
        check_least(least, (low, high), conditional=told.get("when") is not None)
    except ValueError as error:
        raise mismatch(name, str(error), least) from None
    return smallest_amount(name, float(least))


def _terms(when: object) -> tuple[Term, ...]:
    """`terms_of`, where a value may be what no spec can write: a member of an enumeration, or a path."""
    if isinstance(when, Mapping):
        found: list[Term] = []
        for name, told in when.items():
            values = tuple(told) if isinstance(told, list) else (told,)
            own = bool(values) and all(isinstance(value, Enum | PurePath) for value in values)
            found += [OneOf(str(name), values)] if own else terms_of({name: told})
        return tuple(found) or terms_of(when)
    if isinstance(when, list) and when:
        return tuple(term for one in when for term in _terms(one))
    return terms_of(when)


def _take(
    name: str, told: Mapping[str, object], required: Sequence[str], optional: Sequence[str] = ()
) -> Mapping[str, object]:
    known = ["type", *required, *optional]
    for key in told:
        if key not in known:
            raise SpecError(
                f"parameter `{name}`: expected the keys {', '.join(known)}, got {quoted(key)}"
                + (
                    '; a logarithmic scale is `"scale": "log"`'
                    if key == "log"
                    else key_elsewhere(key) or did_you_mean(str(key), known)
                )
            )
    for key in required:
        if key not in told:
            raise SpecError(f"parameter `{name}`: `{key}` is missing; it has the keys {', '.join(known)}")
    return told


def _pair(name: str, told: object) -> tuple[Any, Any]:
    pair = plain(told)
    listed = isinstance(pair, Sequence) and not isinstance(pair, str)
    if listed and (len(pair) != 2 or any(isinstance(one, (str, bool)) for one in pair)):
        choice = '{"type": "choice", "values": [...]}, or "ordered" where their order matters'
        raise mismatch(name, f"a pair of bounds (low, high), or, to choose from values, {choice}", told)
    if not listed:
        constant = isinstance(pair, (str, int, float))
        held = f', or, for a constant, {{"type": "fixed", "value": {in_a_line(pair)}}}' if constant else ""
        raise mismatch(name, f"a pair of bounds (low, high), or a mapping with a `type`{held}", told)
    return single_number(pair[0]), single_number(pair[1])


def _whole(bound: object) -> Any:
    """As an evaluation is told 2 for 2.0; any other as it came."""
    return int(bound) if isinstance(bound, float) and bound.is_integer() else bound


def in_use_described(name: str, told: object) -> InUse | None:
    """How a parameter that is right in all else varies in use, or None where it is chosen."""
    if not isinstance(told, Mapping) or told.get("in_use") is None:
        return None
    own = numbers_within(told["in_use"])
    try:
        in_use = in_use_of(own, of_numbers="bounds" in told)
        if "bounds" in told:
            require_of_numbers(in_use, _pair(name, told["bounds"]))
        else:
            require_of_values(in_use, list(plain_throughout(told["values"])))
    except ValueError as error:
        raise mismatch(name, f"as `in_use` {error}", own) from None
    return in_use


def prior_described(name: str, told: object) -> Prior | None:
    """What is known beforehand of a parameter that is right in all else, or None where nothing is."""
    if not isinstance(told, Mapping) or told.get("prior") is None:
        return None
    own = numbers_within(told["prior"])
    try:
        if told.get("in_use") is not None:
            raise ValueError(VARIES_IN_USE)
        prior = prior_of(own, of_numbers="bounds" in told)
        if "bounds" in told:
            low, high = _pair(name, told["bounds"])
            require_prior_of_numbers(prior, low, high)
        else:
            require_prior_of_values(prior, len(told["values"]))
    except ValueError as error:
        raise mismatch(name, f"as `prior` {error}", with_few_draws(own)) from None
    return prior


def hunch_described(name: str, told: object) -> SaidPromising | None:
    """Where one that is right in all else is believed to be good, or None where nobody said so."""
    if not isinstance(told, Mapping) or told.get("promising") is None:
        return None
    own = numbers_within(told["promising"])
    bounds = {"bounds": _pair(name, told["bounds"])} if "bounds" in told else {}
    try:
        said = promising_of(own)
        require_promising(said, {**told, **bounds})
    except ValueError as error:
        raise mismatch(name, f"as `promising` {error}", own) from None
    return said
