"""The names of leases: one attempt at one trial each."""

from __future__ import annotations

import re

from orchestrator.scheduler.events import WorkerJoined

_LEASE = re.compile(r"([0-9]{1,18})\.[0-9]{1,18}")


def lease_name(trial: int, attempt: int) -> str:
    """A lease is one attempt at one trial, and is named for both."""
    return f"{trial}.{attempt}"


def trial_of(lease: str) -> int | None:
    """The trial that a lease is for; None if it is not the name of a lease."""
    named = _LEASE.fullmatch(lease)
    return None if named is None else int(named[1])


def was_given(lease: str, trial: int, attempts: int) -> bool:
    """Whether a lease is one of the first ``attempts`` at a trial."""
    attempt = int(lease.partition(".")[2])
    return 1 <= attempt <= attempts and lease == lease_name(trial, attempt)


def own_leases(joined: WorkerJoined) -> tuple[str, ...]:
    """Those of this run among the leases that a worker still works on."""
    return tuple(lease for lease in joined.held if lease not in joined.foreign)
