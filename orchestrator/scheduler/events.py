"""What happened. Events are the journal: replayed in order they rebuild the scheduler to the letter.

``at`` is in seconds since the run began, across its lives; it never decreases within a life.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, Literal, TypeAlias

from orchestrator.scheduler.amendment_events import (
    BlockBegan,
    BoundsAmended,
    BudgetAmended,
    CandidatesAdded,
    ChangesAmended,
    ConstraintsAmended,
    HeldAmended,
    JobsAmended,
    ObservationsForgotten,
    PointsAdded,
    ResultsAdded,
    RunContinued,
    RunPaused,
    TravelAmended,
    ValuesAmended,
)
from orchestrator.scheduler.comparison_events import ComparisonTakenBack, ComparisonTold, TrialCarriedOut
from orchestrator.scheduler.event_parts import (
    OF_REFERENCE,
    OF_SPEC,
    Forecast,
    KnownResult,
    PartLeftOut,
    Suggested,
)
from orchestrator.scheduler.file_events import FilesEdited
from orchestrator.scheduler.job_events import JobEvent
from orchestrator.scheduler.mending_events import JournalMended
from orchestrator.scheduler.reference_events import ReferenceMeasured
from orchestrator.scheduler.time_events import TimeOfDayMoved, TimeRanOut
from orchestrator.values.named import Values

FailureKind: TypeAlias = Literal["error", "timeout", "invalid", "killed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted:
    """The first event of every run. ``wall`` is the time of day, in ISO 8601: for people, and for
    a later life to know how long nobody worked on a run with a clock.

    ``points`` are evaluated before anything is asked; ``known`` is told before anything is asked.
    ``costs`` are those of the points, as in `Suggested`; none where each costs 1.
    ``in_turn``: the points keep to the mode as well; in older journals they went to whoever was there.
    ``pays_for_begun``: trials that the run's end leaves before they begin cost no budget; in older journals
    they did. ``takes_back``: a worker that was lost has some time to come back with the last attempt of a
    trial, and what it still works on when it does may finish while the run stops, too; in older journals such
    a trial had failed, or was called off. ``approves_attempts``: a person who approves trials is asked again
    of one that failed and is to be tried again; in older journals it was approved once for all.
    ``spares_the_way``: trials on the way to where a machine may not travel at once cost no patience as they
    come nearer; in older journals they did. ``renewed_by_trials``: patience is renewed by better trials
    alone, and in older journals by better known results that came on the way, too. ``counts_given_back``:
    a trial that workers gave back as they left costs an attempt from the sixth time on, and one that is lost
    after it said that it leaves is as one that left; in older journals neither. ``gives_up_alike``: the run
    stops where evaluations that had succeeded all fail in the same words; in older journals it did not.
    ``evaluated_by`` are the checksums of the files that evaluations are made with, by path; in older journals
    none. ``reference``: the first of the points is the one that the best is measured against, and so are as
    many of them as ``reference_times`` says, which are the same. ``parts`` say some parameters of a point
    each, of which the rest is chosen once the points are under way.
    """

    at: float
    run: str
    wall: str
    points: tuple[Values, ...] = ()
    known: tuple[KnownResult, ...] = ()
    in_turn: bool = False
    costs: tuple[float, ...] = ()
    pays_for_begun: bool = False
    takes_back: bool = False
    approves_attempts: bool = False
    spares_the_way: bool = False
    renewed_by_trials: bool = False
    counts_given_back: bool = False
    gives_up_alike: bool = False
    evaluated_by: Mapping[str, str] = field(default_factory=dict)
    reference: bool = False
    parts: tuple[Values, ...] = ()
    reference_times: int = 1

    def first(self) -> Iterator[Suggested]:
        """The points, each with where it comes from."""
        for i, (parameters, cost) in enumerate(zip(self.points, self.costs or repeat(1.0), strict=False)):
            source = OF_REFERENCE if self.reference and i < self.reference_times else OF_SPEC
            yield Suggested(parameters=parameters, why={"source": source}, cost=cost)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResumed:
    """A new orchestrator took the run over; every connection of the last one is gone.

    ``approves_again``: a person who approves trials is asked again of one that its own death cut short, which
    in older journals went on being approved. ``unattended_s``: how long nobody had worked on it by then, in
    all its lives; 0 in a run without a clock. ``changed`` are those files of `RunStarted.evaluated_by` that
    are not what they were in the life before, with their checksums.
    """

    at: float
    wall: str
    approves_again: bool = False
    unattended_s: float = 0.0
    changed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerJoined:
    """A worker said hello and was welcomed. ``held`` are the leases that it still works on.

    ``foreign`` are those of them that are of another run, which has the same names. ``local`` workers were
    started by the orchestrator and die with it. ``draining`` as in `WorkerBeganDraining`. ``own`` is what
    evaluations have of their own in each of its slots: environment variables by name.
    """

    at: float
    worker: str
    slots: int
    local: bool = False
    held: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    draining: bool = False
    own: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerBeganDraining:
    """A worker said that it finishes what runs and takes nothing more, until it says hello anew."""

    at: float
    worker: str


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
    """The optimiser answered an ask. Fewer suggestions than asked for: it has no more to give.

    ``first_trial`` is the number of the first trial made of it, so that a line says by itself which trials
    it is about, whatever becomes of those before it; 0 where that was not written down. ``left_out`` are
    parts of points beside which nothing could be chosen.
    """

    at: float
    ask: int
    suggestions: tuple[Suggested, ...]
    seconds: float = 0.0
    insight: Mapping[str, Any] = field(default_factory=dict)
    first_trial: int = 0
    left_out: tuple[PartLeftOut, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimiserFailed:
    """The optimiser could not answer, even when started anew: the run cannot go on."""

    at: float
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultArrived:
    """A worker sent a value, in the objective's own sense, or none where people compare what it carried out.
    It may be late, or the second of its trial.

    ``request`` names the request that caused it, where a person did, here and below: none takes effect twice;
    ``by`` is whoever says so, as far as they gave a name.
    ``broken`` are the constraints on outcomes that its ``extras`` do not satisfy; ``curve`` is what it
    reported on its way, (step, value), of a quantity by which others may be stopped, and ``not_finite_at``
    the first step at which that was NaN or infinite. ``own`` is what it had of its own, as in `WorkerJoined`,
    but for the slot that it ran in. ``continued``: it was handed what the trial left that it was to go on
    from.
    """

    at: float
    worker: str
    lease: str
    value: float | None = None
    variance: float | None = None
    factors: tuple[float, ...] | None = None
    extras: Mapping[str, object] = field(default_factory=dict)
    broken: tuple[str, ...] = ()
    elapsed: float = 0.0
    request: str = ""
    curve: tuple[tuple[int, float], ...] = ()
    not_finite_at: int | None = None
    own: Mapping[str, str] = field(default_factory=dict)
    by: str = ""
    continued: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureArrived:
    """A worker reports that an attempt gave no value. ``own`` as in `ResultArrived`; ``extras`` are what it
    told all the same, as a program of Python may.
    """

    at: float
    worker: str
    lease: str
    kind: FailureKind
    message: str
    elapsed: float = 0.0
    request: str = ""
    own: Mapping[str, str] = field(default_factory=dict)
    by: str = ""
    extras: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseExpired:
    """A lease is not worked on any more, as far as can be told from here. ``counts``: as a failed attempt,
    which it does not where its worker says that it never had it. ``waited``: or that it has not begun it, and
    another worker is free, which is to have it.
    """

    at: float
    lease: str
    reason: str
    counts: bool = True
    waited: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialApproved:
    """A person let a queued trial go to a worker."""

    at: float
    trial: int
    by: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialRefused:
    """A person will not have a trial evaluated. ``forgotten``: nothing follows from that."""

    at: float
    trial: int
    reason: str
    by: str = ""
    request: str = ""
    forgotten: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialFoundHopeless:
    """What a running evaluation reported met the spec's ``stop_when``: it is not worth its end."""

    at: float
    lease: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialFoundUnlikely:
    """What a running evaluation reported, its ``curve``, makes it unlikely to end among the best.

    It is not worth its end, of which the ``forecast`` is told in its place.
    """

    at: float
    lease: str
    reason: str
    forecast: Forecast
    curve: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RefitFinished:
    """The optimiser computed new hyperparameters; it adopts them at this place in the order of events.

    ``model`` counts how often the optimiser had begun anew by then: those of an earlier model are no use.
    """

    at: float
    number: int
    observations: int
    payload: Mapping[str, object]
    seconds: float = 0.0
    model: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RemainingGainEstimated:
    """The model said what is left to gain over the best point: equally likely ``draws``, each at least 0.

    After it adopted refit ``refit``, from so many ``observations``. ``model`` as in `RefitFinished`.
    """

    at: float
    refit: int
    observations: int
    draws: tuple[float, ...]
    seconds: float = 0.0
    model: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StockTaken:
    """The optimiser said what it believes, at the end or of comparisons, of so many results. ``model`` as in
    `RefitFinished`.
    """

    at: float
    observations: int
    insight: Mapping[str, Any]
    model: int = 0


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
    | WorkerBeganDraining
    | WorkerLeft
    | SuggestionsMade
    | OptimiserFailed
    | ResultArrived
    | FailureArrived
    | LeaseExpired
    | TrialApproved
    | TrialRefused
    | TrialCarriedOut
    | ComparisonTold
    | ComparisonTakenBack
    | TrialFoundHopeless
    | TrialFoundUnlikely
    | BoundsAmended
    | HeldAmended
    | BlockBegan
    | ConstraintsAmended
    | CandidatesAdded
    | TravelAmended
    | ChangesAmended
    | BudgetAmended
    | JobsAmended
    | ResultsAdded
    | PointsAdded
    | ObservationsForgotten
    | ValuesAmended
    | RunPaused
    | RunContinued
    | RefitFinished
    | RemainingGainEstimated
    | StockTaken
    | ReferenceMeasured
    | JournalMended
    | TimeOfDayMoved
    | FilesEdited
    | JobEvent
    | TimeRanOut
    | StopRequested
)


Decision: TypeAlias = (
    TrialApproved
    | TrialRefused
    | TrialCarriedOut
    | ComparisonTold
    | ComparisonTakenBack
    | ResultArrived
    | FailureArrived
)
"""What a person may say of one trial."""
