"""An amendment that was decided a moment ago, by what came before it in the same turn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from orchestrator.runtime.requests.amended_constraints import broken_by_trials
from orchestrator.runtime.requests.values_anew import AnotherReading
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.amendment_events import ConstraintsAmended, PointsAdded, ValuesAmended
from orchestrator.scheduler.event_parts import ValuedAnew
from orchestrator.scheduler.events import Event, FailureArrived, ResultArrived, SuggestionsMade
from orchestrator.scheduler.leases import trial_under
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.spec.begun.added_candidates import with_candidates
from orchestrator.spec.begun.amended_values import with_values
from orchestrator.spec.model import Spec


def by_now(event: Event, before: Sequence[Event], spec: Spec, state: State) -> Event:
    """The event as it is to be handled, where trials were made, or evaluated, or constraints amended, since
    it was decided.
    """
    if isinstance(event, PointsAdded):
        return replace(event, first_trial=len(state.trials) + 1)
    if isinstance(event, ConstraintsAmended) and any(
        isinstance(one, SuggestionsMade | ResultArrived) for one in before
    ):
        listed = with_candidates(spec, state.amended.candidates)
        return replace(event, added=_broken_by_now(event, before, listed, state))
    if isinstance(event, ValuesAmended):
        return replace(event, anew=(*event.anew, *_anew_since(event, before, spec, state)))
    amended = ConstraintsAmended | ValuesAmended
    if isinstance(event, ResultArrived) and any(isinstance(one, amended) for one in before):
        trial = trial_under(state, event.lease)
        wanted = WantedResults.of(spec, state.amended.constraints, state.amended.values)
        return event if trial is None else wanted.judged(event, trial.parameters)
    if isinstance(event, FailureArrived) and any(isinstance(one, ValuesAmended) for one in before):
        return _usable_by_now(event, spec, state)
    return event


def _usable_by_now(event: FailureArrived, spec: Spec, state: State) -> Event:
    """What had no value by the formula of before may have one: then it is a result."""
    trial = trial_under(state, event.lease)
    wanted = WantedResults.of(spec, state.amended.constraints, state.amended.values)
    if trial is None or event.kind != "invalid" or not wanted.are_computed or wanted.lacks(event.extras):
        return event
    result = ResultArrived(
        at=event.at,
        worker=event.worker,
        lease=event.lease,
        extras=event.extras,
        elapsed=event.elapsed,
        request=event.request,
        own=event.own,
        by=event.by,
    )
    return wanted.judged(result, trial.parameters)


def _anew_since(
    event: ValuesAmended, before: Sequence[Event], spec: Spec, state: State
) -> tuple[ValuedAnew, ...]:
    """What that comes to which came since it was decided; what had no value may have one."""
    leases = [one.lease for one in before if isinstance(one, ResultArrived | FailureArrived)]
    trials = [trial for lease in leases if (trial := trial_under(state, lease)) is not None]
    told, settled = {one.trial for one in event.anew}, (TrialState.COMPLETED, TrialState.FAILED)
    came = {one.number: one for one in trials if one.state in settled and one.number not in told}
    then = with_values(spec, state.amended.values.after(event.objective, event.output))
    return AnotherReading(then, {}).of(came.values())


def _broken_by_now(
    event: ConstraintsAmended, before: Sequence[Event], spec: Spec, state: State
) -> dict[str, tuple[int, ...]]:
    """What was found of the trials that there were, and of those beyond that were made, or evaluated, since:
    to judge all of them again might take seconds.
    """
    made_from = min((one.first_trial for one in before if isinstance(one, SuggestionsMade)), default=math.inf)
    made = [trial for trial in state.unsettled.values() if trial.number >= made_from]
    results = (trial_under(state, one.lease) for one in before if isinstance(one, ResultArrived))
    valued = [trial for trial in results if trial is not None]
    since = broken_by_trials(event.added, spec, valued, (*made, *valued))
    return {text: tuple(dict.fromkeys([*trials, *since[text]])) for text, trials in event.added.items()}
