"""Which jobs are submitted, have ended, are taken back or go home, by how the queue says they stand.

Pure: of the state, what the queue listed and the time alone. What runs the commands is the runtime's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from orchestrator.scheduler.comparisons import uncompared
from orchestrator.scheduler.job_events import (
    JobAsked,
    JobCalledOff,
    JobEnded,
    JobEvent,
    JobSentHome,
    JobSubmitted,
)
from orchestrator.scheduler.job_fates import held_words
from orchestrator.scheduler.job_lists import Listing
from orchestrator.scheduler.job_numbers import jobs_wanted, jobs_wanted_now
from orchestrator.scheduler.jobs import Job
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import UNDER_WAY, Phase

MOST_DOUBLED = 30
CALLED_OFF_MOST_DOUBLED = 6
IN_VAIN_MOST = 6
"""After jobs came to nothing so often in a row none is submitted any more in this life."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuePatience:
    """For how long what is waited for, in seconds.

    ``listed_s``: until a job that was submitted is listed. ``missed_s``: for how long one is listed no more
    until it is taken for ended, and ``empty_s`` where nothing at all is listed, unless the queue says how it
    ended. ``found_s``: until a job is listed by its name of which nobody heard more; the command that
    submitted it may have gone on by itself. ``doubted_s``: how long one counts that nobody knows the number
    nor the name of. ``in_vain_s``: until the next job, after some came to nothing, doubled each time;
    ``refused_s``: likewise after the queue took none, up to ``refused_most_s``. ``called_off_s``: until the
    queue is told again to drop one that it lists still, doubled up to an hour or so. ``asked_s``: from one
    look at the queue to the next, and ``asked_soon_s`` where something is to be expected. ``command_s``: how
    long a command may take, ``told_s`` one that asks how a job ended, and ``ending_s`` all that is to be done
    at the end, of which a command under way may take ``last_s``.
    """

    listed_s: float = 10.0
    missed_s: float = 20.0
    empty_s: float = 90.0
    found_s: float = 90.0
    doubted_s: float = 3_600.0
    in_vain_s: float = 30.0
    refused_s: float = 15.0
    refused_most_s: float = 900.0
    called_off_s: float = 60.0
    asked_s: float = 30.0
    asked_soon_s: float = 10.0
    command_s: float = 60.0
    told_s: float = 10.0
    ending_s: float = 30.0
    last_s: float = 8.0


@dataclass(frozen=True, slots=True)
class JobRule:
    """What a spec says of jobs, and where their workers dial. ``named``: the queue is told their names, which
    begin with ``name``, and lists them. ``idle_s``: after so long without work a worker goes home.
    """

    at_most: int
    name: str
    address: str
    named: bool = True
    idle_s: float = math.inf
    patience: QueuePatience = QueuePatience()


def given_up(state: State) -> bool:
    """Whether jobs came to nothing so often that none is submitted any more."""
    return state.jobs.in_vain >= IN_VAIN_MOST


def next_at(state: State, patience: QueuePatience) -> float:
    """Before which time of the run no job is submitted, after some came to nothing or were refused."""
    jobs, due = state.jobs, -math.inf
    if jobs.in_vain:
        due = jobs.in_vain_at + patience.in_vain_s * 2 ** (jobs.in_vain - 1)
    if jobs.refused:
        wait = patience.refused_s * 2 ** min(jobs.refused - 1, MOST_DOUBLED)
        due = max(due, jobs.refused_at + min(patience.refused_most_s, wait))
    return due


def most_jobs(state: State, rule: JobRule) -> int:
    """How many there may be at a time: what a person said last of it, else what the spec says."""
    return rule.at_most if state.jobs.at_most is None else state.jobs.at_most


def to_submit(state: State, rule: JobRule, now: float) -> JobAsked | None:
    """The job that is to be submitted next, if one is: one after the other, so that a life leaves one at most
    that nobody heard of; and after some came to nothing, one to see whether it does.
    """
    jobs = state.jobs
    if jobs.under_way is not None or given_up(state) or now < next_at(state, rule.patience):
        return None
    if jobs.in_vain and any(job.joined_at is None for job in jobs.known.values()):
        return None
    if len(jobs.known) >= jobs_wanted_now(state, most_jobs(state, rule)):
        return None
    taken = {job.worker for job in jobs.known.values()} | set(state.crew.workers)
    free = (name for place in range(1, 2 * len(taken) + 2) if (name := f"job-{place}") not in taken)
    number = jobs.asked + 1
    return JobAsked(
        at=now, number=number, worker=next(free), name=f"{rule.name}-{number}", address=rule.address
    )


def to_ask_after(state: State, listing: Listing) -> Iterator[Job]:
    """The jobs of which the queue is to say how they ended: it listed them no more, and their workers are not
    there.
    """
    for job in state.jobs.known.values():
        if job.number in listing.missed and job.job and not job.here and job.number not in listing.fates:
            yield job


def heard(state: State, rule: JobRule, listing: Listing, now: float) -> Iterator[JobEvent]:
    """What the queue's list says of jobs: which have ended, and what those are called that nobody knew."""
    for job in state.jobs.known.values():
        listed = listing.of(job)
        if job.heard_at is None or (job.here and job.job):
            continue
        if job.job:
            if listed is None and _has_ended(job, rule.patience, listing):
                fate = listing.fates.get(job.number)
                how = held_words(job.stuck) if job.stuck else "" if fate is None else fate.how
                yield JobEnded(at=now, number=job.number, how=how)
        elif listed is not None:
            yield JobSubmitted(at=now, number=job.number, job=listed.job)
        elif not job.here and _is_no_more(job, rule, listing, now):
            yield JobEnded(at=now, number=job.number)


def _has_ended(job: Job, patience: QueuePatience, listing: Listing) -> bool:
    """Whether one that is not listed has ended: the queue says so, or says nothing of it, and no list has it
    for a while. One list without it is enough where its worker has left, or it was taken back, and others
    are listed.
    """
    if job.number not in listing.fates:
        # It is to be asked after first, so that it is known how it ended.
        return False
    fate = listing.fates[job.number]
    return _is_missed(job, patience, listing) if fate is None else fate.over


def _is_missed(job: Job, patience: QueuePatience, listing: Listing) -> bool:
    since = listing.missed.get(job.number)
    if since is None:
        return False
    is_to_be_gone = job.joined_at is not None or job.called_off_at is not None
    if is_to_be_gone and not listing.empty:
        return True
    wait = patience.empty_s if listing.empty and not is_to_be_gone else patience.missed_s
    return listing.asked_at - since >= wait


def _is_no_more(job: Job, rule: JobRule, listing: Listing, now: float) -> bool:
    """Whether one in doubt is not there, as far as can be told: its worker left, or it should be listed."""
    assert job.heard_at is not None
    if job.joined_at is not None and job.joined_at >= job.asked_at:
        return True
    if rule.named:
        late = listing.asked_at - job.heard_at >= rule.patience.found_s
        return late and _is_missed(job, rule.patience, listing)
    return now - job.heard_at >= rule.patience.doubted_s


def to_send_home(state: State, rule: JobRule, now: float) -> Iterator[JobSentHome]:
    """The jobs whose workers go home: those that have had nothing to do for long, as nothing waits nor is
    made for them; and those beyond what there may be, once they have finished what they are at, first those
    that are at nothing, then the ones that came last.
    """
    if state.phase not in UNDER_WAY:
        return
    workers = state.crew.workers
    here = [job for job in state.jobs.known.values() if job.here and not workers[job.worker].draining]
    excess = max(0, len(here) - most_jobs(state, rule))
    here.sort(key=lambda job: (bool(workers[job.worker].running), -(job.joined_at or 0.0)))
    for place, job in enumerate(here):
        idle_s = _nothing_to_do_s(state, job, now)
        if idle_s >= rule.idle_s:
            yield JobSentHome(at=now, number=job.number, idle_s=idle_s)
        elif place < excess:
            yield JobSentHome(at=now, number=job.number)


def _nothing_to_do_s(state: State, job: Job, now: float) -> float:
    """For how long a job's worker has had nothing to do; 0 where something may come for it any moment, as
    what waits for a person, or for the optimiser.
    """
    worker = state.crew.workers[job.worker]
    waits = (
        state.optimiser.asking is not None
        or bool(uncompared(state))
        or any(state.trials[number].slots <= worker.slots for number in state.waiting.queue)
    )
    if worker.idle_since is None or (waits and state.phase is Phase.ACTIVE):
        return 0.0
    return now - worker.idle_since


def to_call_off(state: State, rule: JobRule, listing: Listing, now: float) -> Iterator[JobCalledOff]:
    """The jobs that wait in vain: there is no work for so many, the last first, the queue will not let them
    begin, or they would dial where the run is not any more. Where it ends, all whose workers never came.
    """
    for job in _in_vain(state, rule, listing):
        wait = rule.patience.called_off_s * 2 ** min(job.called_off - 1, CALLED_OFF_MOST_DOUBLED)
        if job.called_off_at is None or now - job.called_off_at >= wait:
            yield JobCalledOff(at=now, number=job.number, reason=_why_stuck(listing, job))


def waiting_jobs(state: State, listing: Listing) -> list[Job]:
    """Those that have not begun, as far as is known, or whose workers never came; and what waits again, as it
    was preempted.
    """
    return [
        job
        for job in state.jobs.known.values()
        if job.job and not job.here and (job.joined_at is None or _waits(listing, job))
    ]


def _waits(listing: Listing, job: Job) -> bool:
    listed = listing.of(job)
    return listed is not None and listed.waits


def _in_vain(state: State, rule: JobRule, listing: Listing) -> list[Job]:
    waiting = waiting_jobs(state, listing)
    if state.phase is Phase.PAUSED:
        return []
    if state.phase is not Phase.ACTIVE:
        return waiting
    waiting = [job for job in waiting if _waits(listing, job)]
    lost = [job for job in waiting if job.address != rule.address or _why_stuck(listing, job)]
    others = [job for job in waiting if job not in lost]
    excess = max(0, len(state.jobs.known) - len(lost) - jobs_wanted(state, most_jobs(state, rule)))
    return [*lost, *others[::-1][:excess]]


def _why_stuck(listing: Listing, job: Job) -> str:
    """Why the queue will not let a job begin, in its words; empty where it may."""
    listed = listing.of(job)
    return (listed.reason or listed.state) if listed is not None and listed.stuck else ""
