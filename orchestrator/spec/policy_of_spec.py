"""The scheduler's rules of a run, from its spec."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from orchestrator.expressions.constraints import kept_among
from orchestrator.scheduler.rules.budgets import Budget
from orchestrator.scheduler.rules.evaluations import Evaluations
from orchestrator.scheduler.rules.mode import Mode
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.rules.results_told import ResultsTold
from orchestrator.scheduler.rules.sought import Sought
from orchestrator.scheduler.rules.where import Where
from orchestrator.spec.model import Spec
from orchestrator.spec.points.clock import build_clock
from orchestrator.spec.sections.objective import BY_COMPARISON
from orchestrator.spec.sections.parameters import changes_of, in_use_among, tolerances_of, travels_of
from orchestrator.spec.slots_needed import slots_needed
from orchestrator.spec.tried_once import is_tried_once
from orchestrator.values.over import over_of

if TYPE_CHECKING:
    from orchestrator.parameters.space import Space


def policy_of(spec: Spec) -> Policy:
    """The scheduler's rules, from the spec."""
    fidelity, in_use = spec.fidelity, in_use_among(spec.parameters)
    over = over_of(spec.objective.over)
    return Policy(
        budget=Budget(**{one.name: getattr(spec.budget, one.name) for one in fields(Budget)}),
        mode=Mode(kind=spec.mode.kind, batch=spec.mode.batch or 1, sharing=tuple(spec.mode.sharing)),
        evaluations=Evaluations(
            attempts=spec.evaluation.attempts,
            give_up_after=spec.evaluation.give_up_after,
            approval=spec.evaluation.approval,
            slots=slots_needed(spec, lambda: _space_of(spec)),
        ),
        results=ResultsTold(
            outcomes=tuple(spec.outcomes),
            derivatives=bool(spec.derivatives_by),
            blocks=spec.blocks,
            compared=spec.objective.told == BY_COMPARISON,
        ),
        sought=Sought(
            goal=spec.objective.goal,
            further=tuple((objective.name, objective.goal) for objective in spec.further_objectives),
            full={} if fidelity is None else {fidelity.parameter: fidelity.full_of(spec.parameters)},
            kept=kept_among(spec.constraints),
            averages=bool(tolerances_of(spec.parameters)),
            in_use=tuple(in_use),
            over=over.words if in_use else "",
            for_each=over.each,
            threshold=spec.objective.threshold,
        ),
        where=Where(
            held=spec.held,
            clock=build_clock(spec),
            travel=travels_of(spec.parameters),
            changes=changes_of(spec.parameters),
            candidates=spec.candidates is not None,
            tried_once=is_tried_once(spec),
        ),
    )


def _space_of(spec: Spec) -> Space:
    # Which loads numpy: few need it.
    from orchestrator.spec.build import build_space

    return build_space(spec)
