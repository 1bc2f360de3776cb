"""The names of leases: one attempt at one trial each."""

from __future__ import annotations

from orchestrator.scheduler.events import WorkerJoined


def lease_name(trial: int, attempt: int) -> str:
    """A lease is one attempt at one trial, and is named for both."""
    return f"{trial}.{attempt}"


def trial_of(lease: str) -> int | None:
    """The trial that a lease is for; None if it is not the name of a lease."""
    number, dot, attempt = lease.partition(".")
    if dot and number.isascii() and number.isdigit() and attempt.isascii() and attempt.isdigit():
        return int(number) if max(len(number), len(attempt)) < 19 else None
    return None


def was_given(lease: str, trial: int, attempts: int) -> bool:
    """Whether a lease is one of the first ``attempts`` at a trial."""
    attempt = int(lease.partition(".")[2])
    return 1 <= attempt <= attempts and lease == lease_name(trial, attempt)


def own_leases(joined: WorkerJoined) -> tuple[str, ...]:
    """Those of this run among the leases that a worker still works on."""
    return tuple(lease for lease in joined.held if lease not in joined.foreign)
