"""What became of the jobs that a run has a cluster's queue start: events as those of `events`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class JobAsked:
    """A job is about to be submitted: on disk before it is, so that it is looked for if nobody heard more.

    Jobs are numbered from 1. Its worker is to be called ``worker``, as that of the job whose place it takes
    was. ``name`` is what the queue is told, where it is told a name, and ``address`` what the worker dials.
    """

    at: float
    number: int
    worker: str
    name: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSubmitted:
    """The queue took a job, and calls it ``job``; empty where it did not say how, or nobody heard it."""

    at: float
    number: int
    job: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRefused:
    """The queue did not take a job."""

    at: float
    number: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobEnded:
    """A job neither waits nor runs any more. ``said`` is the last that it printed, if that is known, and
    ``how`` it ended by the queue's account, if that gives one.
    """

    at: float
    number: int
    said: str = ""
    how: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobCalledOff:
    """A job that waits is to be taken back: there is no work for it, or its worker would dial in vain; or the
    queue keeps it and does not let it begin, for this ``reason``.
    """

    at: float
    number: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSentHome:
    """A job's worker is to leave when it has finished what it is at: it had nothing to do for ``idle_s``, or
    None, and there are more jobs than there may be.
    """

    at: float
    number: int
    idle_s: float | None = None


JobEvent: TypeAlias = JobAsked | JobSubmitted | JobRefused | JobEnded | JobCalledOff | JobSentHome
