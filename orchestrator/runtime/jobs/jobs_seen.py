"""How the jobs of a run stand, counted for whoever looks."""

from __future__ import annotations

from orchestrator.runtime.circumstances import JobsSeen
from orchestrator.scheduler.job_keeping import given_up
from orchestrator.scheduler.job_lists import Listing
from orchestrator.scheduler.state import State
from orchestrator.scheduler.words.job_words import amiss_words


def jobs_seen(state: State, listing: Listing, silent_since: float | None) -> JobsSeen:
    """By what the queue listed last, and what is known besides."""
    running = coming = waiting = doubted = 0
    why: dict[str, int] = {}
    since: float | None = None
    for job in state.jobs.known.values():
        listed = listing.of(job)
        if job.here or (listed is not None and not listed.waits):
            running += 1
            coming += job.joined_at is None
        elif job.joined_at is not None and job.number in listing.missed:
            # Its worker has left, and as a rule the job with it.
            continue
        elif listed is None and (job.in_doubt or job.joined_at is not None):
            doubted += 1
        elif job.called_off_at is None and job.heard_at is not None:
            waiting += 1
            since = job.asked_at if since is None else min(since, job.asked_at)
            if listed is not None and (reason := listed.reason or listed.state):
                why[reason] = why.get(reason, 0) + 1
    jobs, under_way = state.jobs, state.jobs.under_way
    return JobsSeen(
        running=running,
        coming=coming,
        waiting=waiting,
        doubted=doubted,
        why=why,
        waiting_since=since,
        submitting_since=None if under_way is None else under_way.asked_at,
        silent_since=silent_since,
        refused=jobs.refusal,
        given_up=given_up(state),
        last_words=jobs.last_words,
        amiss=amiss_words(jobs),
        amiss_at=jobs.last_amiss_at,
    )
