"""Which trials an event settled: what every watcher of a run wants to know first."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.scheduler.amendment_events import PointsAdded
from orchestrator.scheduler.events import (
    Event,
    FailureArrived,
    LeaseExpired,
    ResultArrived,
    RunResumed,
    RunStarted,
    SuggestionsMade,
    TrialFoundHopeless,
    TrialFoundUnlikely,
    TrialRefused,
    WorkerLeft,
)
from orchestrator.scheduler.leases import trial_of
from orchestrator.scheduler.mending_events import JournalMended
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase, TrialState
from orchestrator.scheduler.trial import Trial, is_refused

ABOUT_A_LEASE = (ResultArrived, FailureArrived, LeaseExpired, TrialFoundHopeless, TrialFoundUnlikely)
"""After one of these nothing more is heard of the lease, as far as anybody can tell."""


class Settlements:
    """Follows a run event by event, in constant time for those that come by the thousand.

    The loop makes several events safe at a time and tells of them afterwards, so the state may be ahead
    of the event: a trial is only ever counted with the event that can have settled it.
    """

    def __init__(self) -> None:
        self._open: set[int] = set()
        self._made = 0
        self._phase = Phase.WAITING

    def take(self, event: Event, state: State) -> list[Trial]:
        """The trials that this event settled, in the order of their numbers; ``state`` is not before it."""
        if isinstance(event, RunResumed | JournalMended):
            # The first that is heard of a run that was taken over: what is settled by then was so before.
            self._made = len(state.trials)
            self._open = {trial.number for trial in state.trials.values() if not settled_by(trial, event.at)}
            # What was settled later in the same group may have turned it: any event of it may tell of that.
            ahead = len(self._open) > len(state.unsettled)
            self._phase = Phase.WAITING if ahead else state.phase
            return []
        while self._made < len(state.trials):
            self._made += 1
            self._open.add(self._made)
        turned = state.phase is not self._phase
        # Of what is asked for some may be larger than any worker, where trials take several slots.
        if isinstance(event, SuggestionsMade) and not turned and state.policy.evaluations.slots is None:
            return []
        about = None
        if isinstance(event, ABOUT_A_LEASE):
            about = trial_of(event.lease)
        candidates = sorted(self._open) if turned or about is None else sorted({about} & self._open)
        settled: list[Trial] = []
        for number in candidates:
            trial = state.trials[number]
            if trial.settled and _may_have_settled(event, trial):
                settled.append(trial)
                self._open.remove(number)
        # What ended the run may be an event of the same group that is still to be told of.
        if turned and not any(state.trials[number].settled for number in self._open):
            self._phase = state.phase
        return settled


def trial_of_result(event: Event, settled: Sequence[Trial]) -> Trial | None:
    """The trial that a result is of, if it settled it: one that ends the run settles others as well."""
    if not isinstance(event, ResultArrived):
        return None
    number = trial_of(event.lease)
    return next((trial for trial in settled if trial.number == number), None)


def left_without_value(event: Event, state: State) -> str:
    """What became of the trial of a result that came too late to be its own, where it has no other: failed,
    stopped or abandoned. Else nothing.
    """
    number = trial_of(event.lease) if isinstance(event, ResultArrived) else None
    trial = state.trials.get(number or 0)
    without = trial is not None and trial.settled and trial.state is not TrialState.COMPLETED
    return trial.state.value if trial is not None and without else ""


def came_late(failure: FailureArrived, settled: Sequence[Trial], state: State) -> bool:
    """Whether nothing follows from a failure: its trial, which is none of those that it ``settled``, was
    settled before, or its attempt had ended otherwise, and is not what the trial failed by last.
    """
    trial = state.trials.get(trial_of(failure.lease) or 0)
    if trial is None:
        return True
    counted = trial.message == f"{failure.kind}: {failure.message}"
    return trial not in settled and (trial.settled or not counted)


def settled_by(trial: Trial, at: float) -> bool:
    """Whether a trial was settled at that time of the run: the state may know of what came later."""
    return trial.settled and not (trial.settled_at is not None and trial.settled_at > at)


def _may_have_settled(event: Event, trial: Trial) -> bool:
    """Whether it was this event, and not another of the same group, that settled a trial."""
    if not settled_by(trial, event.at):
        return False
    match trial.state:
        case TrialState.COMPLETED:
            return isinstance(event, ResultArrived) and trial_of(event.lease) == trial.number
        case TrialState.STOPPED:
            return isinstance(event, TrialFoundUnlikely) and event.lease == trial.attempts.last
        case TrialState.FAILED:
            return _may_have_failed(event, trial)
        case _:
            return not (isinstance(event, ResultArrived) and trial_of(event.lease) == trial.number)


def _may_have_failed(event: Event, trial: Trial) -> bool:
    match event:
        case FailureArrived() | LeaseExpired() | TrialFoundHopeless():
            return event.lease == trial.attempts.last
        case WorkerLeft():
            return event.lost and event.worker == trial.worker
        case TrialRefused():
            return event.trial == trial.number
        case SuggestionsMade() | PointsAdded() | RunStarted():
            # It is larger than any worker.
            return trial.attempts.last is None and not is_refused(trial)
        case _:
            return False
