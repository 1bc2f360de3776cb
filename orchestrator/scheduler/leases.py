"""The names of leases: one attempt at one trial each."""

from __future__ import annotations

import re

from orchestrator.scheduler.events import WorkerJoined
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial

_LEASE = re.compile(r"([0-9]{1,18})\.[0-9]{1,18}")


def lease_name(trial: int, attempt: int) -> str:
    """A lease is one attempt at one trial, and is named for both."""
    return f"{trial}.{attempt}"


def trial_of(lease: str) -> int | None:
    """The trial that a lease is for; None if it is not the name of a lease."""
    named = _LEASE.fullmatch(lease)
    return None if named is None else int(named[1])


def attempt_of(lease: str) -> int:
    """The number of the attempt that a lease is named for."""
    return int(lease.partition(".")[2])


def trial_under(state: State, lease: str) -> Trial | None:
    """The trial that a lease would be of, were it given; None where there is none."""
    return state.trials.get(trial_of(lease) or 0)


def was_given(state: State, lease: str) -> bool:
    """Whether there ever was such a lease, in any life of the run."""
    trial = trial_under(state, lease)
    if trial is None:
        return False
    attempt = attempt_of(lease)
    return 1 <= attempt <= trial.attempts.given and lease == lease_name(trial.number, attempt)


def is_of_another(state: State, lease: str) -> bool:
    """Whether a lease was given to another trial, which had that number before a journal was mended."""
    trial = trial_under(state, lease)
    return trial is not None and attempt_of(lease) <= trial.attempts.not_own


def is_read_otherwise(state: State, lease: str) -> bool:
    """Whether what comes under a lease was read as results are not any more."""
    trial = trial_under(state, lease)
    return trial is not None and attempt_of(lease) <= trial.attempts.read_otherwise


def own_leases(joined: WorkerJoined) -> tuple[str, ...]:
    """Those of this run among the leases that a worker still works on."""
    return tuple(lease for lease in joined.held if lease not in joined.foreign)
