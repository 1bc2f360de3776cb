"""How values come of results from now on: whether that can be said of a run, and what it changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec

from orchestrator.errors import UsageError
from orchestrator.runtime.requests.kinds import Amend, Budgets
from orchestrator.runtime.requests.values_anew import AnotherReading
from orchestrator.runtime.results.known_events import valued_by_now
from orchestrator.scheduler.amendment_events import ValuesAmended
from orchestrator.scheduler.event_parts import KnownResult, ValuedAnew
from orchestrator.scheduler.rules.amended_values import AS_GIVEN, AmendedValues, values_words
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase, TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.scheduler.words.trial_names import first_names
from orchestrator.spec.begun.amended_values import check_values, with_values
from orchestrator.spec.model import Spec

STOP_FIRST = (
    "expected a run that was stopped in order, to have what its programs print read otherwise, got one that"
    " goes on or was cut short, whose workers may still read it as they were told before. Where it was cut"
    " short, resume it first; then stop it by one Ctrl-C, amend it, and resume it"
)
CAME_SINCE = "expected trials whose outputs were read, got some that came since: say it again"
READ_OTHERWISE_SINCE = (
    "expected outputs to be read as when they were looked through for this, got another reading, which was"
    " amended since: say it again"
)


def valued_anew(request: Amend, spec: Spec, trials: Sequence[Trial]) -> tuple[ValuedAnew, ...]:
    """What trials come to by a request, of those that come to something else; ``spec`` is as all else will
    be amended. Raises `UsageError` for what cannot be.
    """
    if not request.values_trials:
        return ()
    check_values(spec, request.objective, request.output)
    return _reading(request, spec).of(trials)


def values_told(
    event: ValuesAmended,
    request: Amend,
    spec: Spec,
    state: State,
    found: tuple[tuple[ValuedAnew, ...], int] | None,
    *,
    untaken: bool,
) -> tuple[ValuesAmended | None, str]:
    """The event, with what a request says of it, none where all is so already, and the sentence; one that was
    taken is not judged again. ``spec`` is as all else will be amended, ``found`` what was found beside the
    loop, and of how many trials.

    Raises `UsageError` for what cannot be amended so.
    """
    event = replace(event, objective=request.objective, output=request.output)
    if not untaken:
        return event, "how values come of results is amended"
    check_values(spec, request.objective, request.output)
    if request.output is not None:
        _check_nobody_works(request, state)
    if found is None:
        anew = valued_anew(request, spec, state.observed)
    else:
        before, seen = found
        anew = (*before, *valued_anew(request, spec, state.observed[seen:]))
    event = replace(event, anew=anew)
    if not anew and _so_already(request, spec):
        return None, f"that is so already: {values_words(request.objective, request.output)}"
    return event, "; ".join(_sentences(event, state, request.budgets))


def results_valued(request: Amend, spec: Spec, state: State, *, untaken: bool) -> tuple[KnownResult, ...]:
    """The known results of a request, which were read when values may have come otherwise, with those that
    they have from now on. ``spec`` is as all else will be amended. Raises `UsageError` where one has none.
    """
    if not request.values_trials and state.amended.values == AS_GIVEN:
        return tuple(request.results)
    return valued_by_now(request.results, _then(request, spec) if untaken else spec)


def _reading(request: Amend, spec: Spec) -> AnotherReading:
    return AnotherReading(_then(request, spec), {one.trial: one for one in request.read}, request.forget)


def _then(request: Amend, spec: Spec) -> Spec:
    return with_values(spec, AmendedValues(request.objective, request.output))


def _so_already(request: Amend, spec: Spec) -> bool:
    then = _then(request, spec)
    return (then.objective, then.evaluation) == (spec.objective, spec.evaluation)


def _check_nobody_works(request: Amend, state: State) -> None:
    if state.phase is not Phase.FINISHED or state.running:
        raise UsageError(STOP_FIRST)
    if request.observed != len(state.observed):
        raise UsageError(CAME_SINCE)
    if request.read_before not in (msgspec.UNSET, state.amended.values.output):
        raise UsageError(READ_OTHERWISE_SINCE)


def _sentences(event: ValuesAmended, state: State, budgets: Budgets) -> Iterator[str]:
    yield f"how values come of results is amended: {values_words(event.objective, event.output)}"
    now = {one.trial: one for one in event.anew}
    there = [trial for trial in state.observed if trial.number in now]
    failed = [one.number for one in there if one.state is TrialState.FAILED]
    fails = [one.number for one in there if one.state is TrialState.COMPLETED and now[one.number].message]
    others = [one for one in there if one.number not in {*failed, *fails}]
    another = sum(_has_another(one, now[one.number], state.policy) for one in others)
    of = sum(one.value is not None for one in state.observed)
    if of and state.policy.sought.further:
        yield f"{another:,} of {of:,} trials have another value, and the model learns anew"
    elif of:
        yield f"{another:,} of {of:,} values are another, and the model learns anew"
    if alike := len(others) - another:
        yield f"trials that returned something else, and have no other value: {alike:,}"
    if failed:
        yield f"what had failed has a value: {first_names(failed)}"
    if fails:
        yield f"what had a value has none: {first_names(fails)}"
    said = budgets.target is not None or "target" in budgets.lifted
    if event.anew and state.policy.budget.target is not None and not said:
        yield f"the target stays {state.policy.budget.target:g}: --target VALUE for another"
    if event.anew and state.policy.sought.threshold is not None:
        yield f"the threshold stays {state.policy.sought.threshold:g}, and is one of the new values"


def _has_another(trial: Trial, anew: ValuedAnew, policy: Policy) -> bool:
    """Of several objectives, of any of them."""
    read = trial.extras if anew.read is None else anew.read.extras
    return anew.value != trial.value or any(
        read.get(name) != trial.extras.get(name) for name, _ in policy.sought.further
    )
