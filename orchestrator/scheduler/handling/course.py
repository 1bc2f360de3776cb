"""The course of a run: it starts, is resumed, is stopped, and ends."""

from __future__ import annotations

from dataclasses import replace

from orchestrator.scheduler.commands import FinishRun, TakeStock
from orchestrator.scheduler.endings import (
    FAILING_ALIKE,
    NOTHING_SUCCEEDED,
    OPTIMISER_FAILED,
    RESUMABLE,
    STOPPED,
    TIME_RAN_OUT,
)
from orchestrator.scheduler.events import OptimiserFailed, RunResumed, RunStarted, StopRequested
from orchestrator.scheduler.failing_alike import all_fail_alike, what_failed
from orchestrator.scheduler.file_events import FilesEdited
from orchestrator.scheduler.handling.comparing import hear_again_of_what_was_told
from orchestrator.scheduler.handling.queueing import jobs_resumed
from orchestrator.scheduler.handling.slots import call_off, forget
from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.handling.trials import add_trial, give_back, learn, leave, leave_the_queue
from orchestrator.scheduler.standing import (
    budget_left,
    budget_spent,
    gain_spent,
    goal_reached,
    nothing_succeeds,
    out_of_time,
    stock_due,
    why_over,
)
from orchestrator.scheduler.time_events import TimeOfDayMoved, TimeRanOut
from orchestrator.scheduler.transitions import UNDER_WAY, Phase, Turn, next_phase


def run_started(step: Step, event: RunStarted) -> None:
    """With what is known from elsewhere, and the points that the spec wants first."""
    state = step.state
    state.phase = next_phase(state.phase, Turn.STARTED)
    # The points and results that it brings are of the trials from here on.
    state.started = replace(event, points=(), costs=(), known=())
    state.unattended.wall, state.lives = event.wall, 1
    state.evaluated_by = event.evaluated_by
    learn(step, event.known)
    for suggested in event.first():
        add_trial(step, suggested, None)
    state.waiting.parts = event.parts


def run_resumed(step: Step, event: RunResumed) -> None:
    """Another life of the run: nobody is connected yet."""
    state = step.state
    state.lives += 1
    # A time of day that was set back meanwhile does not turn machines back.
    state.unattended.seconds = max(state.unattended.seconds, event.unattended_s)
    state.evaluated_by = {**state.evaluated_by, **event.changed}
    state.amended.lost = ()
    jobs_resumed(state)
    take_up(step)
    for worker in list(state.crew.workers.values()):
        held = [state.trials[number] for number in worker.running.values()]
        forget(state, worker)
        # Local workers died with the orchestrator; the others may still be at work.
        if worker.local:
            for trial in held:
                if event.approves_again:
                    # A machine may have moved until then, and nobody knows how far.
                    trial.approved = not state.policy.evaluations.approval
                give_back(step, trial, failure=None)
    hear_again_of_what_was_told(step)


def take_up(step: Step) -> None:
    """Go on, where the run did not end as its budget meant."""
    state = step.state
    state.tally.out_of_attempts = 0
    if state.end.why in RESUMABLE:
        state.phase = next_phase(state.phase, Turn.RESUMED)
        state.end.why, state.end.badly = "", False
        if state.paused:
            state.phase = next_phase(state.phase, Turn.PAUSED)


def time_of_day_moved(step: Step, event: TimeOfDayMoved) -> None:
    """The run's clock goes on while a machine sleeps, and by no more than that: what was set is not taken for
    time that passed by a later life, either.
    """
    state = step.state
    state.unattended.seconds += event.slept_s
    state.unattended.wall, state.unattended.shown_s = event.wall, event.at + state.unattended.seconds


def files_edited(step: Step, event: FilesEdited) -> None:
    """What a resume compares them with is as they are now."""
    step.state.evaluated_by = {**step.state.evaluated_by, **event.changed}


def time_ran_out(step: Step, event: TimeRanOut) -> None:
    """The clock is watched by the runtime; the limit is the policy's."""
    limit = step.state.ends_s
    # It may have been raised a moment before.
    if limit is None or event.at >= limit:
        _stop(step, out_of_time(step.state) or TIME_RAN_OUT, now=True)


def stop_requested(step: Step, event: StopRequested) -> None:
    """By a person, who may wait for what runs."""
    _stop(step, STOPPED, now=event.now)


def optimiser_failed(step: Step, event: OptimiserFailed) -> None:
    """Without one there is nothing to go on with; what runs may finish."""
    if step.state.phase in UNDER_WAY:
        step.state.end.badly, step.state.end.message = True, event.message
        _stop(step, OPTIMISER_FAILED, now=False)


def end_if_due(step: Step) -> None:
    """Stop a run that has reached something that ends it, and finish one of which nothing is left."""
    state = step.state
    if state.phase is not Phase.DRAINING:
        if reached := goal_reached(state):
            _stop(step, reached, now=True)
        elif little := gain_spent(state):
            # What runs has been paid for, and may prove the model wrong.
            _stop(step, little, now=False)
        elif failure := nothing_succeeds(state):
            state.end.badly, state.end.message = True, failure
            _stop(step, NOTHING_SUCCEEDED, now=False)
        elif budget_left(state) != 0 and (alike := all_fail_alike(state)):
            state.end.badly, state.end.message = True, what_failed(alike)
            state.tally.failing_alike = frozenset(trial.number for trial in alike)
            _stop(step, FAILING_ALIKE, now=False)
    if state.phase is Phase.DRAINING and state.end.why not in RESUMABLE:
        leave_the_queue(step)
    # A run that can be resumed keeps its queue; one that reached its end has settled everything.
    if state.running or (state.waiting.queue and state.phase is not Phase.DRAINING):
        return
    spent = budget_spent(state)
    if state.phase is Phase.DRAINING or spent:
        if state.end.why == STOPPED and not state.waiting.queue:
            # What was waited for may have been the last that there was to do.
            state.end.why = why_over(state) or STOPPED
        state.end.why = state.end.why or spent
        state.phase = next_phase(state.phase, Turn.SETTLED)
        if stock_due(state):
            step.command(TakeStock(held=state.places))
        step.command(FinishRun(reason=state.end.why, failed=state.end.badly))


def _stop(step: Step, reason: str, *, now: bool) -> None:
    state = step.state
    if state.phase not in UNDER_WAY:
        return
    state.phase = next_phase(state.phase, Turn.STOPPED)
    state.end.why = state.end.why or reason
    for trial in list(state.unsettled.values()):
        if state.end.why not in RESUMABLE:
            if now:
                leave(step, trial, reason)
        elif now and trial.lease is not None:
            call_off(step, trial, reason)
            give_back(step, trial, failure=None)
