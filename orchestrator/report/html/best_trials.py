"""The best trials of a run, as a table of its page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from orchestrator.objectives import SIGNS
from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.html.parts import section, soft, table
from orchestrator.report.words.goals import titled, units_of
from orchestrator.report.words.wording import column_digits, counted, number
from orchestrator.scheduler.corrections import as_corrected
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.sections.parameters import FixedParameter

BEST_TRIALS: Final = 10
COLUMNS: Final = 7
"""Parameters in the table of trials."""
DIGITS: Final = 8
"""Of values, or more where these differ by less."""


def best_trials(run: FollowedRun) -> str:
    """A table of them, the best one first."""
    sign = SIGNS[run.spec.objective.goal]
    state = run.state
    tried = as_corrected(state, state.trials.values())
    trials = [t for t in tried if state.counts(t) and state.may_be_best(t)]
    valued = [(trial.value, trial) for trial in trials if trial.value is not None]
    ordered = sorted(valued, key=lambda pair: (-sign * pair[0], pair[1].number))[:BEST_TRIALS]
    if not ordered:
        return ""
    ranked, digits = [trial for _, trial in ordered], column_digits([value for value, _ in ordered])
    told, outcomes = run.spec.parameters.items(), run.spec.outcomes
    names = [name for name, parameter in told if not isinstance(parameter, FixedParameter)]
    noisy = any(trial.variance is not None for trial in ranked)
    timed = any(trial.elapsed for trial in ranked)
    head = [
        "trial",
        titled(run.spec.objective.name, units_of(run.spec)),
        *(["±"] if noisy else []),
        *outcomes,
        *names[:COLUMNS],
        *(["seconds"] if timed else []),
    ]
    shown = [*outcomes, *names[:COLUMNS]]
    ranking = table(head, (_cells(trial, shown, max(DIGITS, digits), noisy, timed) for trial in ranked))
    left_out = len(names) - COLUMNS
    note = soft(f"{counted(left_out, 'more parameter')}: orchestrator export") if left_out > 0 else ""
    return section("The best trials", f"{ranking}{note}")


def _cells(trial: Trial, names: Sequence[str], digits: int, noisy: bool, timed: bool) -> list[object]:
    deviation = "" if trial.variance is None else number(math.sqrt(trial.variance), 2)
    values = [trial.parameters.get(name, trial.extras.get(name)) for name in names]
    seconds = number(trial.elapsed, 3) if trial.elapsed else ""
    return [
        *(trial.number, number(trial.value, digits), *([deviation] if noisy else [])),
        *values,
        *([seconds] if timed else []),
    ]
