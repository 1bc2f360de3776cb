"""What a run's page shows of where good values lie: each objective against each of the parameters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from orchestrator.objectives import SIGNS
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.html.parameter_chart import Dots, Expected, Valued, parameter_chart
from orchestrator.report.html.parts import section, soft
from orchestrator.report.html.sensitivity import expected_along
from orchestrator.report.seen.trade_offs import objectives_of
from orchestrator.report.words.goals import goals_of, titled, units_of
from orchestrator.report.words.no_best import better_dots
from orchestrator.report.words.wording import counted
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.scheduler.corrections import as_corrected
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.sections.parameters import ComputedParameter, FloatParameter, Varying

if TYPE_CHECKING:
    from orchestrator.report.models.sensitivity import RunSensitivity

TITLE: Final = "Where the values lie"
EXPECTED: Final = "The line is what is expected along a parameter, the others as in the best point."
DRAWN: Final = 12
"""Parameters in a chart."""


def values_drawn(run: RunSoFar, told: Sequence[RunSensitivity]) -> str:
    """The value of every trial against each parameter, and what a model of the results expects along it, if
    it was ``told``; nothing while there is no best one.
    """
    best, trials = run.state.found.best, _trials(run)
    if best is None or best.value is None or not trials:
        return ""
    name = run.spec.objective.name
    parameters, left_out = _drawn(run)
    values, elsewhere = list[Valued](), list[Valued]()
    for trial in trials:
        if trial.value is not None:
            small = bool(run.state.policy.elsewhere(trial.parameters))
            (elsewhere if small else values).append((trial.parameters, trial.value))
    expected = _expected(told, name)
    dots = Dots(values, (best.parameters, best.value), elsewhere=elsewhere)
    chart = parameter_chart(parameters, dots, titled(name, units_of(run.spec)), expected)
    no_best = [trial for trial in trials if not run.state.may_be_best(trial)]
    better = better_dots(run.state.policy, no_best)
    legend = f"{dots.axis.named(name)} upwards, a dot a trial; blue is the best{better}{left_out}."
    return section(TITLE, f"<figure>{chart}</figure>{soft(legend)}{soft(EXPECTED) if expected else ''}")


def objectives_drawn(run: RunSoFar, told: Sequence[RunSensitivity]) -> str:
    """The same of several objectives, a chart each; nothing while there is no trade-off."""
    trials, front = _trials(run), run.state.found.front
    if not front or not trials:
        return ""
    parameters, left_out = _drawn(run)
    parts, units = list[str](), units_of(run.spec)
    for name, goal in goals_of(run.spec).items():
        marked = sorted(_valued(run, front, name), key=lambda told: -SIGNS[goal] * told[1])
        dots = Dots(_valued(run, trials, name), marked[0], marked[1:])
        chart = parameter_chart(parameters, dots, titled(name, units), _expected(told, name))
        legend = f"{dots.axis.named(name)} upwards, a dot a trial; blue are the trade-offs{left_out}."
        parts.append(f"<figure>{chart}</figure>{soft(legend)}")
    line = "The line is what is expected along a parameter, the others as in the trade-off best in it."
    return section(TITLE, "".join([*parts, soft(line) if told else ""]))


def _expected(told: Sequence[RunSensitivity], name: str) -> dict[str, list[Expected]]:
    return next((expected_along(one) for one in told if one.quantity == name), {})


def _trials(run: RunSoFar) -> list[Trial]:
    state = run.state
    tried = as_corrected(state, state.trials.values())
    return [trial for trial in tried if trial.value is not None and state.counts(trial)]


def _valued(run: RunSoFar, trials: list[Trial] | tuple[Trial, ...], name: str) -> list[Valued]:
    told = [(trial.parameters, objectives_of(run.spec, trial)) for trial in trials]
    return [(parameters, objectives[name]) for parameters, objectives in told if name in objectives]


def varied_parameters(run: RunSoFar) -> dict[str, Varying]:
    """Those that have an axis."""
    parameters = amended(run.spec, run.state).parameters
    varied: dict[str, Varying] = {}
    for name, told in parameters.items():
        if isinstance(told, ComputedParameter):
            # Drawn as what it is where it is bounded; else nobody can say how wide.
            if told.bounds is not None:
                varied[name] = FloatParameter(type="float", bounds=told.bounds, unit=told.unit)
        elif isinstance(told, Varying):
            varied[name] = told
    return varied


def _drawn(run: RunSoFar) -> tuple[dict[str, Varying], str]:
    """Those that are drawn, and what is to be said of the others."""
    varied = varied_parameters(run)
    more = len(varied) - DRAWN
    verb = "is" if more == 1 else "are"
    words = f". {counted(more, 'more parameter')} {verb} not drawn" if more > 0 else ""
    return dict(islice(varied.items(), DRAWN)), words
