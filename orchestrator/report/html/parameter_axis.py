"""The axis along which a chart has a parameter: its title, its marks, and where a value lies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from orchestrator.report.html.charts import LONGEST, name_on_chart
from orchestrator.report.words.wording import number
from orchestrator.spec.sections.parameters import (
    ChoiceParameter,
    FloatParameter,
    IntParameter,
    OrderedParameter,
    Varying,
)
from orchestrator.values.ordered import positions_of
from orchestrator.values.printable import printable

CHOICES_NAMED: Final = 4


def share_along(parameter: Varying, value: object) -> float | None:
    """How far along a parameter a value lies, 0 to 1; None for what does not lie there."""
    if isinstance(parameter, ChoiceParameter | OrderedParameter):
        for index, choice in enumerate(parameter.values):
            if isinstance(choice, bool) == isinstance(value, bool) and choice == value:
                return _places(parameter)[index]
        return None
    low, high = parameter.bounds
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        return None
    if parameter.scale == "log":
        return (math.log(value) - math.log(low)) / (math.log(high) - math.log(low))
    return (value - low) / (high - low)


def _places(parameter: ChoiceParameter | OrderedParameter) -> Sequence[float]:
    """How far along each of the values lies."""
    k = len(parameter.values)
    if isinstance(parameter, ChoiceParameter):
        return [(index + 0.5) / k for index in range(k)]
    places = positions_of(parameter.values, parameter.scale)
    # Numbers go from one end to the other, as those of an int do; texts have their names below them.
    return [(x - places[0]) / (places[-1] - places[0]) for x in places] if parameter.numbers else places


def titled_on_chart(name: str, parameter: Varying) -> str:
    """A parameter's name, with its unit and scale."""
    unit = f", {printable(parameter.unit)}" if parameter.unit else ""
    scale = "" if isinstance(parameter, ChoiceParameter) or parameter.scale == "linear" else " (log)"
    return f"{name_on_chart(name)}{unit}{scale}"


def marks_along(parameter: Varying) -> list[tuple[float, str, str]]:
    """What stands at it: how far along, the words, and which part of them lies there."""
    if isinstance(parameter, FloatParameter | IntParameter):
        low, high = parameter.bounds
        return [(0.0, number(float(low)), "start"), (1.0, number(float(high)), "end")]
    words, places = [printable(number(value)) for value in parameter.values], _places(parameter)
    even = isinstance(parameter, ChoiceParameter) or not parameter.numbers
    if even and len(words) <= CHOICES_NAMED and sum(map(len, words)) <= LONGEST:
        return [(place, word, "middle") for place, word in zip(places, words, strict=True)]
    if isinstance(parameter, ChoiceParameter):
        return [(0.0, f"{len(words)} choices", "start")]
    return [(0.0, name_on_chart(words[0]), "start"), (1.0, name_on_chart(words[-1]), "end")]
