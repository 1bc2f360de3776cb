"""What became of a job, in a sentence, and of those that ended as they should not have."""

from __future__ import annotations

from orchestrator.scheduler.job_events import (
    JobAsked,
    JobCalledOff,
    JobEnded,
    JobEvent,
    JobRefused,
    JobSentHome,
    JobSubmitted,
)
from orchestrator.scheduler.job_fates import ADVICE, amiss
from orchestrator.scheduler.jobs import Jobs


def job_sentence(event: JobEvent) -> str:
    """For stories and for who watches the run."""
    match event:
        case JobAsked():
            return f"job {event.number} is to be submitted, for worker {event.worker}"
        case JobSubmitted() if event.job:
            return f"job {event.number} was submitted: the queue calls it {event.job}"
        case JobSubmitted():
            return f"whether job {event.number} was submitted is not known{_because(event.reason)}"
        case JobRefused():
            return f"job {event.number} was not submitted{_because(event.message)}"
        case JobCalledOff() if event.reason:
            return f"job {event.number} is taken back: the queue holds it, {event.reason}"
        case JobCalledOff():
            return f"job {event.number} is taken back out of the queue"
        case JobEnded():
            printed = f"it printed last: {event.said}" if event.how and event.said else event.said
            # Of one that ended well nobody asks what it said.
            ended_well = event.how and not amiss(event.how, event.said)
            why = event.how if ended_well else "; ".join(filter(None, [event.how, printed]))
            return f"job {event.number} is not in the queue any more{_because(why)}"
        case JobSentHome():
            idle_s = event.idle_s
            why = "is one too many" if idle_s is None else f"has had nothing to do for {_minutes(idle_s)}"
            return f"the worker of job {event.number} {why}, and goes home"


def amiss_words(jobs: Jobs) -> str:
    """How many ended as they should not have, how the last one did, and what to do about it; or nothing."""
    many = sum(jobs.amiss.values())
    if not many:
        return ""
    noun, last = ("1 job", "") if many == 1 else (f"{many} jobs", "the last ")
    return f"{noun} ended badly, {last}as {jobs.last_amiss_how}: {ADVICE[jobs.last_amiss]}"


def _minutes(seconds: float) -> str:
    return f"{seconds / 60.0:.0f} min" if seconds >= 60.0 else f"{seconds:.0f} s"


def _because(words: str) -> str:
    return f": {words}" if words else ""
