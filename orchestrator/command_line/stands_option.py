"""What ``amend --stands`` says: where a person has put settings of the machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from orchestrator.command_line.named_numbers import numbers_by_name
from orchestrator.errors import SpecError, UsageError
from orchestrator.spec.document.yaml_tree import scalar
from orchestrator.spec.points.told_values import value_told
from orchestrator.spec.sections.parameters import ChoiceParameter, OrderedParameter, Parameter
from orchestrator.values.typed_pairs import name_and_value

OPTION = "--stands"


def stands_from(texts: Sequence[str], parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    """By name: a number, which may lie outside bounds, or one of the values that there are. Raises
    UsageError.
    """
    stands: dict[str, Any] = {}
    for text in texts:
        place: object
        name, equals, value = name_and_value(text, parameters)
        parameter = parameters.get(name)
        if not (equals and isinstance(parameter, ChoiceParameter | OrderedParameter)):
            [(name, place)] = numbers_by_name([text], OPTION, parameters).items()
            if place is None:
                raise UsageError(f"expected a finite number, got `{value}` in {OPTION} {text}")
        else:
            place = _one_of_its_own(name, parameter, value, text)
        if name in stands:
            raise UsageError(f"expected {OPTION} of each parameter once, got `{name}` again")
        stands[name] = place
    return stands


def _one_of_its_own(name: str, parameter: Parameter, value: str, text: str) -> object:
    read = scalar(value)
    try:
        return value_told(name, parameter, value if read is None else read, value)
    except SpecError as mistake:
        raise UsageError(f"{OPTION} {text}: {mistake}") from None
