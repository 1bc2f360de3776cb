"""What an outcome is to be, as it is written in a spec: see `orchestrator.fit_targets`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, model_validator

from orchestrator.errors import SpecError
from orchestrator.fit_targets import AnyTarget, target_of
from orchestrator.spec.document.section import Section, refuse, shown
from orchestrator.spec.sections.number_or_curve import all_numbers, number_or_curve


def _places(told: object) -> object:
    if told is None:
        return None
    if not isinstance(told, list | tuple):
        raise refuse(f"expected a list, a number for each point of the curve, got {shown(told)}")
    return all_numbers(told, "the places of a curve's points")


class FitTarget(Section):
    """What an outcome is to be."""

    value: Annotated[float | tuple[float, ...], BeforeValidator(number_or_curve)]
    """A number; of a curve those of its points, as `[0.1, 0.25, 0.4]`: evaluations return as many."""
    error: Annotated[float | tuple[float, ...], BeforeValidator(number_or_curve)] = 1.0
    """By how much it may well be off: its standard error. Of a curve one for all its points, or a list."""
    at: Annotated[tuple[float, ...] | None, BeforeValidator(_places)] = None
    """Where the points of a curve are, as at wavelengths: by these it is drawn, and not by their numbers."""

    @property
    def target(self) -> AnyTarget:
        """As what is fitted has it. Raises SpecError."""
        return target_of("it", {name: getattr(self, name) for name in self.model_fields_set})

    @model_validator(mode="after")
    def _is_a_target(self) -> FitTarget:
        try:
            _ = self.target
        except SpecError as mistake:
            raise refuse(str(mistake).removeprefix("target of `it`: ")) from None
        return self
