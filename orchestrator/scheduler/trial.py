"""A trial as the scheduler knows it: the point, its attempts, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from orchestrator.scheduler.attempts import Attempts
from orchestrator.scheduler.event_parts import ADDED, Forecast, Suggested
from orchestrator.scheduler.rules.places import Places
from orchestrator.scheduler.transitions import SETTLED, TrialState
from orchestrator.values.named import Values


@dataclass(slots=True)
class Trial:
    """A point to evaluate, and what became of it. Times are those of the events; None: not yet.

    ``parameters`` and ``cost`` are as ``suggested`` until a worker is given what the clock shows, or the
    trial is withdrawn, which costs 0. ``held`` is what was held when ask ``ask`` was made. ``lease`` is the
    only one that is live, ``worker`` the one that holds or held it. ``forgotten`` is why what became of it is
    not to be believed, ``by`` the person who said what came of it, or that, as far as they gave a name.
    ``broken`` are the constraints that a value does not satisfy, or its point, where they were added since:
    it is no best. ``forecast`` is what it would probably have come to, where it was stopped; ``curve`` what
    it reported. ``own`` are the environment variables that its evaluation had of its own, as far as its
    worker said so. ``scores`` are its objectives, where there are several and all are known, as
    `front.scores` has them. ``request`` is the amendment that a known result came with, ``stands_for`` the
    trial that it corrects: 0 if none. ``block`` is which it is of, unless its result says another.
    ``values_before`` are those that it had until they were computed, or read, anew, None where it had none.
    ``continued``: its evaluation was handed what the trial left that it goes on from. ``evaluated_as`` is the
    number that it was last evaluated under, where it had another then, before its journal was mended; else 0.
    ``slots`` is how many of a worker's it takes, 0 where that cannot be told. ``changed`` are the seconds
    that settings of the machine which it was given to take to change from where they stood then, in all of
    its attempts.
    """

    number: int
    suggested: Suggested
    queued_at: float
    parameters: Values = field(init=False)
    cost: float = field(init=False)
    ask: int | None = None
    held: Places = field(default_factory=dict)
    slots: int = 1
    state: TrialState = TrialState.QUEUED
    approved: bool = True
    attempts: Attempts = field(default_factory=Attempts)
    lease: str | None = None
    worker: str | None = None
    place: str = ""
    own: Mapping[str, str] = field(default_factory=dict)
    started_at: float | None = None
    settled_at: float | None = None
    value: float | None = None
    variance: float | None = None
    factors: tuple[float, ...] | None = None
    extras: Mapping[str, object] = field(default_factory=dict)
    elapsed: float = 0.0
    message: str = ""
    forgotten: str = ""
    by: str = ""
    broken: tuple[str, ...] = ()
    forecast: Forecast | None = None
    curve: tuple[tuple[int, float], ...] = ()
    not_finite_at: int | None = None
    scores: tuple[float, ...] | None = None
    request: str = ""
    stands_for: int = 0
    block: str = ""
    values_before: tuple[float | None, ...] = ()
    continued: bool = False
    evaluated_as: int = 0
    changed: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.parameters, self.cost = self.suggested.parameters, self.suggested.cost

    @property
    def files_number(self) -> int:
        """Under which its evaluation's files lie where it was evaluated; 0: nowhere, as it never was, and
        what lies under its number is of another trial that had it.
        """
        never_was = self.attempts.not_own > 0 and self.attempts.begun == 0 and not self.worker
        return self.evaluated_as or (0 if never_was else self.number)

    @property
    def went_on(self) -> bool | None:
        """Whether its evaluation was handed what the trial left that it was to go on from; None where it was
        to go on from none, where that is not known, as of what has no value, or failed before one was read of
        it, and where a person told the value.
        """
        is_known = self.value is not None and self.values_before[:1] != (None,) and not self.by
        return self.continued if self.suggested.continues and is_known else None

    @property
    def settled(self) -> bool:
        """Whether nothing more can become of it."""
        return self.state in SETTLED


def has_failed(trial: Trial) -> bool:
    """Whether it failed, and nobody said that this is not to be believed."""
    return trial.state is TrialState.FAILED and not trial.forgotten


def is_refused(trial: Trial) -> bool:
    """Whether a person did not want it evaluated, or not any longer."""
    return trial.state is TrialState.FAILED and trial.message.startswith("refused: ")


def may_be_retried(trial: Trial) -> bool:
    """Whether it failed so, and no person had refused it."""
    return has_failed(trial) and not is_refused(trial)


def is_added(trial: Trial) -> bool:
    """Whether a person added it to the run, and neither the spec nor the optimiser."""
    return trial.ask is None and trial.suggested.why.get("source") == ADDED
