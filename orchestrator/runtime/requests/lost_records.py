"""What a person recorded while nobody works on a run, and what would have it refused as that is resumed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from orchestrator.errors import UsageError
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.desk import Desk
from orchestrator.runtime.requests.kinds import Decision, Record
from orchestrator.runtime.requests.next_life import resumed
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.machine import Scheduler
from orchestrator.system.shell_lines import shell_line


def refuse_to_lose(folder: RunFolder, scheduler: Scheduler, events: Sequence[Event]) -> None:
    """Raises `UsageError` where ``events``, those of an amendment, would abandon a trial of which a result
    waits: amendments are taken up first, before anything that was recorded.

    ``scheduler`` is as the amendments that were left before have it; it is not changed.
    """
    left = (waiting.request for waiting in Desk(folder).waiting())
    waits = [request for request in left if isinstance(request, Record)]
    abandoned = _abandoned(scheduler, waits, events)
    for request in waits:
        if request.trial in abandoned:
            raise UsageError(
                f"expected an amendment by which no result is lost: one of trial {request.trial} waits to be"
                f" recorded, and this abandons the trial, {abandoned[request.trial]}. Have the result taken"
                f" up first ({shell_line('resume', folder.path)}), and amend then"
            )


def refuse_what_is_lost(requests: Iterable[Decision], folder: RunFolder, scheduler: Scheduler) -> None:
    """Raises `UsageError` for the first result of a trial that is abandoned once the run is resumed."""
    recorded = [request for request in requests if isinstance(request, Record)]
    for number, why in _abandoned(scheduler, recorded).items():
        raise UsageError(
            f"expected a trial that is still to be evaluated, got {number}, which is abandoned once the run"
            f" is resumed: {why}. Amend that first ({shell_line('amend', folder.path, '--help')})"
        )


def _abandoned(
    scheduler: Scheduler, recorded: Iterable[Record], events: Sequence[Event] = ()
) -> dict[int, str]:
    """Why the next life abandons those trials that were recorded, by their numbers."""
    state = scheduler.state
    unsettled = [one.trial for one in recorded if one.trial in state.unsettled]
    if not (unsettled and state.resumable):
        return {}
    ahead = resumed(scheduler)
    for event in events:
        ahead.handle(event)
    trials = ((number, ahead.state.trials[number]) for number in unsettled)
    return {number: trial.message for number, trial in trials if trial.settled}
