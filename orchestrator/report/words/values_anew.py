"""Which trials are the best before and after all values are computed, or read, anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy

from orchestrator.report.words.wording import number
from orchestrator.scheduler.amendment_events import Amendment, ValuesAmended
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.scheduler.words.trial_names import first_names, trial_name
from orchestrator.spec.model import Spec

SHOWN = 3


def best_before_and_after(spec: Spec, scheduler: Scheduler, events: Iterable[Amendment]) -> str:
    """Two lines, of the best trials, or trade-offs, as they are and as they would be by ``events``; empty
    where these are not about values, and where no trial is the best before or after.
    """
    told = list(events)
    if not any(isinstance(event, ValuesAmended) for event in told):
        return ""
    before = {trial.number: trial.value for trial in scheduler.state.observed}
    ahead = deepcopy(scheduler)
    for event in told:
        ahead.handle(event)
    if spec.further_objectives:
        were, are = (_front(one.state) for one in (scheduler, ahead))
        return f"trade-offs before: {were}\ntrade-offs then: {are}\n"
    best = [f"{trial_name(one.number)}: {number(one.value, 6)}" for one in _best(spec, scheduler.state)]
    then = [f"{trial_name(one.number)}: {_now(one, before)}" for one in _best(spec, ahead.state)]
    if not best and not then:
        return ""
    return f"best before: {', '.join(best) or 'none'}\nbest then: {', '.join(then) or 'none'}\n"


def _front(state: State) -> str:
    return first_names([trial.number for trial in state.found.front]) or "none"


def _now(trial: Trial, values: Mapping[int, float | None]) -> str:
    # A result that becomes known with it has none before.
    before = values.get(trial.number, trial.value)
    if trial.value == before:
        return number(trial.value, 6)
    was = "none" if before is None else number(before, 6)
    return f"{number(trial.value, 6)} (before: {was})"


def _best(spec: Spec, state: State) -> list[Trial]:
    sign = -1.0 if spec.objective.goal == "maximise" else 1.0
    valued = [
        (sign * one.value, one)
        for one in state.observed
        if one.value is not None and state.counts(one) and state.may_be_best(one)
    ]
    return [one for _, one in sorted(valued, key=lambda pair: pair[0])][:SHOWN]
