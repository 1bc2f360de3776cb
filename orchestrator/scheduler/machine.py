"""The scheduler itself: `handle` takes an event and answers with commands.

No clock, file, socket or randomness: the same events give the same commands, which is what recovery and
the simulated lab rest on. Every move of a trial or of the run goes through the tables in `transitions`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, get_args

from orchestrator.scheduler import events as ev
from orchestrator.scheduler.commands import (
    Acknowledge,
    AdoptRefit,
    Ask,
    CancelLease,
    Command,
    EstimateGain,
    Evaluate,
    FinishRun,
    Rebuild,
    TakeStock,
    Tell,
)
from orchestrator.scheduler.endings import (
    AMENDED,
    NOTHING_SUCCEEDED,
    OPTIMISER_FAILED,
    RESUMABLE,
    STOPPED,
    TIME_RAN_OUT,
)
from orchestrator.scheduler.leases import lease_name, trial_of, was_given
from orchestrator.scheduler.policy import Policy
from orchestrator.scheduler.standing import (
    amended_policy,
    budget_left,
    budget_spent,
    compare,
    gain_spent,
    goal_reached,
    learn_gain,
    learn_stock,
    nothing_succeeds,
    outside_words,
    patience_s,
    standing,
    stock_due,
    trials_wanted,
    why_over,
)
from orchestrator.scheduler.state import State, Trial, Worker
from orchestrator.scheduler.transitions import (
    UNDER_WAY,
    Cause,
    Phase,
    TrialState,
    Turn,
    next_phase,
    next_trial_state,
)


class Scheduler:
    """The state machine of one run.

    Attributes:
        state: what follows from the events handled so far; read it, never write it.
    """

    def __init__(self, policy: Policy) -> None:
        self.state = State(policy=policy)
        self._commands: list[Command] = []
        self._handlers: dict[type, Callable[[Any], None]] = {
            ev.RunStarted: self._run_started,
            ev.RunResumed: self._run_resumed,
            ev.WorkerJoined: self._worker_joined,
            ev.WorkerLeft: self._worker_left,
            ev.SuggestionsMade: self._suggestions_made,
            ev.OptimiserFailed: self._optimiser_failed,
            ev.ResultArrived: self._result_arrived,
            ev.FailureArrived: self._failure_arrived,
            ev.LeaseExpired: self._lease_expired,
            ev.TrialApproved: self._trial_approved,
            ev.TrialRefused: self._trial_refused,
            ev.TrialFoundHopeless: self._trial_found_hopeless,
            **dict.fromkeys(get_args(ev.Amendment), self._amended),
            ev.RefitFinished: self._refit_finished,
            ev.RemainingGainEstimated: lambda event: learn_gain(self.state, event),
            ev.StockTaken: lambda event: learn_stock(self.state, event),
            ev.JournalMended: self._journal_mended,
            ev.TimeRanOut: self._time_ran_out,
            ev.StopRequested: self._stop_requested,
        }

    def handle(self, event: ev.Event) -> list[Command]:
        """Take an event in; the commands that follow from it, in the order to perform them."""
        self.state.at = event.at
        self._handlers[type(event)](event)
        if self.state.phase in UNDER_WAY:
            self._end_if_due()
        if self.state.phase is Phase.ACTIVE:
            self._lease_out()
            self._ask_if_short()
        commands, self._commands = self._commands, []
        return commands

    @property
    def resumable(self) -> bool:
        """Whether a new life has anything to do: the run did not end as its budget meant."""
        return self.state.phase is not Phase.FINISHED or self.state.ending in RESUMABLE

    def was_given(self, lease: str) -> bool:
        """Whether there ever was such a lease, in any life of the run."""
        number = trial_of(lease)
        trial = self.state.trials.get(number) if number is not None else None
        return trial is not None and was_given(lease, trial.number, trial.attempts)

    def holds(self, worker: str, lease: str) -> bool:
        """Whether a lease is live, and a worker's own."""
        known = self.state.workers.get(worker)
        return known is not None and lease in known.running

    # -- the run --------------------------------------------------------------------------------------

    def _run_started(self, event: ev.RunStarted) -> None:
        state = self.state
        state.phase = next_phase(state.phase, Turn.STARTED)
        state.run, state.wall, state.lives = event.run, event.wall, 1
        self._learn(event.known)
        for parameters in event.points:
            self._add_trial(ev.Suggested(parameters=parameters, why={"source": "spec"}), None)

    def _learn(self, results: Sequence[ev.KnownResult]) -> None:
        for known in results:
            trial = Trial(number=-self.state.known, parameters=known.parameters, queued_at=self.state.at)
            trial.state, trial.value, trial.variance = TrialState.COMPLETED, known.value, known.variance
            self.state.known += 1
            self._observe(trial)

    def _run_resumed(self, event: ev.RunResumed) -> None:
        state = self.state
        del event
        state.lives += 1
        self._take_up()
        for worker in list(state.workers.values()):
            leases = list(worker.running)
            self._forget(worker)
            # Local workers died with the orchestrator; the others may still be at work.
            if worker.local:
                for lease in leases:
                    self._give_back(lease, failure=None)

    def _take_up(self) -> None:
        state = self.state
        state.broken = 0
        if state.ending in RESUMABLE:
            state.phase = next_phase(state.phase, Turn.RESUMED)
            state.ending, state.ended_badly = "", False
            if state.paused:
                state.phase = next_phase(state.phase, Turn.PAUSED)

    def _journal_mended(self, event: ev.JournalMended) -> None:
        state = self.state
        self._take_up()
        for worker in list(state.workers.values()):
            self._forget(worker)
        for trial in list(state.unsettled.values()):
            if trial.lease is not None:
                self._give_back(trial.lease, failure=None)
        # The queue is in the order of the trials, as if nothing of it had been handed out.
        state.queue = deque(sorted(state.queue))
        state.asking = None
        state.asks = max(state.asks, event.asks) + event.lost
        state.requests.update(event.requests)
        for saved in event.trials:
            if saved.number > len(state.trials):
                self._add_trial(saved.suggested, saved.ask)
            self._restore(state.trials[saved.number], saved)
        for trial in state.unsettled.values():
            # Leases given in lines that are lost: none is given again, and their results are believed.
            trial.attempts += event.lost

    def _restore(self, trial: Trial, saved: ev.SavedTrial) -> None:
        if trial.settled:
            return
        if saved.value is not None:
            trial.value, trial.variance, trial.factors = saved.value, saved.variance, saved.factors
            trial.extras, trial.elapsed, trial.worker = saved.extras, saved.elapsed, saved.worker
            self._settle(trial, Cause.SUCCEEDED, "")
        elif saved.message:
            self._settle(trial, Cause.REFUSED, saved.message)

    def _time_ran_out(self, event: ev.TimeRanOut) -> None:
        limit = self.state.policy.time_s
        # It may have been raised a moment before.
        if limit is None or event.at >= limit:
            self._stop(TIME_RAN_OUT, now=True)

    def _stop_requested(self, event: ev.StopRequested) -> None:
        self._stop(STOPPED, now=event.now)

    def _optimiser_failed(self, event: ev.OptimiserFailed) -> None:
        if self.state.phase in UNDER_WAY:
            self.state.ended_badly, self.state.message = True, event.message
            self._stop(OPTIMISER_FAILED, now=False)

    def _stop(self, reason: str, *, now: bool) -> None:
        state = self.state
        if state.phase not in UNDER_WAY:
            return
        state.phase = next_phase(state.phase, Turn.STOPPED)
        state.ending = state.ending or reason
        for trial in list(state.unsettled.values()):
            if state.ending not in RESUMABLE:
                if now:
                    self._settle(trial, Cause.STOPPED, reason)
            elif now and trial.lease is not None:
                self._call_off(trial, reason)
                self._give_back(trial.lease, failure=None)

    def _end_if_due(self) -> None:
        state = self.state
        if state.phase is not Phase.DRAINING:
            if reached := goal_reached(state):
                self._stop(reached, now=True)
            elif little := gain_spent(state):
                # What runs has been paid for, and may prove the model wrong.
                self._stop(little, now=False)
            elif failure := nothing_succeeds(state):
                state.ended_badly, state.message = True, failure
                self._stop(NOTHING_SUCCEEDED, now=False)
        if state.phase is Phase.DRAINING and state.ending not in RESUMABLE:
            for number in list(state.queue):
                self._settle(state.trials[number], Cause.STOPPED, state.ending)
        # A run that can be resumed keeps its queue; one that reached its end has settled everything.
        if state.running or (state.queue and state.phase is not Phase.DRAINING):
            return
        spent = budget_spent(state)
        if state.phase is Phase.DRAINING or spent:
            state.ending = state.ending or spent
            state.phase = next_phase(state.phase, Turn.SETTLED)
            if stock_due(state):
                self._commands.append(TakeStock())
            self._commands.append(FinishRun(reason=state.ending, failed=state.ended_badly))

    # -- asking ---------------------------------------------------------------------------------------

    def _ask_if_short(self) -> None:
        state = self.state
        if state.asking is not None or state.exhausted:
            return
        wanted = trials_wanted(state)
        if wanted <= 0:
            return
        state.asks += 1
        state.asking = wanted
        state.asked_at = state.at
        self._commands.append(
            Ask(
                ask=state.asks,
                count=wanted,
                first_trial=len(state.trials) + 1,
                pending=tuple(
                    trial.parameters for trial in state.unsettled.values() if state.inside(trial.parameters)
                ),
                patience_s=patience_s(state),
            )
        )

    def _suggestions_made(self, event: ev.SuggestionsMade) -> None:
        state = self.state
        if state.asking is None or event.ask != state.asks:
            return
        if len(event.suggestions) < state.asking:
            state.exhausted = True
        wanted, state.asking = state.asking, None
        left = budget_left(state)
        # Less than was asked for, where the budget was lowered meanwhile.
        wanted = wanted if left is None else min(wanted, left)
        state.pace.asked(event.seconds, len(event.suggestions))
        state.insight = event.insight or state.insight
        if state.ending and state.ending not in RESUMABLE:
            return
        for suggested in event.suggestions[:wanted]:
            self._add_trial(suggested, event.ask)

    def _add_trial(self, suggested: ev.Suggested, ask: int | None) -> None:
        state = self.state
        trial = Trial(
            number=len(state.trials) + 1,
            parameters=suggested.parameters,
            queued_at=state.at,
            ask=ask,
            mean=suggested.mean,
            deviation=suggested.deviation,
            why=suggested.why,
            approved=not state.policy.approval,
        )
        state.trials[trial.number] = trial
        state.unsettled[trial.number] = trial
        state.queue.append(trial.number)

    def _refit_finished(self, event: ev.RefitFinished) -> None:
        if event.model != self.state.model or event.number <= self.state.refits:
            return
        self.state.refits = event.number
        self._commands.append(
            AdoptRefit(number=event.number, observations=event.observations, payload=event.payload)
        )
        self._wonder()

    def _wonder(self) -> None:
        """Ask what is left to gain, if anything hangs on it."""
        state = self.state
        if state.policy.expected_gain is not None and state.phase in (Phase.ACTIVE, Phase.PAUSED):
            self._commands.append(EstimateGain(refit=state.refits))

    # -- workers and leases ---------------------------------------------------------------------------

    def _worker_joined(self, event: ev.WorkerJoined) -> None:
        state = self.state
        known = state.workers.get(event.worker)
        worker = Worker(
            name=event.worker,
            slots=event.slots,
            local=event.local,
            joined_at=known.joined_at if known else event.at,
        )
        if known is not None:
            worker.completed, worker.failed, worker.busy_s = known.completed, known.failed, known.busy_s
            self._forget(known)
        state.workers[worker.name] = worker
        state.slots += worker.slots
        # Of the leases this name held, some may be finished, and their results about to be sent again:
        # those that turn out to be lost expire.
        for trial in state.unsettled.values():
            if trial.worker == worker.name and trial.lease is not None:
                worker.running[trial.lease] = trial.number
        for lease in event.held:
            if lease not in worker.running:
                self._readopt(worker, lease)
        self._note_free(worker)

    def _readopt(self, worker: Worker, lease: str) -> None:
        trial = self._unsettled_trial(lease)
        going_on = self.state.phase in (Phase.ACTIVE, Phase.PAUSED)
        if trial is not None and trial.state is TrialState.QUEUED and going_on:
            self.state.queue.remove(trial.number)
            self._run_under(trial, worker, lease, Cause.READOPTED)
        else:
            self._commands.append(
                CancelLease(worker=worker.name, lease=lease, reason="the trial is settled or runs elsewhere")
            )

    def _worker_left(self, event: ev.WorkerLeft) -> None:
        worker = self.state.workers.get(event.worker)
        if worker is None:
            return
        leases = list(worker.running)
        self._forget(worker)
        reason = event.reason or f"{worker.name} was lost"
        for lease in leases:
            self._give_back(lease, failure=reason if event.lost else None)

    def _forget(self, worker: Worker) -> None:
        if self.state.workers.pop(worker.name, None) is not None:
            self.state.slots -= worker.slots
        self.state.idle.pop(worker.name, None)

    def _note_free(self, worker: Worker) -> None:
        if worker.free > 0:
            self.state.idle.setdefault(worker.name, worker)
        else:
            self.state.idle.pop(worker.name, None)

    def _lease_out(self) -> None:
        state = self.state
        while state.idle and (number := state.next_in_queue) is not None:
            worker = next(iter(state.idle.values()))
            trial = state.trials[number]
            state.queue.remove(number)
            trial.attempts += 1
            lease = lease_name(trial.number, trial.attempts)
            self._run_under(trial, worker, lease, Cause.LEASED)
            self._commands.append(
                Evaluate(
                    worker=worker.name,
                    lease=lease,
                    trial=trial.number,
                    attempt=trial.attempts,
                    parameters=trial.parameters,
                )
            )

    def _run_under(self, trial: Trial, worker: Worker, lease: str, cause: Cause) -> None:
        trial.state = next_trial_state(trial.state, cause)
        trial.lease, trial.worker, trial.started_at = lease, worker.name, self.state.at
        worker.running[lease] = trial.number
        # Taken from the front and put back at the end: the longest idle is the next to be served.
        self.state.idle.pop(worker.name, None)
        self._note_free(worker)

    def _unsettled_trial(self, lease: str) -> Trial | None:
        """The unsettled trial of a lease that was really given."""
        number = trial_of(lease)
        trial = self.state.unsettled.get(number) if number is not None else None
        if trial is None or not was_given(lease, trial.number, trial.attempts):
            return None
        return trial

    def _release(self, trial: Trial) -> None:
        """End a trial's live lease, if any, and free its slot."""
        if trial.lease is not None and trial.worker is not None:
            worker = self.state.workers.get(trial.worker)
            if worker is not None and worker.running.pop(trial.lease, None) is not None:
                if trial.started_at is not None:
                    worker.busy_s += self.state.at - trial.started_at
                self._note_free(worker)
        trial.lease = None

    def _give_back(self, lease: str, *, failure: str | None) -> None:
        """A live lease ended without a value. ``failure`` says why, where it counts against the trial."""
        trial = self._unsettled_trial(lease)
        if trial is None or trial.lease != lease:
            return
        self._release(trial)
        if failure is not None:
            trial.failures += 1
            trial.message = failure
        if trial.failures >= self.state.policy.attempts:
            self._settle(trial, Cause.EXHAUSTED, trial.message)
        elif not self.state.inside(trial.parameters):
            self._withdraw(trial)
        else:
            trial.state = next_trial_state(trial.state, Cause.GIVEN_BACK)
            self.state.queue.appendleft(trial.number)

    def _lease_expired(self, event: ev.LeaseExpired) -> None:
        trial = self._unsettled_trial(event.lease)
        if trial is None or trial.lease != event.lease:
            return
        self._call_off(trial, event.reason)
        self._give_back(event.lease, failure=event.reason)

    def _call_off(self, trial: Trial, reason: str) -> None:
        """Have the worker that holds the live lease, if it is connected, stop working on it."""
        if trial.lease is not None and trial.worker is not None and trial.worker in self.state.workers:
            self._commands.append(CancelLease(worker=trial.worker, lease=trial.lease, reason=reason))

    # -- what a person decides ------------------------------------------------------------------------

    def _trial_approved(self, event: ev.TrialApproved) -> None:
        trial = self.state.unsettled.get(event.trial)
        if trial is not None and self.state.takes(event):
            trial.approved = True

    def _trial_refused(self, event: ev.TrialRefused) -> None:
        trial = self.state.unsettled.get(event.trial)
        if trial is not None and self.state.takes(event):
            self._settle(trial, Cause.REFUSED, f"refused: {event.reason}")

    def _amended(self, event: ev.Amendment) -> None:
        state = self.state
        if not state.takes(event):
            return
        match event:
            case ev.BoundsAmended():
                state.bounds = {**state.bounds, **event.bounds}
                for number in list(state.queue):
                    if not state.inside(state.trials[number].parameters):
                        self._withdraw(state.trials[number])
                self._rebuild()
            case ev.BudgetAmended():
                before, state.policy = state.policy, amended_policy(state, event)
                if state.policy.expected_gain is None:
                    state.gains = ()
                elif before.expected_gain is None and state.refits:
                    self._wonder()
            case ev.ResultsAdded():
                state.added += len(event.results)
                self._learn(event.results)
            case ev.ObservationsForgotten():
                for trial in state.observed:
                    if trial.number in event.trials and trial.value is not None:
                        trial.forgotten = trial.forgotten or event.reason
                self._rebuild()
            case ev.RunPaused():
                state.paused = True
                if state.phase is Phase.ACTIVE:
                    state.phase = next_phase(state.phase, Turn.PAUSED)
            case ev.RunContinued():
                state.paused = False
                if state.phase is Phase.PAUSED:
                    state.phase = next_phase(state.phase, Turn.CONTINUED)
        # A run that had ended may have something to do again, or nothing any more after all.
        if state.phase is Phase.FINISHED and state.ending not in RESUMABLE - {AMENDED}:
            state.ending = why_over(state) or AMENDED
        elif state.phase is Phase.DRAINING and state.ending not in RESUMABLE and not gain_spent(state):
            # There may be something to gain after all: only what the model said ends a run and lets it drain.
            state.ending = OPTIMISER_FAILED if state.ended_badly else AMENDED
            if not state.ended_badly:
                self._take_up()

    def _withdraw(self, trial: Trial) -> None:
        self.state.withdrawn += 1
        self._settle(trial, Cause.PUT_OUT_OF_BOUNDS, outside_words(self.state.bounds, trial.parameters))

    def _rebuild(self) -> None:
        """The optimiser begins anew and is told, in the old order, what still counts."""
        state = self.state
        state.model += 1
        state.refits, state.asking, state.exhausted, state.gains = 0, None, False, ()
        self._commands.append(Rebuild(model=state.model, bounds=state.bounds, trials=state.policy.trials))
        for trial in state.observed:
            if state.counts(trial):
                self._tell(trial)
        state.best, state.since_best = standing(state)

    # -- results --------------------------------------------------------------------------------------

    def _result_arrived(self, event: ev.ResultArrived) -> None:
        trial = self._unsettled_trial(event.lease)
        counts = trial is not None and self.state.takes(event)
        self._commands.append(Acknowledge(worker=event.worker, lease=event.lease, counted=counts))
        if trial is None or not counts:
            self.state.late += 1
            return
        trial.value, trial.variance, trial.factors = event.value, event.variance, event.factors
        trial.extras, trial.elapsed = event.extras, event.elapsed
        self.state.pace.evaluated(event.elapsed)
        sender = self.state.workers.get(event.worker)
        if sender is not None:
            sender.completed += 1
        if trial.lease == event.lease:
            # The worker that finished it has nothing left to cancel.
            self._release(trial)
        self._settle(trial, Cause.SUCCEEDED, "")

    def _failure_arrived(self, event: ev.FailureArrived) -> None:
        trial = self._unsettled_trial(event.lease)
        live = trial is not None and trial.lease == event.lease and self.state.takes(event)
        self._commands.append(Acknowledge(worker=event.worker, lease=event.lease, counted=live))
        if not live:
            self.state.late += 1
            return
        sender = self.state.workers.get(event.worker)
        if sender is not None:
            sender.failed += 1
        self._give_back(event.lease, failure=f"{event.kind}: {event.message}")

    def _trial_found_hopeless(self, event: ev.TrialFoundHopeless) -> None:
        trial = self._unsettled_trial(event.lease)
        if trial is not None and trial.lease == event.lease:
            self._settle(trial, Cause.FOUND_HOPELESS, event.reason)

    def _settle(self, trial: Trial, cause: Cause, message: str) -> None:
        """Move a trial to its end, tell the optimiser, and call off whoever still works on it."""
        state = self.state
        if trial.state is TrialState.QUEUED:
            state.queue.remove(trial.number)
        self._call_off(trial, message or "the trial is settled")
        self._release(trial)
        trial.state = next_trial_state(trial.state, cause)
        trial.settled_at, trial.message = state.at, message
        del state.unsettled[trial.number]
        match trial.state:
            case TrialState.COMPLETED:
                state.completed += 1
            case TrialState.FAILED:
                state.failed += 1
                state.broken += cause is Cause.EXHAUSTED
            case _:
                state.abandoned += 1
        if trial.state is not TrialState.ABANDONED:
            self._observe(trial)

    def _observe(self, trial: Trial) -> None:
        state = self.state
        state.observed.append(trial)
        if state.counts(trial):
            state.best, state.since_best = compare(state.policy, state.best, state.since_best, trial)
            self._tell(trial)

    def _tell(self, trial: Trial) -> None:
        self._commands.append(
            Tell(
                trial=trial.number,
                parameters=trial.parameters,
                value=trial.value,
                variance=trial.variance,
                factors=trial.factors,
            )
        )
