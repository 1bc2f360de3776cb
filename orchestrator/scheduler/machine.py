"""The scheduler itself: `handle` takes an event and answers with commands.

No clock, file, socket or randomness: the same events give the same commands, which is what recovery and
the simulated lab rest on. Every move of a trial or of the run goes through the tables in `transitions`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeAlias, get_args

from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import Amendment
from orchestrator.scheduler.commands import Command
from orchestrator.scheduler.comparison_events import ComparisonTakenBack, ComparisonTold, TrialCarriedOut
from orchestrator.scheduler.file_events import FilesEdited
from orchestrator.scheduler.handling.amending import amended
from orchestrator.scheduler.handling.asking import (
    ask_if_short,
    awaits,
    refit_finished,
    remaining_gain_estimated,
    stock_taken,
    suggestions_made,
)
from orchestrator.scheduler.handling.comparing import (
    comparison_taken_back,
    comparison_told,
    hear_of_comparisons,
    trial_carried_out,
)
from orchestrator.scheduler.handling.course import (
    end_if_due,
    files_edited,
    optimiser_failed,
    run_resumed,
    run_started,
    stop_requested,
    time_of_day_moved,
    time_ran_out,
)
from orchestrator.scheduler.handling.crew import (
    lease_expired,
    lease_out,
    worker_began_draining,
    worker_joined,
    worker_left,
)
from orchestrator.scheduler.handling.fitting import refuse_what_fits_nowhere
from orchestrator.scheduler.handling.mending import journal_mended
from orchestrator.scheduler.handling.queueing import (
    job_asked,
    job_called_off,
    job_ended,
    job_refused,
    job_sent_home,
    job_submitted,
)
from orchestrator.scheduler.handling.relating import reference_measured
from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.handling.verdicts import (
    failure_arrived,
    result_arrived,
    trial_approved,
    trial_found_hopeless,
    trial_found_unlikely,
    trial_refused,
)
from orchestrator.scheduler.job_events import (
    JobAsked,
    JobCalledOff,
    JobEnded,
    JobRefused,
    JobSentHome,
    JobSubmitted,
)
from orchestrator.scheduler.leases import trial_under, was_given
from orchestrator.scheduler.mending_events import JournalMended
from orchestrator.scheduler.optimiser import Optimiser
from orchestrator.scheduler.reference_events import ReferenceMeasured
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.state import State
from orchestrator.scheduler.time_events import TimeOfDayMoved, TimeRanOut
from orchestrator.scheduler.transitions import UNDER_WAY, Phase

Handlers: TypeAlias = Mapping[type, Callable[[Step, Any], None]]

HANDLERS: Handlers = {
    ev.RunStarted: run_started,
    ev.RunResumed: run_resumed,
    JournalMended: journal_mended,
    ev.StopRequested: stop_requested,
    TimeOfDayMoved: time_of_day_moved,
    FilesEdited: files_edited,
    JobAsked: job_asked,
    JobSubmitted: job_submitted,
    JobRefused: job_refused,
    JobEnded: job_ended,
    JobCalledOff: job_called_off,
    JobSentHome: job_sent_home,
    TimeRanOut: time_ran_out,
    ev.OptimiserFailed: optimiser_failed,
    ev.WorkerJoined: worker_joined,
    ev.WorkerBeganDraining: worker_began_draining,
    ev.WorkerLeft: worker_left,
    ev.LeaseExpired: lease_expired,
    ev.ResultArrived: result_arrived,
    ev.FailureArrived: failure_arrived,
    ev.TrialFoundHopeless: trial_found_hopeless,
    ev.TrialFoundUnlikely: trial_found_unlikely,
    ev.TrialApproved: trial_approved,
    ev.TrialRefused: trial_refused,
    TrialCarriedOut: trial_carried_out,
    ComparisonTold: comparison_told,
    ComparisonTakenBack: comparison_taken_back,
    ev.SuggestionsMade: suggestions_made,
    ev.RefitFinished: refit_finished,
    ev.RemainingGainEstimated: remaining_gain_estimated,
    ev.StockTaken: stock_taken,
    ReferenceMeasured: reference_measured,
    **dict.fromkeys(get_args(Amendment), amended),
}
"""What follows from each kind of event at once; `Scheduler.handle` adds what follows from how all stands."""


class Scheduler:
    """The state machine of one run.

    Attributes:
        state: what follows from the events handled so far; read it, never write it.
    """

    handlers: ClassVar[Handlers] = HANDLERS

    def __init__(self, policy: Policy) -> None:
        self.state = State(policy=policy, optimiser=Optimiser(fixed=policy.where.held))

    def handle(self, event: ev.Event) -> list[Command]:
        """Take an event in; the commands that follow from it, in the order to perform them."""
        step = Step(self.state)
        self.state.at = event.at
        self.handlers[type(event)](step, event)
        if self.state.phase in UNDER_WAY:
            refuse_what_fits_nowhere(step)
            end_if_due(step)
        if self.state.phase is Phase.ACTIVE:
            lease_out(step)
            ask_if_short(step)
        hear_of_comparisons(step)
        return step.commands

    def was_given(self, lease: str) -> bool:
        """Whether there ever was such a lease, in any life of the run."""
        return was_given(self.state, lease)

    def awaits(self, answer: ev.SuggestionsMade) -> bool:
        """Whether an answer is that to the ask that is under way: any other has no effect."""
        return awaits(self.state, answer)

    def is_repeated(self, outcome: ev.ResultArrived | ev.FailureArrived) -> bool:
        """Whether a worker sends again what was recorded and has no effect any more: a worker may not have
        been told so in time.
        """
        trial = trial_under(self.state, outcome.lease)
        if trial is None or outcome.request or outcome.lease not in trial.attempts.heard:
            return False
        return trial.settled or (isinstance(outcome, ev.FailureArrived) and trial.lease != outcome.lease)

    def holds(self, worker: str, lease: str) -> bool:
        """Whether a lease is live, and a worker's own."""
        known = self.state.crew.workers.get(worker)
        return known is not None and lease in known.running
