"""What an optimiser begins with: the terms and the algorithm of a spec, as it stands after amendments."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

from orchestrator.algorithms.base import Algorithm
from orchestrator.errors import SpecError
from orchestrator.objectives import SIGNS
from orchestrator.runtime.optimiser.own_terms import OwnTerms
from orchestrator.scheduler.commands import Rebuild
from orchestrator.scheduler.rules.places import Places
from orchestrator.spec.begun.added_candidates import with_candidates
from orchestrator.spec.begun.amended import (
    with_bounds,
    with_changes,
    with_constraints,
    with_fixed,
    with_held,
    with_travel,
)
from orchestrator.spec.begun.amended_values import with_values
from orchestrator.spec.build import build_algorithm, build_fidelity, build_space, build_wanted_outcomes
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import changes_of, travels_of
from orchestrator.spec.tried_once import is_tried_once

Rebuilder: TypeAlias = Callable[[Rebuild], tuple[OwnTerms, Algorithm]]
"""Makes the terms and the algorithm of a beginning."""


def rebuilder(spec: Spec) -> Rebuilder:
    """From a beginning to its parts: the spec's, within the bounds as they are then, by the same seed."""

    sign = SIGNS[spec.objective.goal]

    def made(amended: Spec, held: Places) -> tuple[OwnTerms, Algorithm]:
        clock = [] if spec.clock is None else [spec.clock]
        outcomes = build_wanted_outcomes(amended)
        # Of the parameters that are left, as its costs may be learned from points.
        fidelity = build_fidelity(amended)
        own = (build_space(amended), sign, outcomes, fidelity, [*held, *clock], spec.seed)
        terms = OwnTerms(*own, spec.evaluation.takes_s, tried_once=is_tried_once(amended))
        return terms, build_algorithm(amended)

    def rebuilt(command: Rebuild) -> tuple[OwnTerms, Algorithm]:
        budget = spec.budget.model_copy(update={"trials": command.trials, "cost": command.cost})
        # What the spec holds may be held no longer, and the bounds leave it out.
        listed = with_candidates(with_held(spec, {}), command.candidates)
        bounded = with_travel(with_bounds(listed, command.bounds), command.travel)
        slow = with_changes(bounded, command.changes)
        tied = with_values(with_constraints(slow, command.constraints), command.values)
        amended = tied.model_copy(update={"budget": budget})
        # What fixed ones leave may be nothing to some part of it, as to a factor: then they are held.
        with suppress(SpecError):
            return made(with_fixed(amended, command.fixed), command.fixed)
        return made(amended, command.fixed)

    return rebuilt


def first_beginning(spec: Spec) -> Rebuild:
    """What a run begins with, before anything is amended."""
    return Rebuild(
        model=0,
        bounds={},
        fixed=spec.held,
        travel=travels_of(spec.parameters),
        changes=changes_of(spec.parameters),
        trials=spec.budget.trials,
        cost=spec.budget.cost,
    )
