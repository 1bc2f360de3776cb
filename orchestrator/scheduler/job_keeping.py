"""How many jobs a run should have in its queue, and what follows from how the queue says they stand.

Pure: of the state, what the queue listed and the time alone. What runs the commands is the runtime's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from orchestrator.scheduler.job_events import JobAsked, JobCalledOff, JobEnded, JobEvent, JobSubmitted
from orchestrator.scheduler.jobs import Job
from orchestrator.scheduler.standing import budget_left
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase

MOST_DOUBLED = 30
CALLED_OFF_MOST_DOUBLED = 6
IN_VAIN_MOST = 6
"""After jobs came to nothing so often in a row none is submitted any more in this life."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuePatience:
    """For how long what is waited for, in seconds.

    ``listed_s``: until a job that was submitted is listed. ``found_s``: likewise one by its name, of which
    nobody heard more; the command that submitted it may have gone on by itself. ``doubted_s``: how long one
    counts that nobody knows the number nor the name of. ``in_vain_s``: until the next job, after some came to
    nothing, doubled each time; ``refused_s``: likewise after the queue took none, up to ``refused_most_s``.
    ``called_off_s``: until the queue is told again to drop one that it lists still, doubled up to an hour or
    so. ``asked_s``: from one look at the queue to the next, and ``asked_soon_s`` where something is to be
    expected. ``command_s``: how long a command may take, and ``ending_s`` all that is to be done at the end.
    """

    listed_s: float = 10.0
    found_s: float = 90.0
    doubted_s: float = 3_600.0
    in_vain_s: float = 30.0
    refused_s: float = 15.0
    refused_most_s: float = 900.0
    called_off_s: float = 60.0
    asked_s: float = 30.0
    asked_soon_s: float = 10.0
    command_s: float = 60.0
    ending_s: float = 20.0


@dataclass(frozen=True, slots=True)
class JobRule:
    """What a spec says of jobs, and where their workers dial. ``named``: the queue is told their names, which
    begin with ``name``, and lists them.
    """

    at_most: int
    name: str
    address: str
    named: bool = True
    patience: QueuePatience = QueuePatience()


@dataclass(frozen=True, slots=True)
class Listed:
    """How a job stands, in the queue's words; ``waits``: it has not begun. ``job`` is its number."""

    job: str
    state: str
    reason: str = ""
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """What the queue listed when it was asked at that time of the run: by numbers of jobs, and by names."""

    asked_at: float = -math.inf
    by_number: Mapping[str, Listed] = field(default_factory=dict)
    by_name: Mapping[str, Listed] = field(default_factory=dict)

    def of(self, job: Job) -> Listed | None:
        """How one stands; None where it is not listed."""
        return self.by_number.get(job.job) if job.job else self.by_name.get(job.name)


def jobs_wanted(state: State, at_most: int) -> int:
    """How many jobs there is work for: what the budget and the mode let run at a time, less what others run,
    as each job's worker takes as many as the last one did.
    """
    if state.phase is not Phase.ACTIVE:
        return 0
    left = 0 if state.exhausted else budget_left(state)
    to_do = math.inf if left is None else len(state.unsettled) + left
    of_jobs = {job.worker for job in state.jobs.known.values()}
    others = sum(worker.capacity for name, worker in state.workers.items() if name not in of_jobs)
    wanted = max(0.0, min(to_do, state.policy.at_a_time) - others) / state.jobs.slots
    return at_most if wanted >= at_most else math.ceil(wanted)


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


def to_submit(state: State, rule: JobRule, now: float) -> JobAsked | None:
    """The job that is to be submitted next, if one is: one after the other, so that a life leaves one at most
    that nobody heard of; and after some came to nothing, one to see whether it does.
    """
    jobs = state.jobs
    if jobs.under_way is not None or given_up(state) or now < next_at(state, rule.patience):
        return None
    if jobs.in_vain and any(job.joined_at is None for job in jobs.known.values()):
        return None
    if len(jobs.known) >= jobs_wanted(state, rule.at_most):
        return None
    taken = {job.worker for job in jobs.known.values()} | set(state.workers)
    free = (name for place in range(1, 2 * len(taken) + 2) if (name := f"job-{place}") not in taken)
    number = jobs.asked + 1
    return JobAsked(
        at=now, number=number, worker=next(free), name=f"{rule.name}-{number}", address=rule.address
    )


def heard(state: State, rule: JobRule, listing: Listing, now: float) -> Iterator[JobEvent]:
    """What the queue's list says of jobs: which have ended, and what those are called that nobody knew."""
    for job in state.jobs.known.values():
        listed = listing.of(job)
        if job.heard_at is None or (job.here and job.job):
            continue
        if job.job:
            if listed is None and listing.asked_at - job.heard_at >= rule.patience.listed_s:
                yield JobEnded(at=now, number=job.number)
        elif listed is not None:
            yield JobSubmitted(at=now, number=job.number, job=listed.job)
        elif not job.here and _is_no_more(job, rule, listing, now):
            yield JobEnded(at=now, number=job.number)


def _is_no_more(job: Job, rule: JobRule, listing: Listing, now: float) -> bool:
    """Whether one in doubt is not there, as far as can be told: its worker left, or it should be listed."""
    assert job.heard_at is not None
    if job.joined_at is not None and job.joined_at >= job.asked_at:
        return True
    if rule.named:
        return listing.asked_at - job.heard_at >= rule.patience.found_s
    return now - job.heard_at >= rule.patience.doubted_s


def to_call_off(state: State, rule: JobRule, listing: Listing, now: float) -> Iterator[JobCalledOff]:
    """The jobs that wait in vain: there is no work for so many, the last first, or they would dial where the
    run is not any more. Where it ends, all whose workers never came.
    """
    for job in _in_vain(state, rule, listing):
        wait = rule.patience.called_off_s * 2 ** max(0, min(job.called_off - 1, CALLED_OFF_MOST_DOUBLED))
        if job.called_off_at is None or now - job.called_off_at >= wait:
            yield JobCalledOff(at=now, number=job.number)


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
    astray = [job for job in waiting if job.address != rule.address]
    others = [job for job in waiting if job.address == rule.address]
    excess = max(0, len(state.jobs.known) - len(astray) - jobs_wanted(state, rule.at_most))
    return [*astray, *others[::-1][:excess]]
