"""What the results of a run say of its parameters: of an objective, or of anything else that was returned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.observed import LARGEST
from orchestrator.blas_threads import one_thread
from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.objectives import SIGNS
from orchestrator.report.runs import FollowedRun
from orchestrator.report.trade_offs import goals_of
from orchestrator.report.wording import finite_number, printable
from orchestrator.runtime.amendments import amended
from orchestrator.scheduler.state import Trial
from orchestrator.sensitivity.analysis import FEWEST_RESULTS, Sensitivity, analyse, problem_of_one
from orchestrator.sensitivity.results_model import Measured
from orchestrator.space import Space
from orchestrator.spec.build import build_problem, build_space
from orchestrator.spelling import did_you_mean, listed


@dataclass(frozen=True, slots=True)
class RunSensitivity:
    """What was ``found`` of a ``quantity``, with profiles ``through`` a trial's point, in the ``space`` of
    the run.
    """

    quantity: str
    through: Trial
    space: Space
    found: Sensitivity


def run_sensitivity(run: FollowedRun, quantity: str | None = None) -> RunSensitivity:
    """Of the objective, the first one of several, unless another ``quantity`` is named.

    Takes some seconds, and more where there are many results. Raises UsageError for a quantity that no
    evaluation returned, OrchestratorError where results are too few.
    """
    spec = amended(run.spec, run.state)
    name = spec.objective.name if quantity is None else quantity
    told = list(_measured(run, name))
    if not told and name != spec.objective.name:
        known = _quantities(run)
        raise UsageError(
            f"expected something that evaluations returned as a number: {printable(listed(known))}; got "
            f"`{name}`{printable(did_you_mean(name, known))}"
        )
    if len(told) < FEWEST_RESULTS:
        raise OrchestratorError(
            f"expected {FEWEST_RESULTS} results with a value or more, got {run.folder.path}, which has "
            f"{len(told)}: of fewer nothing can be said"
        )
    space = build_space(spec)
    first = name == spec.objective.name
    problem = problem_of_one(build_problem(spec), first=first)
    goals = goals_of(spec)
    measured = Measured(
        np.array([space.encode(trial.parameters) for trial, _ in told]),
        np.clip([value for _, value in told], -LARGEST, LARGEST),
        np.array([(trial.variance or 0.0) if first else 0.0 for trial, _ in told]),
        SIGNS[goals[name]] if name in goals else 1.0,
    )
    through = _through(run, told, measured.sign, name in goals)
    with one_thread():
        found = analyse(problem, space.names, measured, space.encode(through.parameters))
    return RunSensitivity(name, through, space, found)


def _measured(run: FollowedRun, name: str) -> Iterator[tuple[Trial, float]]:
    """What was measured of a quantity: not what was only foreseen of trials that were stopped."""
    first = name == run.spec.objective.name
    for trial in run.state.observed:
        if trial.value is None or trial.forecast is not None or not run.state.counts(trial):
            continue
        value = trial.value if first else finite_number(trial.extras.get(name))
        if value is not None:
            yield trial, value


def _quantities(run: FollowedRun) -> list[str]:
    """What can be asked for, the objective first."""
    returned = {
        name
        for trial in run.state.observed
        for name, value in trial.extras.items()
        if finite_number(value) is not None
    }
    return [run.spec.objective.name, *sorted(returned - {run.spec.objective.name})]


def _through(run: FollowedRun, told: Sequence[tuple[Trial, float]], sign: float, objective: bool) -> Trial:
    """The best trial; of several objectives that of the front which is best in this one, or in the first."""
    if run.state.best is not None:
        return run.state.best
    front = {trial.number for trial in run.state.front}
    among = [pair for pair in told if pair[0].number in front] or list(told)
    if not objective:
        sign = SIGNS[run.spec.objective.goal]
        among = [(trial, trial.value) for trial, _ in among if trial.value is not None]
    return max(among, key=lambda pair: (sign * pair[1], -pair[0].number))[0]
