"""The spec as it is by now: as it was given, and as what followed in the journal has amended it."""

from __future__ import annotations

from orchestrator.scheduler.rules.added_candidates import Columns
from orchestrator.scheduler.rules.amended_constraints import AmendedConstraints
from orchestrator.scheduler.rules.places import Places
from orchestrator.scheduler.state import State
from orchestrator.spec.begun.added_candidates import with_candidates
from orchestrator.spec.begun.amended import (
    Bounds,
    with_bounds,
    with_budget,
    with_changes,
    with_constraints,
    with_held,
    with_travel,
)
from orchestrator.spec.begun.amended_values import with_values
from orchestrator.spec.model import Spec


def amended(
    spec: Spec,
    state: State,
    bounds: Bounds | None = None,
    held: Places | None = None,
    constraints: AmendedConstraints | None = None,
    candidates: Columns | None = None,
) -> Spec:
    """The spec as the events so far have amended it, and with further ``bounds``, if there are any; with
    these parameters ``held``, these ``constraints`` amended, and these ``candidates`` added, if that is to
    change.
    """
    places = state.policy.where.held if held is None else held
    ties = state.amended.constraints if constraints is None else constraints
    rows = state.amended.candidates if candidates is None else candidates
    listed = with_candidates(with_budget(spec, state.policy), rows)
    so_far = with_constraints(with_held(listed, places), ties)
    so_far = with_changes(with_travel(so_far, state.policy.where.travel), state.policy.where.changes)
    so_far = with_values(so_far, state.amended.values)
    return with_bounds(so_far, {**state.amended.bounds, **(bounds or {})})
