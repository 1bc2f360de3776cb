"""What the results of a run say of its parameters: of an objective, or of anything else that was returned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from orchestrator.algorithms.base import Problem
from orchestrator.objectives import SIGNS
from orchestrator.parameters.space import Space
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.models.composed_results import composed_model, is_of_outcomes
from orchestrator.report.models.measured_results import measured_of, trials_with
from orchestrator.report.seen.best_now import BestNow, best_now
from orchestrator.report.words.goals import goals_of, units_of
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.scheduler.trial import Trial
from orchestrator.sensitivity.analysis import Sensitivity, analyse, problem_of_one
from orchestrator.sensitivity.held_out import checked
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.sensitivity.value_model import ValueModel
from orchestrator.spec.build import build_problem, build_space
from orchestrator.system.blas_threads import one_thread
from orchestrator.values.named import Values
from orchestrator.values.printable import printable


@dataclass(frozen=True, slots=True)
class RunSensitivity:
    """What was ``found`` of a ``quantity``, with profiles ``through`` a trial's point, or through the point
    believed best now, which is no trial's, in the ``space`` of the run. ``point`` says in words which it is;
    ``unit`` is the quantity's, as far as the spec gives one.
    """

    quantity: str
    through: Trial | BestNow
    point: str
    space: Space
    found: Sensitivity
    unit: str = ""

    @property
    def units(self) -> Mapping[str, str]:
        """By name those of the parameters that have one, and of the quantity."""
        told = {
            parameter.name: printable(parameter.unit) for parameter in self.space.parameters if parameter.unit
        }
        return told | ({self.quantity: self.unit} if self.unit else {})

    @property
    def settings(self) -> Values:
        """Those of that point."""
        return self.through.whole if isinstance(self.through, BestNow) else self.through.parameters

    @property
    def trial(self) -> int | None:
        """Which trial had them, if one did."""
        return None if isinstance(self.through, BestNow) else self.through.number


def run_sensitivity(
    run: RunSoFar,
    quantity: str | None = None,
    fitted: Callable[[Problem, Measured], ValueModel] = ResultsModel.fitted,
) -> RunSensitivity:
    """Of the objective, the first one of several, unless another ``quantity`` is named, by a model ``fitted``
    so; of one that is computed from outcomes by models of these.

    Takes some seconds, and more where there are many results. Raises UsageError for a quantity that no
    evaluation returned, OrchestratorError where results are too few.
    """
    spec = amended(run.spec, run.state)
    name = spec.objective.name if quantity is None else quantity
    told = trials_with(run, name)
    space = build_space(spec)
    first = name == spec.objective.name
    problem = problem_of_one(build_problem(spec), first=first)
    measured = measured_of(run, space, name, told)
    through = _through(run, told, measured.sign, name in goals_of(spec))
    settings = through.whole if isinstance(through, BestNow) else through.parameters

    def model(problem: Problem, measured: Measured) -> ValueModel:
        of_outcomes = is_of_outcomes(spec, quantity)
        return composed_model(run, spec, space) if of_outcomes else fitted(problem, measured)

    with one_thread():
        found = analyse(problem, space.names, measured, space.encode(space.nearest(settings)), model)
    unit = units_of(spec).get(name, "")
    return RunSensitivity(name, through, _in_words(run, through, name), space, found, unit)


def _in_words(run: RunSoFar, through: Trial | BestNow, name: str) -> str:
    """What the point is that profiles run through."""
    if isinstance(through, BestNow):
        in_use = "the design believed best, in usual conditions"
        return in_use if run.state.policy.sought.in_use else "the point believed best now"
    if run.state.policy.no_trial_is_best:
        return "the last result"
    goals = goals_of(run.spec)
    if len(goals) == 1:
        return (
            "the best point"
            if run.state.found.best is not None
            else "the trial of the best value, as none counts"
        )
    kind = "trade-off" if run.state.found.front else "trial"
    return f"the {kind} best in {name if name in goals else run.spec.objective.name}"


def _through(
    run: RunSoFar, told: Sequence[tuple[Trial, float]], sign: float, objective: bool
) -> Trial | BestNow:
    """The best trial; of several objectives that of the front which is best in this one, or in the first. By
    a clock, or over what varies in use, what is believed best or, of algorithms that do not say, the last
    trial that was told.
    """
    if run.state.found.best is not None:
        return run.state.found.best
    if run.state.policy.no_trial_is_best:
        return best_now(run.state) or max((trial for trial, _ in told), key=lambda trial: trial.number)
    front = {trial.number for trial in run.state.found.front}
    among = [pair for pair in told if pair[0].number in front] or list(told)
    if not objective:
        sign = SIGNS[run.spec.objective.goal]
        among = [(trial, trial.value) for trial, _ in among if trial.value is not None]
    return max(among, key=lambda pair: (sign * pair[1], -pair[0].number))[0]


def objectives_analysed(run: RunSoFar) -> list[RunSensitivity]:
    """Of every objective, with bands about what is expected that are as wide as unseen results ask for."""
    return [run_sensitivity(run, name, checked) for name in goals_of(run.spec)]
