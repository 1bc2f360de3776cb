"""Values of parameters as they are told, in a spec, a cell of a table or a command, and as they are meant."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.errors import SpecError
from orchestrator.spec.document.section import no_number_hint, shown
from orchestrator.spec.document.yaml_tree import scalar
from orchestrator.spec.sections.parameters import (
    ChoiceParameter,
    ComputedParameter,
    FixedParameter,
    FloatParameter,
    GivenParameter,
    IntParameter,
    OrderedParameter,
    Parameter,
    steps_of,
)
from orchestrator.spec.sections.when import ScalarValue
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.between import as_meant, bound_meant
from orchestrator.values.finite import is_number
from orchestrator.values.single_precision import bound_beyond_which

MOST_LISTED = 50
"""Of values to choose from, in an error."""
ROUNDING = 1e-14
"""Of a range across 0: what arithmetic leaves of 0 there, as -0.3 + 3 x 0.1 does, is 0."""


def value_of(parameter: Parameter, told: ScalarValue, written: str) -> ScalarValue | None:
    """The value as the parameter has it, of what was ``written``, or None where it is not one of its own."""
    if isinstance(parameter, ChoiceParameter | OrderedParameter | FixedParameter):
        values = [parameter.value] if isinstance(parameter, FixedParameter) else parameter.values
        # By text, so that the cell `1` of a CSV file names the value "1" as well as 1; to the letter first,
        # or `1.10` would name "1.1".
        if written in values:
            return written
        read = scalar(told) if isinstance(told, str) else told
        return next((value for value in values if _text(value) in (_text(told), _text(read))), None)
    if isinstance(parameter, GivenParameter):
        # Whether it goes with the row is seen once that is known.
        return told
    if not is_number(told) or isinstance(told, str):
        return None
    if isinstance(parameter, ComputedParameter):
        # Whether it follows from the others is seen once they are known.
        return told
    if (steps := steps_of(parameter)) is not None:
        number = steps.number_of(told)
        return None if number is None else steps[number]
    low, high = parameter.bounds
    if not low <= told <= high:
        return None
    if isinstance(parameter, IntParameter):
        return int(told) if told == int(told) else None
    return 0.0 if low < 0.0 < high and abs(told) <= ROUNDING * (high - low) else float(told)


def known_value_of(parameter: Parameter, told: ScalarValue, written: str) -> ScalarValue | None:
    """`value_of`, of a result from elsewhere: a number that was rounded as it was ``written`` is what it was,
    and one that lies between two of the parameter's is taken as it is.
    """
    value = value_of(parameter, told, written)
    if isinstance(parameter, OrderedParameter) and isinstance(told, str):
        # A cell of a table is text to what is named by text.
        told = told if (read := scalar(told)) is None else read
    if value is not None or isinstance(told, str) or not is_number(told):
        return value
    if isinstance(parameter, FloatParameter) and parameter.step is None:
        bound = bound_beyond_which(parameter.bounds, told)
        if bound is None:
            bound = bound_meant(parameter.bounds, written, logarithmic=parameter.scale == "log")
        return None if bound is None else float(bound)
    numbers = numbers_of(parameter)
    if not numbers:
        return None
    meant = as_meant(numbers, told, written)
    own = value_of(parameter, meant, str(meant))
    return own if own is not None else told if numbers[0] < told < numbers[-1] else None


def numbers_of(parameter: Parameter) -> Sequence[float]:
    """The ascending numbers that a parameter takes; none of one that takes any, or a text, or is fixed."""
    if (steps := steps_of(parameter)) is not None:
        return steps
    if isinstance(parameter, IntParameter):
        return range(parameter.bounds[0], parameter.bounds[1] + 1)
    return sorted(parameter.numbers) if isinstance(parameter, OrderedParameter) else ()


def value_told(name: str, parameter: Parameter, told: ScalarValue, written: str) -> ScalarValue:
    """The value as the parameter has it. Raises SpecError where it is not one of the parameter's."""
    value = value_of(parameter, told, written)
    if value is None:
        raise SpecError(expected_words(name, parameter, told))
    return value


def expected_words(name: str, parameter: Parameter, told: ScalarValue) -> str:
    """What was expected of a parameter, where its value was told as none of its own."""
    numeric = not isinstance(parameter, ChoiceParameter | OrderedParameter | FixedParameter)
    hint = no_number_hint(told) if numeric else ""
    if isinstance(parameter, ChoiceParameter) and len(parameter.values) > MOST_LISTED:
        hint = did_you_mean(str(told), map(_text, parameter.values))
    return f"expected {_expectation(name, parameter)}, got {shown(told)}{hint}{_beside(parameter, told)}"


def _beside(parameter: Parameter, told: ScalarValue) -> str:
    """The steps that a number lies between, as a part of a sentence."""
    steps = steps_of(parameter)
    return "" if steps is None or isinstance(told, str) or not is_number(told) else steps.beside(told)


def _text(value: ScalarValue | None) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _expectation(name: str, parameter: Parameter) -> str:
    if isinstance(parameter, ChoiceParameter | OrderedParameter):
        if len(parameter.values) > MOST_LISTED:
            return f"one of the {len(parameter.values):,} values of `{name}`"
        return f"{listed(map(_text, parameter.values))} for `{name}`"
    if isinstance(parameter, FixedParameter):
        return f"{shown(parameter.value)}, at which `{name}` is fixed"
    if isinstance(parameter, GivenParameter):
        return f"what goes with the row for `{name}`, or nothing"
    if isinstance(parameter, ComputedParameter):
        return f"a number for `{name}`, or nothing, as it is computed"
    if (steps := steps_of(parameter)) is not None:
        return f"{steps} for `{name}`"
    low, high = parameter.bounds
    kind = "a whole number" if isinstance(parameter, IntParameter) else "a number"
    return f"{kind} in {shown((low, high))} for `{name}`"
