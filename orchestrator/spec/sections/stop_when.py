"""When an evaluation that runs is not worth its end, by what it reports."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, model_validator

from orchestrator.spec.document.section import Section, refuse, shown

LEAST_COMPLETED = 5
EXAMPLES = "`{quantity: loss, above: 2, after: 5}` or `{quantity: loss, chance_below: 0.1}`"


class StopWhen(Section):
    """When a running evaluation is not worth its end, as in `{quantity: loss, above: 2, after: 5}`.

    Or in `{quantity: loss, chance_below: 0.1}`, by how evaluations with such curves ended before.
    """

    quantity: Annotated[str, Field(min_length=1, max_length=100)]
    """The name of a reported number."""
    above: float | None = None
    below: float | None = None
    chance_below: Annotated[float, Field(gt=0, lt=1)] | None = None
    """Stop it once the chance that it ends among the best is less than this."""
    among_best: Annotated[float, Field(gt=0, lt=1)] = 0.5
    """The share of the completed trials that are the best; 0.5: the better half."""
    completed: Annotated[int, Field(ge=LEAST_COMPLETED)] = LEAST_COMPLETED
    """How many trials must have completed before a chance is told."""
    after: Annotated[int, Field(ge=0)] = 0
    """The first step at which it counts."""

    @model_validator(mode="before")
    @classmethod
    def _one_rule(cls, told: object) -> object:
        if isinstance(told, str | list):
            raise refuse(f"expected one rule, as in {EXAMPLES}, got {shown(told)}")
        return told

    @model_validator(mode="after")
    def _some_limit(self) -> StopWhen:
        if self.above is not None and self.below is not None:
            raise refuse(f"expected one of `above` and `below`, got both; as in {EXAMPLES}")
        if self.above is None and self.below is None and self.chance_below is None:
            raise refuse(f"expected `above`, `below` or `chance_below`, as in {EXAMPLES}")
        if self.chance_below is None:
            for name in ("among_best", "completed"):
                if name in self.model_fields_set:
                    raise refuse(f"expected `chance_below` beside `{name}`, as in {EXAMPLES}")
        return self

    def reason(self, step: int, values: Mapping[str, float]) -> str:
        """Why an evaluation with this progress is to be stopped; empty if no limit says so.

        What is NaN or infinite, of either sign, is beyond any limit: so are simulations that diverge.
        """
        value = values.get(self.quantity)
        if value is None or step < self.after:
            return ""
        said = f"stopped: {self.quantity} was {value:g} at step {step}, "
        diverged = not math.isfinite(value)
        counts = "which counts as " if diverged else ""
        if self.above is not None and (diverged or value > self.above):
            return f"{said}{counts}above {self.above:g}"
        if self.below is not None and (diverged or value < self.below):
            return f"{said}{counts}below {self.below:g}"
        return ""

    def unlikely(self, step: int, value: float, chance: float) -> str:
        """Why an evaluation with this progress is to be stopped, where its chance is too low."""
        best = "the better half" if self.among_best == 0.5 else f"the best {100.0 * self.among_best:g} %"
        probability = f"{chance:.2g}" if chance >= 0.001 else "below 0.001"
        return (
            f"stopped at step {step}, where {self.quantity} was {value:g}: with probability {probability} it"
            f" would have ended among {best} of the trials before it"
        )
