"""What people are told of a run's jobs: each refusal, each end in vain, and whether it goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from orchestrator.runtime.monitor import Level
from orchestrator.runtime.said_seldom import next_said_at
from orchestrator.scheduler.job_events import (
    JobCalledOff,
    JobEnded,
    JobEvent,
    JobRefused,
    JobSentHome,
    JobSubmitted,
)
from orchestrator.scheduler.job_fates import ADVICE, FAILED, HELD, amiss
from orchestrator.scheduler.job_keeping import QueuePatience, given_up, next_at
from orchestrator.scheduler.state import State
from orchestrator.scheduler.words.job_words import job_sentence


@dataclass(slots=True)
class JobNotes:
    """``say`` tells people, ``log`` writes down alone. What jobs print lies in ``outputs``."""

    say: Callable[[Level, str], None]
    log: Callable[[Level, str], None]
    outputs: Path
    patience: QueuePatience
    _say_amiss_at: dict[str, int] = field(init=False, default_factory=dict)
    _in_vain_at: float = field(init=False, default=0.0)
    _refusal: str = field(init=False, default="")
    _say_refused_at: int = field(init=False, default=1)
    _not_taken_back: int = field(init=False, default=0)

    def heard(self, event: JobEvent, state: State) -> None:
        """An event is on disk, and handled."""
        sentence = job_sentence(event)
        match event:
            case JobRefused() if not state.end.why:
                self._refused(event, state, sentence)
            case JobSubmitted() if not event.job and not state.end.why:
                self.say("warning", f"{sentence}; it counts as one until it is known")
            case JobSentHome() if not _goes(event, state):
                # It was given something in the last moment.
                pass
            case JobSubmitted() | JobEnded() | JobCalledOff() | JobSentHome() | JobRefused():
                self.log("info", sentence)
        before, self._in_vain_at = self._in_vain_at, state.jobs.in_vain_at
        if not isinstance(event, JobEnded):
            return
        kind = amiss(event.how, event.said)
        # What happens to each of many is said ever more seldom; several may have ended at once.
        count = state.jobs.amiss.get(kind, 0)
        is_to_be_said = count >= self._say_amiss_at.get(kind, next_said_at(0))
        if is_to_be_said:
            self._say_amiss_at[kind] = next_said_at(count)
        if state.jobs.in_vain and state.jobs.in_vain_at > before:
            self._ended_in_vain(event, state, kind)
        elif is_to_be_said:
            times = f", as {count} did by now" if count > 1 else ""
            self.say("warning", f"job {event.number} ended: {event.how}{times}; {ADVICE[kind]}")

    def not_taken_back(self, why: str) -> None:
        """The queue did not drop what it was to drop, or did not know one that had ended by then."""
        self._not_taken_back += 1
        said = self._not_taken_back == next_said_at(self._not_taken_back - 1)
        sentence = f"jobs could not be taken back, unless they had ended: {why}"
        (self.say if said else self.log)("warning", sentence)

    def not_found(self, names: Mapping[int, str], *, named: bool) -> None:
        """At the end nobody knows whether the queue has these jobs, by the numbers of the run; ``named``: it
        would list them by their names.
        """
        one = len(names) == 1
        they, them, by_name = ("it", "it", "that name") if one else ("they", "them", "these names")
        which = names.values() if named else [f"job {number}" for number in names]
        self.say(
            "warning",
            f"whether the queue has {', '.join(which)} is not known; if so, {they} will leave where nobody"
            f" answers: look for {by_name if named else them}, and take {them} back by hand",
        )

    def _refused(self, event: JobRefused, state: State, sentence: str) -> None:
        wait = next_at(state, self.patience) - event.at
        sentence = f"{sentence}; it is tried again in {wait:.0f} s"
        if event.message != self._refusal:
            self._refusal, self._say_refused_at = event.message, 1
        if state.jobs.refused >= self._say_refused_at:
            self._say_refused_at = next_said_at(state.jobs.refused)
            self.say("warning", sentence)
        else:
            self.log("warning", sentence)

    def _ended_in_vain(self, event: JobEnded, state: State, kind: str) -> None:
        last = f"it printed last: {event.said}" if event.how and event.said else event.said
        known = [event.how, "" if kind == FAILED else ADVICE.get(kind, ""), last]
        why = "; ".join(filter(None, known))
        printed = f": {why}" if why else ""
        if not event.said and kind != HELD:
            printed += f"; what it printed, if anything, is in {self.outputs}"
        if given_up(state):
            self.say(
                "error",
                f"{state.jobs.in_vain} times in a row jobs ended before a worker of theirs had done anything,"
                f" the last{printed}; no more are submitted. Try the script by hand, mend it, then have more"
                " submitted: orchestrator amend --jobs N, or stop the run and resume it; workers that come"
                " otherwise are welcome meanwhile",
            )
            return
        wait = next_at(state, self.patience) - event.at
        self.say(
            "warning",
            f"job {event.number} ended before its worker had done anything{printed}; one more is submitted"
            f" in {max(0.0, wait):.0f} s",
        )


def _goes(event: JobSentHome, state: State) -> bool:
    """Whether a job's worker is to leave."""
    job = state.jobs.known.get(event.number)
    worker = None if job is None else state.crew.workers.get(job.worker)
    return worker is None or worker.draining
