"""The two tables of the scheduler: what may become of a trial, and of a run.

What they do not list cannot be.
"""

from __future__ import annotations

from enum import StrEnum


class TrialState(StrEnum):
    """Where a trial is. The last four are settled: only whether there is a value may be found otherwise, by a
    person."""

    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"
    """Before its end, of which all the same something is foreseen."""
    ABANDONED = "abandoned"


class Cause(StrEnum):
    """Why a trial moves."""

    LEASED = "leased"
    READOPTED = "readopted"
    SUCCEEDED = "succeeded"
    GIVEN_BACK = "given back"
    EXHAUSTED = "exhausted"
    REFUSED = "refused"
    TOO_LARGE = "larger than any worker"
    FOUND_HOPELESS = "found hopeless"
    FOUND_UNLIKELY = "found unlikely"
    RUN_STOPPED = "left at the end of the run"
    LEFT_OUT = "left out by what was amended"
    FOUND_USABLE = "found to have a value"
    FOUND_UNUSABLE = "found to have no value"


SETTLED = frozenset({TrialState.COMPLETED, TrialState.FAILED, TrialState.STOPPED, TrialState.ABANDONED})

TRIAL_TRANSITIONS: dict[tuple[TrialState, Cause], TrialState] = {
    (TrialState.QUEUED, Cause.LEASED): TrialState.RUNNING,
    # A worker that was thought lost comes back still working on it.
    (TrialState.QUEUED, Cause.READOPTED): TrialState.RUNNING,
    (TrialState.RUNNING, Cause.SUCCEEDED): TrialState.COMPLETED,
    # The result of an earlier lease arrives before the trial is leased again.
    (TrialState.QUEUED, Cause.SUCCEEDED): TrialState.COMPLETED,
    (TrialState.RUNNING, Cause.GIVEN_BACK): TrialState.QUEUED,
    (TrialState.RUNNING, Cause.EXHAUSTED): TrialState.FAILED,
    (TrialState.RUNNING, Cause.FOUND_HOPELESS): TrialState.FAILED,
    (TrialState.RUNNING, Cause.FOUND_UNLIKELY): TrialState.STOPPED,
    # It is known from behind the damage of a journal.
    (TrialState.QUEUED, Cause.FOUND_UNLIKELY): TrialState.STOPPED,
    (TrialState.QUEUED, Cause.REFUSED): TrialState.FAILED,
    (TrialState.RUNNING, Cause.REFUSED): TrialState.FAILED,
    (TrialState.QUEUED, Cause.TOO_LARGE): TrialState.FAILED,
    (TrialState.QUEUED, Cause.RUN_STOPPED): TrialState.ABANDONED,
    (TrialState.RUNNING, Cause.RUN_STOPPED): TrialState.ABANDONED,
    (TrialState.QUEUED, Cause.LEFT_OUT): TrialState.ABANDONED,
    # Of one that runs, an attempt may finish, and no other is made.
    (TrialState.RUNNING, Cause.LEFT_OUT): TrialState.ABANDONED,
    # What it returned is computed, or read, otherwise.
    (TrialState.FAILED, Cause.FOUND_USABLE): TrialState.COMPLETED,
    (TrialState.COMPLETED, Cause.FOUND_UNUSABLE): TrialState.FAILED,
}


class Phase(StrEnum):
    """Where a run is."""

    WAITING = "waiting"
    """Not begun: only `RunStarted` may come."""
    ACTIVE = "active"
    PAUSED = "paused"
    """Nothing new is started until a person says so; what runs may finish."""
    DRAINING = "draining"
    """Nothing new is started; what runs may finish."""
    FINISHED = "finished"


UNDER_WAY = frozenset({Phase.ACTIVE, Phase.PAUSED, Phase.DRAINING})
"""What runs in these phases, and the run may come to its end."""


class Turn(StrEnum):
    """Why a run moves."""

    STARTED = "started"
    STOPPED = "stopped"
    SETTLED = "settled"
    RESUMED = "resumed"
    PAUSED = "paused"
    CONTINUED = "continued"


RUN_TRANSITIONS: dict[tuple[Phase, Turn], Phase] = {
    (Phase.WAITING, Turn.STARTED): Phase.ACTIVE,
    (Phase.ACTIVE, Turn.STOPPED): Phase.DRAINING,
    (Phase.DRAINING, Turn.STOPPED): Phase.DRAINING,
    (Phase.ACTIVE, Turn.SETTLED): Phase.FINISHED,
    (Phase.DRAINING, Turn.SETTLED): Phase.FINISHED,
    (Phase.DRAINING, Turn.RESUMED): Phase.ACTIVE,
    (Phase.FINISHED, Turn.RESUMED): Phase.ACTIVE,
    (Phase.ACTIVE, Turn.PAUSED): Phase.PAUSED,
    (Phase.PAUSED, Turn.CONTINUED): Phase.ACTIVE,
    (Phase.PAUSED, Turn.STOPPED): Phase.DRAINING,
    (Phase.PAUSED, Turn.SETTLED): Phase.FINISHED,
}


class ImpossibleTransition(AssertionError):
    """The scheduler was about to make a move that its table does not list: a bug in it."""


def next_trial_state(state: TrialState, cause: Cause) -> TrialState:
    """The state a trial moves to. Raises `ImpossibleTransition`."""
    try:
        return TRIAL_TRANSITIONS[state, cause]
    except KeyError:
        raise ImpossibleTransition(f"a {state} trial cannot be {cause}") from None


def next_phase(phase: Phase, turn: Turn) -> Phase:
    """The phase a run moves to. Raises `ImpossibleTransition`."""
    try:
        return RUN_TRANSITIONS[phase, turn]
    except KeyError:
        raise ImpossibleTransition(f"a {phase} run cannot be {turn}") from None
