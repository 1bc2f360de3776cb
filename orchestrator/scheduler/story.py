"""The story of a trial, or of a run, in sentences: what a failing test prints and a person reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from orchestrator.scheduler import events as ev
from orchestrator.scheduler.commands import CancelLease, Evaluate
from orchestrator.scheduler.machine import Scheduler, trial_of
from orchestrator.scheduler.policy import Policy


def story(policy: Policy, events: Iterable[ev.Event], trial: int | None = None) -> Iterator[str]:
    """Replay events and tell what happened, to one trial or to all; one sentence a line, with its time."""
    scheduler = Scheduler(policy)
    for event in events:
        before = len(scheduler.state.trials)
        commands = scheduler.handle(event)
        state = scheduler.state
        sentences: list[tuple[int | None, str]] = []
        if (said := _sentence(event)) is not None:
            sentences.append(said)
        for number in range(before + 1, len(state.trials) + 1):
            sentences.append((number, f"trial {number} is made: {dict(state.trials[number].parameters)}"))
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
        touched = {number for number, _ in sentences if number in state.trials}
        for settled in sorted(number for number in touched if number is not None):
            if state.trials[settled].settled_at == event.at:
                sentences.append((settled, f"trial {settled} is {state.trials[settled].state}"))
        for about, sentence in sentences:
            if trial is None or about in (None, trial):
                yield f"{event.at:10.3f} s  {sentence}"


def _sentence(event: ev.Event) -> tuple[int | None, str] | None:
    """What an event says, and the trial it is about, if it is about one."""
    match event:
        case ev.RunStarted():
            return None, f"run {event.run} started at {event.wall}"
        case ev.RunResumed():
            return None, f"resumed at {event.wall}"
        case ev.WorkerJoined():
            held = f", still working on {', '.join(event.held)}" if event.held else ""
            return None, f"{event.worker} joined with {event.slots} slots{held}"
        case ev.WorkerLeft():
            return None, f"{event.worker} {'was lost' if event.lost else 'left'}: {event.reason}"
        case ev.ResultArrived():
            return trial_of(event.lease), f"{event.worker} sent {event.value!r} for lease {event.lease}"
        case ev.FailureArrived():
            return (
                trial_of(event.lease),
                f"{event.worker} reports for lease {event.lease} {event.kind}: {event.message}",
            )
        case ev.LeaseExpired():
            return trial_of(event.lease), f"lease {event.lease} expired: {event.reason}"
        case ev.TrialApproved():
            return event.trial, f"trial {event.trial} was approved{' by ' + event.by if event.by else ''}"
        case ev.TrialRefused():
            return event.trial, f"trial {event.trial} was refused: {event.reason}"
        case ev.TrialFoundHopeless():
            return trial_of(event.lease), f"lease {event.lease} is not worth its end: {event.reason}"
        case ev.RefitFinished():
            return None, f"refit {event.number} from {event.observations} values, {event.seconds:.2f} s"
        case ev.OptimiserFailed():
            return None, f"the optimiser failed: {event.message}"
        case ev.TimeRanOut():
            return None, "the time budget ran out"
        case ev.StopRequested():
            return None, f"stop requested{' now' if event.now else ''}: {event.reason}"
        case ev.SuggestionsMade():
            return None
