"""The parts of a space from plain Python values, as the Python interface is told them.

Everything raises SpecError, with what was expected and what came.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orchestrator.errors import SpecError
from orchestrator.expressions.computed import Computed
from orchestrator.expressions.conditions import Condition
from orchestrator.parameters.computed_parameters import computed_parameters
from orchestrator.parameters.described import (
    change_described,
    computed_described,
    condition_described,
    constant_described,
    hunch_described,
    in_use_described,
    is_computed,
    is_fixed,
    least_described,
    parameter_described,
    prior_described,
    tolerance_described,
    travel_described,
)
from orchestrator.parameters.equalities import without_equalities
from orchestrator.parameters.kinds import Parameter
from orchestrator.parameters.space_conditions import refuse_mistakes
from orchestrator.values.change import Change, Changes
from orchestrator.values.hunch import Hunches, SaidPromising
from orchestrator.values.in_use import AllInUse, InUse
from orchestrator.values.named import Values
from orchestrator.values.prior import Prior, Priors
from orchestrator.values.tolerance import ToleranceOf
from orchestrator.values.travel import Travel, Travels


@dataclass(frozen=True, slots=True)
class DescribedSpace:
    """As `Space` takes them."""

    parameters: tuple[Parameter, ...]
    fixed: Values
    constraints: tuple[str, ...]
    conditions: Mapping[str, Condition]
    travel: Travels
    tolerances: ToleranceOf
    computed: tuple[Computed, ...]
    in_use: AllInUse
    priors: Priors
    changes: Changes
    hunches: Hunches


def described_space(description: Mapping[str, object], constraints: Sequence[str]) -> DescribedSpace:
    """What a mapping of names to descriptions says, with the texts of constraints."""
    refuse_what_lists_no_texts(constraints)
    if not isinstance(description, Mapping):
        raise SpecError(
            f"expected parameters as a mapping of their names to what they are, got {description!r}"
        )
    parameters: list[Parameter] = []
    computed: list[Computed] = []
    description, constraints = without_equalities(description, constraints)
    fixed: dict[str, object] = {}
    conditions: dict[str, Condition] = {}
    travel: dict[str, Travel] = {}
    tolerances: dict[str, float] = {}
    in_use: dict[str, InUse] = {}
    priors: dict[str, Prior] = {}
    changes: dict[str, Change] = {}
    hunches: dict[str, SaidPromising] = {}
    for name, told in description.items():
        if not isinstance(name, str) or not name:
            raise SpecError(f"expected names of parameters as text, got {name!r}")
        if is_fixed(told):
            fixed[name] = constant_described(name, told)
            continue
        if is_computed(told):
            computed.append(computed_described(name, told))
            continue
        parameters.append(parameter_described(name, told))
        if (condition := condition_described(name, told)) is not None:
            conditions[name] = condition
        if (limit := travel_described(name, told)) is not None:
            travel[name] = limit
        if (text := least_described(name, told)) is not None:
            constraints = [*constraints, text]
        if (width := tolerance_described(name, told)) is not None:
            tolerances[name] = width
        if (varying := in_use_described(name, told)) is not None:
            in_use[name] = varying
        if (known := prior_described(name, told)) is not None:
            priors[name] = known
        if (change := change_described(name, told)) is not None:
            changes[name] = change
        if (said := hunch_described(name, told)) is not None:
            hunches[name] = said
    computed_parameters(tuple(parameters), fixed, conditions, computed)
    refuse_mistakes(tuple(parameters), fixed, conditions, computed)
    constraints = tuple(constraints)
    beside = (travel, tolerances, tuple(computed), in_use, priors, changes, hunches)
    return DescribedSpace(tuple(parameters), fixed, constraints, conditions, *beside)


def refuse_what_lists_no_texts(constraints: object) -> None:
    """Raises SpecError for constraints that are no list; of what it lists, each is read by itself."""
    if isinstance(constraints, str) or not isinstance(constraints, Sequence):
        raise SpecError(f'expected constraints as a list of texts, as ["inner < outer"], got {constraints!r}')
