"""What a person changes in a run that has begun: where points may lie, budgets, results, points, a pause."""

from __future__ import annotations

from orchestrator.scheduler.amended_policy import (
    amended_changes,
    amended_clock,
    amended_held,
    amended_policy,
    amended_travel,
)
from orchestrator.scheduler.amendment_events import (
    Amendment,
    BlockBegan,
    BoundsAmended,
    BudgetAmended,
    CandidatesAdded,
    ChangesAmended,
    ConstraintsAmended,
    HeldAmended,
    JobsAmended,
    ObservationsForgotten,
    PointsAdded,
    ResultsAdded,
    RunContinued,
    RunPaused,
    TravelAmended,
    ValuesAmended,
)
from orchestrator.scheduler.corrections import take_as_corrections
from orchestrator.scheduler.endings import AMENDED, OPTIMISER_FAILED, RESUMABLE
from orchestrator.scheduler.handling.asking import wonder
from orchestrator.scheduler.handling.course import take_up
from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.handling.telling import rebuild
from orchestrator.scheduler.handling.trials import (
    add_trial,
    learn,
    leave_the_queue,
    put_people_first,
    withdraw_what_may_not_wait,
    withdraw_what_was_held_safe,
)
from orchestrator.scheduler.handling.valuing import value_anew
from orchestrator.scheduler.rules.added_candidates import with_rows
from orchestrator.scheduler.standing import (
    budget_left,
    gain_spent,
    why_over,
)
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase, Turn, next_phase
from orchestrator.values.candidates import ONE_OF_THEM


def amended(step: Step, event: Amendment) -> None:
    """An amendment takes effect, once, whatever the phase of the run."""
    state = step.state
    if not state.takes(event):
        return
    match event:
        case BoundsAmended():
            state.amended.bounds = {**state.amended.bounds, **event.bounds}
            state.policy = amended_clock(state)
            _leave_out(step)
        case HeldAmended():
            state.policy = amended_held(state, event)
            _leave_out(step)
        case BlockBegan():
            state.block = event.block
            if not event.request:
                # A day that begins gives a run that ends nothing more to do.
                return
        case ConstraintsAmended():
            state.amended.constraints = state.amended.constraints.after(event.added, event.withdrawn)
            _say_what_is_broken(state, event)
            _leave_out(step)
        case CandidatesAdded():
            _add_candidates(step, event)
        case TravelAmended():
            state.policy = amended_travel(state, event)
            if not state.running:
                # Else it is on its way to a trial by now.
                state.apparatus.put_at = {**state.apparatus.put_at, **event.stands}
            rebuild(step)
        case ChangesAmended():
            state.policy = amended_changes(state, event)
            rebuild(step)
        case BudgetAmended():
            _amend_budget(step, event)
        case JobsAmended():
            state.jobs.at_most = event.at_most
            # Whoever says how many has seen how they did.
            state.jobs.in_vain, state.jobs.last_words = 0, ""
            # Who works on a run gives it nothing more to do.
            return
        case ResultsAdded():
            state.tally.added += len(event.results)
            learn(step, event.results, event)
        case PointsAdded():
            _add_points(step, event)
        case ObservationsForgotten():
            _forget(step, event)
        case ValuesAmended():
            value_anew(step, event)
        case RunPaused():
            state.paused = True
            if state.phase is Phase.ACTIVE:
                state.phase = next_phase(state.phase, Turn.PAUSED)
        case RunContinued():
            state.paused = False
            if state.phase is Phase.PAUSED:
                state.phase = next_phase(state.phase, Turn.CONTINUED)
    reconsider_the_end(step)


def _add_candidates(step: Step, event: CandidatesAdded) -> None:
    """What was tried and is listed now is one of them."""
    state, listed = step.state, frozenset(event.listed)
    state.amended.candidates = with_rows(state.amended.candidates, event.columns)
    for trial in state.observed:
        if trial.number in listed:
            trial.broken = tuple(text for text in trial.broken if text != ONE_OF_THEM)
    rebuild(step)


def _amend_budget(step: Step, event: BudgetAmended) -> None:
    state = step.state
    before, state.policy = state.policy, amended_policy(state, event)
    if state.policy.budget.cost != before.budget.cost:
        # How closely to look hangs on what may still be spent.
        rebuild(step)
    if state.policy.budget.expected_gain is None:
        state.optimiser.gains = ()
    elif before.budget.expected_gain is None and state.optimiser.refits:
        wonder(step)


def _forget(step: Step, event: ObservationsForgotten) -> None:
    state, forgotten = step.state, frozenset(event.trials)
    for trial in state.observed:
        if trial.number in forgotten:
            trial.forgotten, trial.by = trial.forgotten or event.reason, event.by or trial.by
            if trial.attempts.failed >= state.policy.evaluations.attempts:
                # Somebody has seen to what fails, as before another life.
                state.tally.out_of_attempts = 0
    take_as_corrections(state, event)
    state.untold.clear()
    withdraw_what_was_held_safe(step, "results are forgotten by which it was held to be safe")
    rebuild(step)


def _add_points(step: Step, event: PointsAdded) -> None:
    """As far as the budget pays for them, before all that the optimiser asked for."""
    state = step.state
    # Asked for anew, it knows of them, and trials are numbered as they are made.
    state.optimiser.asking = None
    for suggested in event.suggested():
        if budget_left(state) == 0:
            break
        add_trial(step, suggested, None)
    put_people_first(state)
    withdraw_what_may_not_wait(step)


def _say_what_is_broken(state: State, event: ConstraintsAmended) -> None:
    """Of each trial, and of what is known from elsewhere."""
    breaking = {text: frozenset(trials) for text, trials in event.added.items()}
    of_outcomes = {text: breaking[text] for text in event.of_outcomes}
    state.amended.broken_before = {**state.amended.broken_before, **of_outcomes}
    for trial in (*state.observed, *state.unsettled.values()):
        kept = [text for text in trial.broken if text not in event.withdrawn]
        new = [text for text, trials in breaking.items() if trial.number in trials]
        trial.broken = tuple(dict.fromkeys([*kept, *new]))


def _leave_out(step: Step) -> None:
    """Nothing waits any more where nothing is to be evaluated, and the optimiser begins anew."""
    state = step.state
    # What ends a round by being left out has nothing told to a model that is no more.
    state.untold.clear()
    withdraw_what_may_not_wait(step)
    rebuild(step)


def reconsider_the_end(step: Step) -> None:
    """A run that had ended may have something to do again, or nothing any more after all."""
    state = step.state
    if state.phase is Phase.FINISHED and state.end.why not in RESUMABLE - {AMENDED}:
        state.end.why = why_over(state) or AMENDED
        if state.end.why not in RESUMABLE:
            leave_the_queue(step)
    elif state.phase is Phase.DRAINING and state.end.why not in RESUMABLE and not gain_spent(state):
        # There may be something to gain after all: only what the model said ends a run and lets it drain.
        state.end.why = OPTIMISER_FAILED if state.end.badly else AMENDED
        if not state.end.badly:
            take_up(step)
