"""Where the point lies that limits of a run are relative to."""

from __future__ import annotations

from orchestrator.arrays import FloatArray
from orchestrator.parameters.space import Space
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.scheduler.reference import reference_of


def reference_place(run: RunSoFar, space: Space) -> FloatArray | None:
    """(D,); None where the spec names none, or the run does not look there any more."""
    if (trial := reference_of(run.state)) is None:
        return None
    settings = space.nearest(trial.parameters)
    return None if space.mistakes(settings) else space.encode(settings)
