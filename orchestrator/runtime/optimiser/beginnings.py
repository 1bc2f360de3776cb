"""What an optimiser begins with: the space and the algorithm of a spec, as it stands after amendments."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

from orchestrator.algorithms.base import Algorithm
from orchestrator.errors import SpecError
from orchestrator.parameters.space import Space
from orchestrator.scheduler.commands import Rebuild
from orchestrator.spec.amended import with_bounds, with_fixed, with_held
from orchestrator.spec.build import build_algorithm, build_space
from orchestrator.spec.model import Spec

Rebuilder: TypeAlias = Callable[[Rebuild], tuple[Space, Algorithm]]
"""Makes the space and the algorithm of a beginning."""


def rebuilder(spec: Spec) -> Rebuilder:
    """From a beginning to its parts: the spec's, within the bounds as they are then, by the same seed."""

    def rebuilt(command: Rebuild) -> tuple[Space, Algorithm]:
        budget = spec.budget.model_copy(update={"trials": command.trials, "cost": command.cost})
        # What the spec holds may be held no longer, and the bounds leave it out.
        amended = with_bounds(with_held(spec, {}), command.bounds).model_copy(update={"budget": budget})
        # What fixed ones leave may be nothing to some part of it, as to a factor: then they are held.
        with suppress(SpecError):
            still = with_fixed(amended, command.fixed)
            return build_space(still), build_algorithm(still)
        return build_space(amended), build_algorithm(amended)

    return rebuilt


def first_beginning(spec: Spec) -> Rebuild:
    """What a run begins with, before anything is amended."""
    return Rebuild(model=0, bounds={}, fixed=spec.held, trials=spec.budget.trials, cost=spec.budget.cost)
