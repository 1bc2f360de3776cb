"""The course of a trial: made, given back, settled, and told to the optimiser."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from orchestrator.scheduler.amendment_events import ResultsAdded
from orchestrator.scheduler.attempts import Attempts
from orchestrator.scheduler.endings import RESUMABLE
from orchestrator.scheduler.event_parts import KnownResult, Suggested
from orchestrator.scheduler.front import scores
from orchestrator.scheduler.handling.slots import call_off, release
from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.handling.telling import rebuild, tell, tell_the_round
from orchestrator.scheduler.kept_limits import broke
from orchestrator.scheduler.rules.amended_constraints import unsatisfied_words
from orchestrator.scheduler.rules.bounds import outside_words
from orchestrator.scheduler.rules.places import away, away_words
from orchestrator.scheduler.standing import compare
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Cause, Phase, TrialState, next_trial_state
from orchestrator.scheduler.trial import Trial, is_added
from orchestrator.values.named import Values
from orchestrator.values.travel import too_far_words


def add_trial(step: Step, suggested: Suggested, ask: int | None) -> None:
    """A point to evaluate, at the end of the queue."""
    state = step.state
    number = len(state.trials) + 1
    of_another = state.others.leases_of(number)
    trial = Trial(
        number=number,
        suggested=suggested,
        queued_at=state.at,
        ask=ask,
        held={} if ask is None else state.places,
        slots=state.policy.evaluations.slots_of(suggested.parameters),
        approved=not state.policy.evaluations.approval,
        attempts=Attempts(given=of_another, not_own=of_another),
    )
    state.trials[trial.number] = trial
    state.tally.spent += trial.cost
    state.tally.points_added += is_added(trial)
    state.unsettled[trial.number] = trial
    state.waiting.queue.append(trial.number)
    drop_part(state, suggested.part)


def drop_part(state: State, part: Values) -> None:
    """One of the parts of points that are to be tried is, or cannot be, any more."""
    if part in state.waiting.parts:
        at = state.waiting.parts.index(part)
        state.waiting.parts = (*state.waiting.parts[:at], *state.waiting.parts[at + 1 :])


def put_people_first(state: State) -> None:
    """What people want evaluated waits before what the optimiser asked for, each in the order that it has."""
    state.waiting.queue = deque(
        sorted(state.waiting.queue, key=lambda number: state.trials[number].ask is not None)
    )


def learn(step: Step, results: Sequence[KnownResult], of: ResultsAdded | None = None) -> None:
    """Results from elsewhere: told like a trial's, and no trials. ``of``: the amendment that they came with,
    unless they were known when the run began.
    """
    for known in results:
        told = Suggested(parameters=known.parameters)
        trial = Trial(number=-step.state.tally.known, suggested=told, queued_at=step.state.at)
        trial.state = TrialState.FAILED if known.value is None else TrialState.COMPLETED
        trial.value, trial.variance, trial.factors = known.value, known.variance, known.factors
        trial.broken, trial.extras = known.broken, known.outcomes
        if of is not None:
            trial.request, trial.by = of.request, of.by
        trial.elapsed, trial.block = known.seconds or 0.0, known.block
        step.state.tally.known += 1
        if step.state.policy.sought.kept:
            step.state.optimiser.awaits_results = step.state.optimiser.exhausted = False
        _observe(step, trial)
        _withdraw_if_it_broke(step, trial)


def give_back(step: Step, trial: Trial, *, failure: str | None, by: str = "") -> None:
    """A trial's live lease ended without a value. ``failure`` says why, where it counts against the trial,
    ``by`` the person who says so, if any.
    """
    state = step.state
    release(state, trial)
    if failure is not None:
        trial.attempts.failed += 1
        trial.attempts.failed_at |= {trial.place}
        trial.message, trial.by = failure, by
        # Whoever let it go to a machine has not seen what that did.
        trial.approved = not (state.policy.evaluations.approval and state.started.approves_attempts)
    if trial.attempts.failed >= state.policy.evaluations.attempts:
        settle(step, trial, Cause.EXHAUSTED, trial.message, trial.by)
    elif not state.may_wait(trial):
        withdraw(step, trial)
    else:
        trial.state = next_trial_state(trial.state, Cause.GIVEN_BACK)
        state.waiting.queue.appendleft(trial.number)


def is_last_attempt(state: State, trial: Trial) -> bool:
    """Whether no other is made where the one under way fails."""
    ends = state.phase is Phase.DRAINING and state.end.why not in RESUMABLE
    return trial.attempts.failed + 1 >= state.policy.evaluations.attempts or not state.may_wait(trial) or ends


def leave(step: Step, trial: Trial, why: str) -> None:
    """The run's end leaves a trial: the budget does not pay for one that was never begun."""
    if step.state.started.pays_for_begun and trial.attempts.begun == 0:
        pay_back(step.state, trial)
    settle(step, trial, Cause.RUN_STOPPED, why)


def leave_the_queue(step: Step) -> None:
    """What waits at the run's end is never evaluated."""
    for number in list(step.state.waiting.queue):
        leave(step, step.state.trials[number], step.state.end.why)


def withdraw(step: Step, trial: Trial, why: str = "") -> None:
    """What was amended leaves a trial out, or what ``why`` says: the budget does not pay for it. Of one of
    which a person said a part the rest is chosen anew.
    """
    withdraw_each(step, [trial], why)


def withdraw_each(step: Step, trials: Iterable[Trial], why: str = "") -> None:
    """Several, of which those that a person said in part have their turns in the order that they had."""
    parts = []
    for trial in trials:
        pay_back(step.state, trial)
        settle(step, trial, Cause.LEFT_OUT, why or _left_out_words(step.state, trial))
        parts += [trial.suggested.part] if trial.suggested.part else []
    step.state.waiting.parts = (*parts, *step.state.waiting.parts)


def pay_back(state: State, trial: Trial) -> None:
    """The budget does not pay for a trial of which nothing comes."""
    state.tally.withdrawn += 1
    state.tally.spent -= trial.cost
    trial.cost = 0.0


def withdraw_what_may_not_wait(step: Step) -> None:
    """Of the queue; what runs may finish."""
    withdraw_each(step, [trial for trial in _waiting(step.state) if not step.state.may_wait(trial)])


def withdraw_what_was_held_safe(step: Step, why: str) -> None:
    """Of the queue what the optimiser asked for, where every trial is to keep limits: what that followed from
    is not so any more. It is asked anew; what people want evaluated is theirs to answer for.
    """
    if step.state.policy.sought.kept:
        withdraw_each(step, [trial for trial in _waiting(step.state) if trial.ask is not None], why)


def _waiting(state: State) -> Sequence[Trial]:
    return [state.trials[number] for number in state.waiting.queue]


def _withdraw_if_it_broke(step: Step, trial: Trial) -> None:
    if broken := broke(step.state.policy, trial):
        why = f"`{broken[0]}` was broken since it was asked for, so that it may not be safe"
        withdraw_what_was_held_safe(step, why)


def _left_out_words(state: State, trial: Trial) -> str:
    """Why a trial may not wait."""
    if not state.inside(trial.parameters):
        return outside_words(state.amended.bounds, trial.parameters)
    if not state.where_held(trial.parameters):
        return away_words(state.policy.where.held, trial.parameters)
    if broken := state.breaks_added(trial):
        return unsatisfied_words(broken)
    return too_far_words(state.policy.where.travel, state.stands, trial.parameters)


def settle(step: Step, trial: Trial, cause: Cause, message: str, by: str = "") -> None:
    """Move a trial to its end, tell the optimiser, and call off whoever still works on it. ``by``: the person
    by whose word, if any.
    """
    state = step.state
    if trial.state is TrialState.QUEUED:
        state.waiting.queue.remove(trial.number)
    call_off(step, trial, message or "the trial is settled")
    release(state, trial)
    trial.state = next_trial_state(trial.state, cause)
    trial.settled_at, trial.message, trial.by = state.at, message, by
    del state.unsettled[trial.number]
    state.optimiser.awaits_results = False
    if state.policy.sought.kept:
        # More is known now, as where a person added a point after nothing was sure enough.
        state.optimiser.exhausted = False
    match trial.state:
        case TrialState.COMPLETED:
            state.tally.completed += 1
        case TrialState.FAILED:
            state.tally.failed += 1
            state.tally.out_of_attempts += cause in (Cause.EXHAUSTED, Cause.TOO_LARGE)
        case TrialState.STOPPED:
            state.tally.stopped += 1
        case _:
            state.tally.abandoned += 1
    if trial.state is not TrialState.ABANDONED:
        _observe(step, trial)
        _withdraw_if_it_broke(step, trial)
    if not state.unsettled:
        tell_the_round(step)


def _observe(step: Step, trial: Trial) -> None:
    state = step.state
    state.observed.append(trial)
    if state.policy.sought.further:
        # Once: on a long front they are compared with those of each trial to come.
        trial.scores = scores(state.policy, trial)
    if not state.counts(trial):
        return
    if away(state.optimiser.fixed, trial.parameters):
        # It was to know of nothing elsewhere.
        rebuild(step)
        return
    compare(state, trial)
    if state.policy.mode.kind == "synchronous" and trial.number > 0 and not state.policy.results.compared:
        # Which of a round's evaluations is over first is luck, of which nothing that follows may depend.
        state.untold.append(trial)
    else:
        tell(step, trial)
