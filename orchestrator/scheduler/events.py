"""What happened. Events are the journal: replayed in order they rebuild the scheduler to the letter.

``at`` is in seconds since the run began, across its lives; it never decreases within a life.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

FailureKind: TypeAlias = Literal["error", "timeout", "invalid", "killed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownResult:
    """A value that was known before the run: part of the data, not of the budget."""

    parameters: Mapping[str, Any]
    value: float
    variance: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggested:
    """A point that the optimiser chose.

    ``mean`` and ``deviation`` are what it predicted, in the objective's own sense.
    """

    parameters: Mapping[str, Any]
    mean: float | None = None
    deviation: float | None = None
    why: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted:
    """The first event of every run. ``wall`` is the time of day, in ISO 8601, for people only.

    ``points`` are evaluated before anything is asked; ``known`` is told before anything is asked.
    """

    at: float
    run: str
    wall: str
    points: tuple[Mapping[str, Any], ...] = ()
    known: tuple[KnownResult, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResumed:
    """A new orchestrator took the run over; every connection of the last one is gone."""

    at: float
    wall: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerJoined:
    """A worker said hello and was welcomed. ``held`` are the leases that it still works on.

    ``local`` workers were started by the orchestrator and die with it.
    """

    at: float
    worker: str
    slots: int
    local: bool = False
    held: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerLeft:
    """A worker is gone, and its leases are given back.

    ``lost``: it fell silent, and each of them counts as a failed attempt. Else it said goodbye, or its
    connection broke, which proves nothing against them.
    """

    at: float
    worker: str
    lost: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionsMade:
    """The optimiser answered an ask. Fewer suggestions than asked for: it has no more to give."""

    at: float
    ask: int
    suggestions: tuple[Suggested, ...]
    seconds: float = 0.0
    insight: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimiserFailed:
    """The optimiser could not answer, even when started anew: the run cannot go on."""

    at: float
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultArrived:
    """A worker sent a value, in the objective's own sense. It may be late, or the second of its trial."""

    at: float
    worker: str
    lease: str
    value: float
    variance: float | None = None
    factors: tuple[float, ...] | None = None
    extras: Mapping[str, Any] = field(default_factory=dict)
    elapsed: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureArrived:
    """A worker reports that an attempt gave no value."""

    at: float
    worker: str
    lease: str
    kind: FailureKind
    message: str
    elapsed: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseExpired:
    """A lease is not worked on any more, as far as can be told from here."""

    at: float
    lease: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialApproved:
    """A person let a queued trial go to a worker."""

    at: float
    trial: int
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialRefused:
    """A person will not have a trial evaluated."""

    at: float
    trial: int
    reason: str
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialFoundHopeless:
    """What a running evaluation reported met the spec's ``stop_when``: it is not worth its end."""

    at: float
    lease: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RefitFinished:
    """The optimiser computed new hyperparameters; it adopts them at this place in the order of events."""

    at: float
    number: int
    observations: int
    payload: Mapping[str, Any]
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRanOut:
    """The run has lasted as long as its budget allows."""

    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRequested:
    """A person or a signal asked to stop: ``now``, or when what runs has finished."""

    at: float
    now: bool
    reason: str = ""


Event: TypeAlias = (
    RunStarted
    | RunResumed
    | WorkerJoined
    | WorkerLeft
    | SuggestionsMade
    | OptimiserFailed
    | ResultArrived
    | FailureArrived
    | LeaseExpired
    | TrialApproved
    | TrialRefused
    | TrialFoundHopeless
    | RefitFinished
    | TimeRanOut
    | StopRequested
)
