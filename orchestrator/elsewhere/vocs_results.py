"""Results as frameworks with a VOCS have them: mappings of all their names to what came of a point."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from orchestrator.elsewhere.vocs import VocsProblem
from orchestrator.errors import UsageError
from orchestrator.parameters.values import number_in, same
from orchestrator.values.foreign import single_number
from orchestrator.values.plain import plain, whole_number
from orchestrator.wanted_outcomes import is_outcome

ID = "_id"


@dataclass(frozen=True, slots=True)
class VocsResult:
    """What a result tells of its ``parameters``, and of the ``context`` as it was observed, as far as it was:
    a ``value``, None where the evaluation failed, and those of the ``outcomes`` that are numbers. ``trial``:
    the suggestion that it says it came of, None where it says none.
    """

    trial: int | None
    parameters: Mapping[str, Any]
    context: Mapping[str, Any]
    value: float | None
    outcomes: Mapping[str, float]

    @classmethod
    def of(cls, row: Mapping[str, Any], problem: VocsProblem) -> VocsResult:
        """Raises UsageError for an id that is none."""
        parameters, context = problem.parted({n: plain(row[n]) for n in problem.parameters if n in row})
        told = {mine: single_number(row.get(name)) for mine, name in problem.outcomes.items()}
        value = single_number(row.get(problem.objective))
        return cls(
            trial=_trial_of(row.get(ID)),
            parameters=parameters,
            context={name: one for name, one in context.items() if number_in(one) is not None},
            value=float(value) if is_outcome(value) else None,
            outcomes={mine: float(one) for mine, one in told.items() if is_outcome(one)},
        )

    def is_at(self, parameters: Mapping[str, Any]) -> bool:
        """Whether it has the same parameters, whatever its context."""
        own = self.parameters
        return own.keys() == parameters.keys() and all(same(parameters[n], one) for n, one in own.items())

    def is_within(self, context: Mapping[str, Any]) -> bool:
        """Whether what was observed of its context is so, as near as a parameter that is held can be."""
        return all(math.isclose(context[n], one, rel_tol=1e-9) for n, one in self.context.items())


def _trial_of(told: object) -> int | None:
    number = single_number(told)
    # In a data frame of which other rows have none it is NaN, and those that are there are floats.
    if number is None or number != number:
        return None
    trial = whole_number(int(number) if isinstance(number, float) and number.is_integer() else number)
    if trial is None:
        raise UsageError(f"expected as `{ID}` the whole number that came with a suggestion, got {told!r}")
    return trial
