"""Known results that lie between the numbers a parameter takes: true, learned from, and no best ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from orchestrator.spec.model import Spec
from orchestrator.spec.points.told_values import numbers_of, value_of
from orchestrator.spec.sections.initial import KnownResult
from orchestrator.spec.sections.parameters import (
    FloatParameter,
    IntParameter,
    Parameter,
    condition_of,
    steps_of,
)
from orchestrator.spelling import listed
from orchestrator.values.finite import written


def unmet_steps(parameters: Mapping[str, Parameter], told: Mapping[str, object]) -> tuple[str, ...]:
    """By which of the parameters that count where a result lies it does so between what they take:
    ``valve in steps of 0.5``.
    """
    return tuple(
        f"{name} in {_numbers_in_words(parameters[name])}" for name in _lying_between(parameters, told)
    )


def of_lying_between(spec: Spec, known: Sequence[KnownResult]) -> Iterator[str]:
    """That some known results do: a sentence, if there are any."""
    always = {name: one for name, one in spec.parameters.items() if condition_of(one) is None}
    between = [_lying_between(always, one.parameters) for one in known]
    if not (count := sum(map(bool, between))):
        return
    some = "the known result lies" if len(known) == 1 else f"{count} of {len(known)} known results lie"
    names = dict.fromkeys(name for one in between for name in one)
    steps = listed((f"{name} in {_numbers_in_words(spec.parameters[name])}" for name in names), "and")
    how = "learned from as at the nearest, and no best"
    if not any(isinstance(one, FloatParameter) and one.step is None for one in spec.parameters.values()):
        how += "; these are asked for no more: have those nearest to good ones tried, by `points` or --try"
    yield f"{some} between the values of {steps}: {how}"


def _lying_between(parameters: Mapping[str, Parameter], told: Mapping[str, Any]) -> list[str]:
    return [
        name
        for name, value in told.items()
        if name in parameters
        and numbers_of(parameters[name])
        and value_of(parameters[name], value, str(value)) is None
    ]


def _numbers_in_words(parameter: Parameter) -> str:
    if (steps := steps_of(parameter)) is not None:
        return f"steps of {written(steps.step)}"
    return "whole numbers" if isinstance(parameter, IntParameter) else "its listed values"
