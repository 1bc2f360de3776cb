"""How closely an evaluation looks, as it is written in a spec: see `orchestrator.parameters.fidelity`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import BeforeValidator, Field

from orchestrator.spec.document.section import Section, refuse, shown
from orchestrator.spec.sections.parameter_keys import Scalar
from orchestrator.spec.sections.parameters import (
    FloatParameter,
    IntParameter,
    OrderedParameter,
    Parameter,
)
from orchestrator.values.finite import is_number

EXPECTED = (
    "expected what an evaluation costs as arithmetic of the parameter, as `cells ** 2`, or for each of its"
    " values, as `{coarse: 1, fine: 40}`, or no `cost`, to have it learned from how long evaluations take"
)


def _cost(value: object) -> object:
    if isinstance(value, str) and value.strip():
        return value
    if not isinstance(value, dict) or not value:
        raise refuse(f"{EXPECTED}, got {shown(value)}")
    for name, cost in value.items():
        if not is_number(cost) or cost <= 0:
            raise refuse(f"expected a number above 0 as the cost of `{name}`, got {shown(cost)}")
    return value


class FidelityChoice(Section):
    """Which parameter says how closely an evaluation looks, and what that costs."""

    parameter: Annotated[str, Field(min_length=1)]
    """Its name: cells of a mesh, seconds that are simulated, epochs of training."""
    cost: Annotated[str | dict[str, Annotated[float, Field(gt=0)]], BeforeValidator(_cost)] | None = None
    """Of an evaluation, in any unit: arithmetic of the parameter, as `cells ** 2`, or each of its values'.
    Left out: it is learned from how long evaluations take."""
    full: Scalar | None = None
    """Its value at full fidelity: the last, or the upper bound, unless this says that it is the first."""
    continues: bool = False
    """Whether an evaluation may go on from what one of the same settings left that looked less closely, as
    from the state after fewer epochs, and then costs the difference."""

    @property
    def accumulates(self) -> str:
        """The parameter by which evaluations go on from others; empty if they do not."""
        return self.parameter if self.continues else ""

    def full_of(self, parameters: Mapping[str, Parameter]) -> object:
        """The value at full fidelity, of the one of these parameters that it is about."""
        if self.full is not None:
            return self.full
        parameter = parameters[self.parameter]
        if isinstance(parameter, OrderedParameter):
            return parameter.values[-1]
        assert isinstance(parameter, FloatParameter | IntParameter)
        return parameter.bounds[1]
