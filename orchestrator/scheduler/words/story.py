"""The story of a trial, or of a run, in sentences: what a failing test prints and a person reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from orchestrator.scheduler import events as ev
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
from orchestrator.scheduler.commands import Acknowledge, CancelLease, Command, Evaluate
from orchestrator.scheduler.comparison_events import ComparisonTakenBack, ComparisonTold, TrialCarriedOut
from orchestrator.scheduler.event_parts import PartLeftOut
from orchestrator.scheduler.file_events import FilesEdited
from orchestrator.scheduler.gain import expectation_words, expected
from orchestrator.scheduler.job_events import JobEvent
from orchestrator.scheduler.leases import trial_of, trial_under
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.mending_events import JournalMended
from orchestrator.scheduler.reference_events import ReferenceMeasured
from orchestrator.scheduler.rules.added_candidates import more_words
from orchestrator.scheduler.rules.amended_constraints import constraint_words
from orchestrator.scheduler.rules.amended_values import values_words
from orchestrator.scheduler.rules.bounds import bounds_words
from orchestrator.scheduler.rules.budgets import budget_words
from orchestrator.scheduler.rules.places import held_words, place_words
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.state import State
from orchestrator.scheduler.time_events import TimeOfDayMoved, TimeRanOut
from orchestrator.scheduler.words.changes_in_words import amended_changes_words
from orchestrator.scheduler.words.job_words import job_sentence
from orchestrator.scheduler.words.travel_in_words import amended_travel_words, what_of_travel
from orchestrator.scheduler.words.trial_names import trial_names

SaidToAll: TypeAlias = (
    ev.WorkerBeganDraining
    | ev.TrialApproved
    | ev.TrialRefused
    | TrialCarriedOut
    | ComparisonTold
    | ComparisonTakenBack
    | ev.OptimiserFailed
    | TimeOfDayMoved
    | FilesEdited
    | TimeRanOut
    | ReferenceMeasured
)


Comparing: TypeAlias = ComparisonTold | ComparisonTakenBack


def story(policy: Policy, events: Iterable[ev.Event], trial: int | None = None) -> Iterator[str]:
    """Replay events and tell what happened, to one trial or to all; one sentence a line, with its time."""
    scheduler = Scheduler(policy)
    for event in events:
        yield from handled(scheduler, event, trial)


def handled(scheduler: Scheduler, event: ev.Event, trial: int | None = None) -> list[str]:
    """Have an event handled; the part of the story that it makes."""
    before = len(scheduler.state.trials)
    amends = isinstance(event, BoundsAmended | HeldAmended | ConstraintsAmended)
    queued = list(scheduler.state.waiting.queue) if amends else []
    commands = scheduler.handle(event)
    state = scheduler.state
    sentences: list[tuple[int | None, str]] = []
    late = _why_it_does_not_count(commands, state)
    if (said := _sentence(event, late, state.policy)) is not None:
        sentences.append(said)
    for number in range(before + 1, len(state.trials) + 1):
        sentences.append((number, f"trial {number} is made: {dict(state.trials[number].parameters)}"))
    for number in queued:
        if state.trials[number].settled:
            sentences.append((number, f"trial {number} lies {state.trials[number].message}"))
    for command in commands:
        if isinstance(command, Evaluate):
            sentences.append(
                (
                    command.trial,
                    f"trial {command.trial} goes to {command.worker} as lease {command.lease}",
                )
            )
        elif isinstance(command, CancelLease):
            sentences.append(
                (
                    trial_of(command.lease),
                    f"{command.worker} is to stop {command.lease}: {command.reason}",
                )
            )
    # What came late settled nothing, though it may have come in the same moment.
    touched = set() if late else {number for number, _ in sentences if number in state.trials}
    for settled in sorted(number for number in touched if number is not None):
        if state.trials[settled].settled_at == event.at:
            sentences.append((settled, f"trial {settled} is {state.trials[settled].state}"))
    pair = {event.trial, event.other} if isinstance(event, Comparing) else set()
    return [
        f"{event.at:10.3f} s  {sentence}"
        for about, sentence in sentences
        if trial is None or about in (None, trial) or (trial in pair and about in pair)
    ]


def _why_it_does_not_count(commands: Sequence[Command], state: State) -> str:
    """Of a result or failure that came late: why nothing follows from it; else nothing."""
    for command in commands:
        if isinstance(command, Acknowledge) and not command.counted:
            trial = trial_under(state, command.lease)
            if trial is None:
                return ", which does not count: no trial is of that lease"
            if trial.settled:
                return f", which does not count, as trial {trial.number} is {trial.state} already"
            return ", which does not count, as that lease had ended already"
    return ""


def _sentence(event: ev.Event, late: str, policy: Policy) -> tuple[int | None, str] | None:
    """What an event says, and the trial it is about, if it is about one; ``late`` is why it does not
    count, if it does not.
    """
    if isinstance(event, Amendment):
        return None, amendment_sentence(event)
    if isinstance(event, JobEvent):
        return None, job_sentence(event)
    match event:
        case ev.RunStarted():
            return None, f"run {event.run} started at {event.wall}"
        case ev.RunResumed():
            return None, f"resumed at {event.wall}{otherwise_evaluated(event)}"
        case ev.WorkerJoined():
            leases = [f"{one} of another run" if one in event.foreign else one for one in event.held]
            held = f", still working on {', '.join(leases)}" if leases else ""
            drains = ", taking nothing more" if event.draining else ""
            return None, f"{event.worker} joined with {event.slots} slots{held}{drains}"
        case ev.WorkerLeft():
            reason = f": {event.reason}" if event.reason else ""
            return None, f"{event.worker} {'was lost' if event.lost else 'left'}{reason}"
        case ev.ResultArrived():
            sent = "that it is carried out" if event.value is None else repr(event.value)
            return trial_of(event.lease), (
                f"{event.worker} sent {sent} for lease {event.lease}{_by(event.by)}{late}"
            )
        case ev.FailureArrived():
            about = f"for lease {event.lease}{_by(event.by)}{late}{',' if late or event.by else ''}"
            return trial_of(event.lease), f"{event.worker} reports {about} {event.kind}: {event.message}"
        case ev.LeaseExpired():
            return trial_of(event.lease), f"lease {event.lease} expired: {event.reason}"
        case ev.TrialApproved() | ev.TrialRefused() | TrialCarriedOut():
            return event.trial, said_to_all(event)
        case ComparisonTold() | ComparisonTakenBack():
            return max(event.trial, event.other), said_to_all(event)
        case ev.TrialFoundHopeless() | ev.TrialFoundUnlikely():
            return trial_of(event.lease), f"lease {event.lease} is not worth its end: {event.reason}"
        case ev.RefitFinished():
            return None, f"refit {event.number} from {event.observations} results, {event.seconds:.2f} s"
        case ev.RemainingGainEstimated():
            left = f"{expected(event):.3g}"
            expects = expectation_words(left, beside_threshold=policy.sought.threshold is not None)
            return None, f"{expects}, from {event.observations} results"
        case ev.StockTaken():
            return None, f"the optimiser took stock of {event.observations} values"
        case JournalMended():
            lost = f"; lost with them: {'; '.join(event.lost_amendments)}" if event.lost_amendments else ""
            return (
                None,
                f"the journal was mended: {event.lost} lines lost, {len(event.trials)} trials saved{lost}",
            )
        case (
            ev.WorkerBeganDraining()
            | ev.OptimiserFailed()
            | TimeOfDayMoved()
            | FilesEdited()
            | TimeRanOut()
            | ReferenceMeasured()
        ):
            return None, said_to_all(event)
        case ev.StopRequested():
            return None, f"stop requested{' now' if event.now else ''}: {event.reason}"
        case ev.SuggestionsMade():
            return (None, left_out_words(event.left_out)) if event.left_out else None


def otherwise_evaluated(event: ev.RunResumed) -> str:
    """What of a program, or a function, was changed before a run was resumed, behind words that it was."""
    return f", with another `{'`, `'.join(event.changed)}` than before" if event.changed else ""


def left_out_words(left_out: Sequence[PartLeftOut]) -> str:
    """Which parts of points are not tried, and why."""
    return "; ".join(
        f"{place_words(one.part)} is not tried, as the rest cannot be chosen beside it: {one.why}"
        for one in left_out
    )


def said_to_all(event: SaidToAll) -> str:
    """What is said alike in a story and to who watches the run."""
    match event:
        case ev.WorkerBeganDraining():
            return f"{event.worker} finishes what it has and takes nothing more"
        case ev.TrialApproved():
            return f"trial {event.trial} was approved{_by(event.by)}"
        case ev.TrialRefused():
            refused = "refused, and that forgotten" if event.forgotten else "refused"
            return f"trial {event.trial} was {refused}{_by(event.by)}: {event.reason}"
        case TrialCarriedOut():
            return f"trial {event.trial} was carried out{_by(event.by)}"
        case ComparisonTold():
            by = f", says {event.by}" if event.by else ""
            if event.alike:
                return f"trials {event.trial} and {event.other} are alike{by}"
            return f"trial {event.trial} is better than trial {event.other}{by}"
        case ComparisonTakenBack():
            return f"how trials {event.trial} and {event.other} compare was taken back{_by(event.by)}"
        case ev.OptimiserFailed():
            return f"the optimiser failed: {event.message}"
        case TimeOfDayMoved():
            if event.slept_s:
                return (
                    f"the machine slept for {event.slept_s / 60.0:.3g} min, in which the run's clock went on"
                )
            return f"the machine's time of day was set, to {event.wall}: the run's clock goes on as before"
        case FilesEdited():
            return f"`{'`, `'.join(event.changed)}` {'was' if len(event.changed) == 1 else 'were'} edited"
        case TimeRanOut():
            return "the run has lasted as long as it may"
        case ReferenceMeasured():
            return _of_the_reference(event)


def amendment_sentence(event: Amendment) -> str:
    """What a person changed."""
    by, why = _by(event.by), f" ({event.reason})" if event.reason else ""
    match event:
        case BoundsAmended():
            return f"the bounds were amended{by}: {bounds_words(event.bounds)}{why}"
        case HeldAmended():
            return f"what is held was amended{by}: {held_words(event.held, event.freed)}{why}"
        case BlockBegan():
            return f"block {event.block} began{by}{why}"
        case ConstraintsAmended():
            return f"the constraints were amended{by}: {constraint_words(event.added, event.withdrawn)}{why}"
        case CandidatesAdded():
            return f"{more_words(event.columns)} may be tried, added{by}{why}"
        case TravelAmended():
            return f"{what_of_travel(event)} was amended{by}: {amended_travel_words(event)}{why}"
        case ChangesAmended():
            return f"what it takes to change settings was amended{by}: {amended_changes_words(event)}{why}"
        case BudgetAmended():
            return f"the budget was amended{by}: {budget_words(event, event.lifted)}{why}"
        case JobsAmended():
            return f"how many jobs there may be at a time was amended{by}: {event.at_most}{why}"
        case ResultsAdded():
            noun = "result" if len(event.results) == 1 else "results"
            return f"{len(event.results):,} known {noun} added{by}{why}"
        case PointsAdded():
            points = "1 point is" if len(event.points) == 1 else f"{len(event.points):,} points are"
            why = f": {event.reason}" if event.reason else ""
            return f"{points} to be tried next{', wanted' + by if by else ''}{why}"
        case ObservationsForgotten():
            return f"forgotten{by}: {trial_names(event.trials)}, because: {event.reason}"
        case ValuesAmended():
            words = values_words(event.objective, event.output)
            anew = "1 trial has" if len(event.anew) == 1 else f"{len(event.anew):,} trials have"
            return f"how values come of results was amended{by}: {words}; {anew} another one{why}"
        case RunPaused():
            return f"the run was paused{by}{': ' + event.reason if event.reason else ''}"
        case RunContinued():
            return f"the run went on after a pause{by}{why}"


def _of_the_reference(event: ReferenceMeasured) -> str:
    """What limits are relative to by now."""
    if not event.levels:
        return "limits are relative to the reference, of which nothing is known any more"
    has = ", ".join(f"{name} = {level:.6g}" for name, level in event.levels.items())
    return f"limits are relative to the reference, which has {has}"


def _by(name: str) -> str:
    return f" by {name}" if name else ""
