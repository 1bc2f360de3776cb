"""What became of a job, in a sentence."""

from __future__ import annotations

from orchestrator.scheduler.job_events import (
    JobAsked,
    JobCalledOff,
    JobEnded,
    JobEvent,
    JobRefused,
    JobSubmitted,
)


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
        case JobCalledOff():
            return f"job {event.number} is taken back out of the queue"
        case JobEnded():
            return f"job {event.number} is not in the queue any more{_because(event.said)}"


def _because(words: str) -> str:
    return f": {words}" if words else ""
