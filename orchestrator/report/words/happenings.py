"""What an event says to a person, in a sentence: for the last events on the screen and for plain lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from orchestrator.report.words.wording import counted, duration, first_line, number, number_beside
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import Amendment
from orchestrator.scheduler.comparison_events import ComparisonTakenBack, ComparisonTold, TrialCarriedOut
from orchestrator.scheduler.file_events import FilesEdited
from orchestrator.scheduler.gain import expectation_words, expected
from orchestrator.scheduler.job_events import JobCalledOff, JobEnded, JobSentHome, JobSubmitted
from orchestrator.scheduler.leases import own_leases, trial_of
from orchestrator.scheduler.mending_events import JournalMended
from orchestrator.scheduler.reference_events import ReferenceMeasured
from orchestrator.scheduler.time_events import TimeOfDayMoved, TimeRanOut
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.scheduler.words.job_words import job_sentence
from orchestrator.scheduler.words.story import (
    amendment_sentence,
    left_out_words,
    otherwise_evaluated,
    said_to_all,
)

Tone: TypeAlias = Literal["plain", "good", "bad", "faint"]

SLOW_ASK_S = 1.0
"""An answer of the optimiser that took longer is worth a line."""


@dataclass(frozen=True, slots=True)
class Happening:
    """A sentence, when it was true, in seconds since the run began, and how it should sound."""

    at: float
    sentence: str
    tone: Tone = "plain"


class Taken(NamedTuple):
    """What an event changed: the trials that it settled, and whether one of them is the best so far.

    ``best_before`` is the best value before them, if there was one. ``again``: it is of a worker that joined,
    and was there already. Of several objectives, ``objectives`` are those of the result in words, and
    ``improved`` says that a trial is a new trade-off. ``lacking`` is what keeps a result from being the best,
    in words, if anything but its value does. ``late``: it is a failure from which nothing follows.
    ``valueless``: what became of the trial of a late result, where that would be its only value.
    ``beside_threshold``: the run looks for where a value crosses one.
    """

    settled: Sequence[Trial]
    improved: bool
    best_before: float | None
    again: bool = False
    objectives: str = ""
    lacking: str = ""
    late: bool = False
    valueless: str = ""
    beside_threshold: bool = False

    def value_words(self, value: float) -> str:
        """What a result brought, in digits that tell it from the best one before it."""
        return self.objectives or number_beside(value, self.best_before)

    @property
    def praise(self) -> str:
        """What is to be said of a result that improved on those before it, or could not; else nothing."""
        if self.lacking:
            return f", {self.lacking}"
        if not self.improved:
            return ""
        return ", a new trade-off" if self.objectives else ", the best so far"


def happenings(event: ev.Event, taken: Taken) -> list[Happening]:
    """The sentences of one event, none where it is routine."""
    mentioned: int | None = None
    verdicts = ev.ResultArrived | ev.FailureArrived | ev.TrialFoundHopeless | ev.TrialFoundUnlikely
    if isinstance(event, verdicts):
        mentioned = trial_of(event.lease)
    elif isinstance(event, ev.TrialRefused):
        mentioned = event.trial
    return _of_event(event, taken) + settled_beside(event.at, taken, mentioned)


def settled_beside(at: float, taken: Taken, mentioned: int | None) -> list[Happening]:
    """The sentences of the trials that an event settled beside the one that it is about."""
    said: list[Happening] = []
    failed = [t for t in taken.settled if t.state is TrialState.FAILED and t.number != mentioned]
    for trial in failed[:5]:
        said.append(Happening(at, f"trial {trial.number} failed: {first_line(trial.message)}", "bad"))
    abandoned = sum(trial.state is TrialState.ABANDONED for trial in taken.settled)
    if abandoned:
        said.append(Happening(at, f"{counted(abandoned, 'trial')} abandoned", "faint"))
    return said


def carried_out_words(event: ev.ResultArrived) -> str:
    """Of a trial that people compare, which a worker made."""
    return f"trial {trial_of(event.lease)} was carried out by {event.worker}, for people to compare"


def _still_held(own: int, foreign: int) -> str:
    """What a worker that joins has in hand, of this run and of another."""
    if not foreign:
        return f", still working on {counted(own, 'trial')}" if own else ""
    others = f"{foreign:,}" if own else counted(foreign, "trial")
    return f", still working on {counted(own, 'trial') + ' and on ' if own else ''}{others} of another run"


def _of_result(event: ev.ResultArrived, taken: Taken) -> tuple[str, Tone]:
    trial = trial_of(event.lease)
    value = "a result" if event.value is None else taken.value_words(event.value)
    if taken.valueless:
        late = f"too late to count: it is {taken.valueless}; recorded"
        return f"{event.worker} sent {value} for trial {trial}, {late}", "plain"
    if not any(one.number == trial for one in taken.settled):
        return f"{event.worker} sent a late result of trial {trial}, recorded", "faint"
    if event.value is None:
        return carried_out_words(event), "plain"
    return f"trial {trial}: {value}{taken.praise}", "good" if taken.improved else "plain"


def _of_failure(event: ev.FailureArrived, taken: Taken) -> tuple[str, Tone]:
    trial = trial_of(event.lease)
    if taken.late:
        return f"{event.worker} sent a late failure of trial {trial}, recorded", "faint"
    for_good = any(one.number == trial for one in taken.settled)
    ending = "failed for good" if for_good else "failed, to be tried again"
    return f"trial {trial} {ending}: {event.kind}: {event.message}", "bad"


def _of_event(event: ev.Event, taken: Taken) -> list[Happening]:
    def say(sentence: str, tone: Tone = "plain") -> list[Happening]:
        return [Happening(event.at, first_line(sentence), tone)]

    if isinstance(event, Amendment):
        return say(amendment_sentence(event))
    match event:
        case ev.RunStarted():
            known = f" with {counted(len(event.known), 'known result')}" if event.known else ""
            return say(f"the run began{known}")
        case ev.RunResumed():
            return say(
                f"the run was resumed{otherwise_evaluated(event)}", "bad" if event.changed else "plain"
            )
        case ev.WorkerJoined() if not taken.again:
            held = _still_held(len(own_leases(event)), len(event.foreign))
            drains = ", taking nothing more" if event.draining else ""
            return say(f"{event.worker} joined{held}{drains}")
        case (
            ev.WorkerBeganDraining()
            | ev.TrialApproved()
            | TrialCarriedOut()
            | ComparisonTold()
            | ComparisonTakenBack()
            | TimeOfDayMoved()
            | TimeRanOut()
            | ReferenceMeasured()
        ):
            return say(said_to_all(event))
        case JobSubmitted() | JobEnded() | JobCalledOff() | JobSentHome():
            return say(job_sentence(event))
        case ev.TrialRefused() | ev.OptimiserFailed() | FilesEdited():
            return say(said_to_all(event), "bad")
        case ev.WorkerLeft():
            reason = f": {event.reason}" if event.reason else ""
            if event.lost:
                return say(f"{event.worker} was lost{reason}", "bad")
            return say(f"{event.worker} left{reason}")
        case ev.SuggestionsMade() if event.left_out:
            return say(left_out_words(event.left_out), "bad")
        case ev.SuggestionsMade() if event.seconds >= SLOW_ASK_S:
            count = counted(len(event.suggestions), "point")
            return say(f"the optimiser chose {count} in {duration(event.seconds)}", "faint")
        case ev.ResultArrived():
            return say(*_of_result(event, taken))
        case ev.FailureArrived():
            return say(*_of_failure(event, taken))
        case ev.LeaseExpired():
            tone: Tone = "bad" if event.counts else "plain"
            return say(f"trial {trial_of(event.lease)} was taken back: {event.reason}", tone)
        case ev.TrialFoundHopeless():
            return say(f"trial {trial_of(event.lease)} {event.reason}", "bad")
        case ev.TrialFoundUnlikely():
            return say(f"trial {trial_of(event.lease)} {event.reason}")
        case ev.RefitFinished():
            seconds = f" in {duration(event.seconds)}" if event.seconds else ""
            return say(f"refit {event.number} from {counted(event.observations, 'result')}{seconds}", "faint")
        case ev.RemainingGainEstimated():
            left = number(expected(event), 3)
            return say(expectation_words(left, beside_threshold=taken.beside_threshold), "faint")
        case JournalMended():
            saved = counted(sum(one.value is not None for one in event.trials), "value")
            lost = "".join(f"; lost: {sentence}" for sentence in event.lost_amendments)
            return say(
                f"the journal was mended: {counted(event.lost, 'line')} lost, {saved} saved{lost}", "bad"
            )
        case ev.StopRequested():
            reason = f": {event.reason}" if event.reason else ""
            return say(f"asked to stop{' now' if event.now else ''}{reason}")
        case _:
            return []
