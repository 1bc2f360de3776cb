"""What is to be done. The runtime performs them, in order, after the event that caused them is on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from orchestrator.scheduler.rules.added_candidates import Columns
from orchestrator.scheduler.rules.amended_constraints import NOTHING_AMENDED, AmendedConstraints
from orchestrator.scheduler.rules.amended_values import AS_GIVEN, AmendedValues
from orchestrator.values.change import Changes
from orchestrator.values.named import Values
from orchestrator.values.travel import Travels


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Ask the optimiser for ``count`` points, given those that still run.

    The trials that they become are numbered from ``first_trial``. ``patience_s`` is how long the answer
    may wait for a refit that is due: a better model is worth a small part of an evaluation. Each point is
    where parameters are ``held``, and, where there are limits on how far it may travel, within reach of where
    the machine ``stands``. The first of them have the ``parts`` that people want tried, as many as there is
    room for, and the rest of each is chosen beside its part. All of them are alike in the parameters that
    they are ``sharing``, perhaps as a trial of their round has ``settled`` these, ``settled_by`` its number.
    ``left_s`` is for how long the run may go on, None where its time has no end.
    """

    ask: int
    count: int
    first_trial: int
    pending: tuple[Values, ...]
    patience_s: float | None = None
    held: Values = field(default_factory=dict)
    stands: Values = field(default_factory=dict)
    parts: tuple[Values, ...] = ()
    sharing: tuple[str, ...] = ()
    settled: Values = field(default_factory=dict)
    settled_by: int = 0
    left_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tell:
    """Tell the optimiser a value, or with ``value`` None that a trial failed for good, or, where trials are
    compared, that it has none.

    Results known before the run have trial numbers below 1. ``outcomes`` are those that constraints name.
    ``foreseen``: the value is what a trial that was stopped would have come to, with the forecast's variance.
    ``held``: it was asked for while parameters were. ``completed``: a part of it is a person's, beside which
    the rest was asked for. ``seconds``: what its evaluation took, if that is known.
    ``on_the_way``: it was asked for as it leads to another point. ``attached``: it was not asked for, but is
    a person's. ``worker`` made it, and ``cost`` is what it counts for, in evaluations at full fidelity.
    ``block``: what it shares an offset by, where there are blocks. ``derivatives`` are those of the value by
    parameters that are known. ``continues`` is the trial that it was to go on from; 0: none. ``continued``:
    it did, and took the difference alone; ``began_anew``: it is known to have begun from nothing.
    """

    trial: int
    parameters: Values
    value: float | None
    variance: float | None = None
    factors: tuple[float, ...] | None = None
    outcomes: Mapping[str, object] = field(default_factory=dict)
    foreseen: bool = False
    held: bool = False
    completed: bool = False
    seconds: float | None = None
    on_the_way: bool = False
    attached: bool = False
    worker: str = ""
    cost: float = 1.0
    block: str | None = None
    derivatives: Mapping[str, float] = field(default_factory=dict)
    continues: int = 0
    continued: bool = False
    began_anew: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TellComparison:
    """Tell the optimiser that one trial is ``better`` than another, or that they are ``alike``. It was told
    of both by then.
    """

    better: int
    worse: int
    alike: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptRefit:
    """Have the optimiser take computed hyperparameters over, at this place in the order."""

    number: int
    observations: int
    payload: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateGain:
    """Have the optimiser say, beside everything else, what is left to gain by the refit it adopted last."""

    refit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeStock:
    """Have the optimiser say what it believes now that all is told: its last answer was before that. At the
    end, or where trials are compared while it is asked for nothing. The best is where all is as ``held``.
    """

    held: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuild:
    """Have the optimiser begin anew, within other bounds: nothing that it was told or asked before counts.

    What still counts is told again after this. ``bounds`` and ``constraints`` are those that were amended, in
    all; ``trials`` is the budget by now, and ``cost`` what they may cost together; ``model`` counts how often
    this has happened. ``fixed`` are what is held, where nothing else will be told or asked until it begins
    anew again, ``travel`` is how far settings may go from one trial to the next, ``changes`` what it takes
    to change them, and ``candidates`` are the rows that were added to the listed ones; ``values`` is how
    values come of results, where that was amended.
    """

    model: int
    bounds: Mapping[str, tuple[float, float]]
    fixed: Values = field(default_factory=dict)
    constraints: AmendedConstraints = NOTHING_AMENDED
    travel: Travels = field(default_factory=dict)
    changes: Changes = field(default_factory=dict)
    candidates: Columns = field(default_factory=dict)
    values: AmendedValues = AS_GIVEN
    trials: int | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluate:
    """Have a worker evaluate a trial under a lease, going on from what the trial left that it ``continues``;
    0: none. It takes so many ``slots`` of the worker.
    """

    worker: str
    lease: str
    trial: int
    attempt: int
    parameters: Values
    continues: int = 0
    slots: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelLease:
    """Have a worker stop working on a lease."""

    worker: str
    lease: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledge:
    """Tell a worker that its result or failure is on disk; ``counted`` is false for one that came late."""

    worker: str
    lease: str
    counted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitJob:
    """Have the queue take a job: its number, what its worker is to be called, and what the queue is told."""

    number: int
    worker: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBackJob:
    """Have the queue drop a job that waits, by the number that it has there."""

    number: int
    job: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SendHome:
    """Have a worker leave when it has finished what it is at."""

    worker: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishRun:
    """Everything that ran is settled: send the workers away and end. ``failed``: not of its own will."""

    reason: str
    failed: bool = False


OptimiserCommand: TypeAlias = Ask | Tell | TellComparison | AdoptRefit | EstimateGain | TakeStock | Rebuild
Command: TypeAlias = (
    OptimiserCommand | Evaluate | CancelLease | Acknowledge | SubmitJob | TakeBackJob | SendHome | FinishRun
)
