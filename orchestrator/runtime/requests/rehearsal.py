"""What is found of a request beside the loop, before it is decided: imports, and whether points are left."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from orchestrator.errors import OrchestratorError
from orchestrator.runtime.requests.amendment_checks import check_expected_gain, check_space
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.scheduler.rules.amended_constraints import AmendedConstraints
from orchestrator.scheduler.rules.places import Places
from orchestrator.scheduler.state import State
from orchestrator.spec.begun.amended import with_bounds, with_constraints, with_held
from orchestrator.spec.model import Spec


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found of all amended bounds and constraints, and of what is held, together: ``complaint`` is
    why they cannot be, if so.
    """

    bounds: Mapping[str, tuple[float, float]]
    held: Places
    constraints: AmendedConstraints
    complaint: OrchestratorError | None

    def answers(self, request: Amend, state: State) -> bool:
        """Whether these are the bounds, constraints and parameters held that a request would lead to."""
        bounds, held = {**state.bounds, **request.bounds}, request.held_after(state.policy.held)
        constraints = state.constraints.after(request.constraints, request.withdrawn)
        return (self.bounds, self.held, self.constraints) == (bounds, held, constraints)


def rehearse(
    request: Amend,
    spec: Spec,
    before: Mapping[str, tuple[float, float]],
    held_before: Places,
    constraints_before: AmendedConstraints,
) -> Judged | None:
    """Do what may take seconds of judging a request: import, and look for a point within its bounds that
    satisfies its constraints, where parameters are held.

    To be called beside the loop, before; ``before`` are the bounds that were amended so far,
    ``constraints_before`` the constraints, and ``held_before`` is what is held.
    """
    if request.budgets.expected_gain is not None:
        with suppress(OrchestratorError):
            check_expected_gain(request.budgets.expected_gain, spec)
    if not (request.moves_points or request.results or request.points or request.held or request.free):
        return None
    bounds, held = {**before, **request.bounds}, request.held_after(held_before)
    constraints = constraints_before.after(request.constraints, request.withdrawn)
    try:
        check_space(with_bounds(with_constraints(with_held(spec, held), constraints), bounds))
    except OrchestratorError as complaint:
        return Judged(bounds, held, constraints, complaint)
    return Judged(bounds, held, constraints, None)
