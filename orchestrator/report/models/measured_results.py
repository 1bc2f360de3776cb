"""What a run's evaluations measured of one quantity, as models of results take it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from orchestrator.algorithms.observed import LARGEST
from orchestrator.arrays import FloatArray
from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.objectives import SIGNS
from orchestrator.parameters.derivatives import in_the_cube
from orchestrator.parameters.space import Space
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.words.goals import goals_of
from orchestrator.report.words.wording import finite_number
from orchestrator.scheduler.blocks import block_of
from orchestrator.scheduler.trial import Trial
from orchestrator.sensitivity.analysis import FEWEST_RESULTS
from orchestrator.sensitivity.measured import Measured
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.block_name import OF_NO_BLOCK
from orchestrator.values.derivatives import DERIVATIVES, derivatives_of
from orchestrator.values.printable import printable


def trials_with(run: RunSoFar, name: str) -> list[tuple[Trial, float]]:
    """Trials that count, with what was measured of a quantity; not what was only foreseen of those that were
    stopped.

    Raises UsageError for one that no evaluation returned, OrchestratorError where results are too few.
    """
    told = list(_measured(run, name))
    if not told and name != run.spec.objective.name:
        known = quantities_of(run)
        raise UsageError(
            f"expected something that evaluations returned as a number: {printable(listed(known))}; got "
            f"`{name}`{printable(did_you_mean(name, known))}"
        )
    if len(told) < FEWEST_RESULTS:
        what = "a value" if name == run.spec.objective.name else f"`{printable(name)}`"
        raise OrchestratorError(
            f"expected {FEWEST_RESULTS} results with {what} or more, got {run.folder.path}, which has "
            f"{len(told)}: of fewer nothing can be said"
        )
    return told


def measured_of(run: RunSoFar, space: Space, name: str, told: list[tuple[Trial, float]]) -> Measured:
    """What `trials_with` found of a quantity, for a model."""
    first, goals = name == run.spec.objective.name, goals_of(run.spec)
    return Measured(
        np.array([space.encode(space.nearest(trial.parameters)) for trial, _ in told]),
        np.clip([value for _, value in told], -LARGEST, LARGEST),
        np.array([(trial.variance or 0.0) if first else 0.0 for trial, _ in told]),
        SIGNS[goals[name]] if name in goals else 1.0,
        blocks=_blocks(run, told) if first else None,
        derivatives=_derivatives(run, space, told) if first else None,
    )


def _derivatives(run: RunSoFar, space: Space, told: list[tuple[Trial, float]]) -> FloatArray | None:
    """Where evaluations return some."""
    if not run.spec.derivatives_by:
        return None
    each = [derivatives_of(trial.extras.get(DERIVATIVES), run.spec.derivatives_by) for trial, _ in told]
    places = [space.nearest(trial.parameters) for trial, _ in told]
    return np.array([in_the_cube(space, *one) for one in zip(places, each, strict=True)])


def _blocks(run: RunSoFar, told: list[tuple[Trial, float]]) -> tuple[str, ...] | None:
    """Which blocks results are of, where there are blocks."""
    if run.spec.blocks is None:
        return None
    return tuple(block_of(run.state, trial) or OF_NO_BLOCK for trial, _ in told)


def points_of_failures(run: RunSoFar, space: Space) -> FloatArray:
    """(f, D) points of those that failed."""
    return np.array(
        [
            space.encode(space.nearest(trial.parameters))
            for trial in run.state.observed
            if trial.value is None and trial.forecast is None and run.state.counts(trial)
        ]
    ).reshape(-1, len(space.names))


def _measured(run: RunSoFar, name: str) -> Iterator[tuple[Trial, float]]:
    first = name == run.spec.objective.name
    for trial in run.state.observed:
        if trial.value is None or trial.forecast is not None or not run.state.counts(trial):
            continue
        value = trial.value if first else finite_number(trial.extras.get(name))
        if value is not None:
            yield trial, value


def quantities_of(run: RunSoFar) -> list[str]:
    """What evaluations returned as a number, and so can be asked for, the objective first."""
    returned = {
        name
        for trial in run.state.observed
        for name, value in trial.extras.items()
        if finite_number(value) is not None
    }
    return [run.spec.objective.name, *sorted(returned - {run.spec.objective.name})]
