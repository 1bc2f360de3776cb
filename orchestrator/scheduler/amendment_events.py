"""What a person changed of a run that has begun: where it may look, and when it ends; events as those of
`events`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, TypeAlias

from orchestrator.scheduler.event_parts import ADDED, KnownResult, Suggested, ValuedAnew
from orchestrator.scheduler.rules.added_candidates import Columns
from orchestrator.scheduler.rules.budgets import BudgetName
from orchestrator.values.change import Changes
from orchestrator.values.named import Values
from orchestrator.values.travel import Travel


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundsAmended:
    """From now on points lie within these bounds; a parameter that is not named keeps its own."""

    at: float
    bounds: Mapping[str, tuple[float, float]]
    reason: str = ""
    by: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldAmended:
    """From now on these parameters are held at these values, and those ``freed`` are chosen again; one that
    is not named stays as it was.
    """

    at: float
    held: Values = field(default_factory=dict)
    freed: tuple[str, ...] = ()
    reason: str = ""
    by: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockBegan:
    """From now on trials that are handed out are of this block, such as the next plate, unless their results
    say another. Where blocks are days, each begins by itself, without a request.
    """

    at: float
    block: str
    reason: str = ""
    by: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintsAmended:
    """From now on these constraints hold as well, and those ``withdrawn`` no longer. Beside each that is
    ``added`` are the trials, and known results, that do not satisfy it; those ``of_outcomes`` among them say
    nothing of a trial that has no value yet.
    """

    at: float
    added: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    withdrawn: tuple[str, ...] = ()
    of_outcomes: tuple[str, ...] = ()
    reason: str = ""
    by: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatesAdded:
    """From now on these rows may be tried as well: each of the table's columns, with as many values each.
    Known results that were of no row, and are of one of these, are ``listed``.
    """

    at: float
    columns: Columns
    listed: tuple[int, ...] = ()
    reason: str = ""
    by: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TravelAmended:
    """From now on settings may ``travel`` so far at once, and those ``freed`` anywhere; one that is not named
    as before. The machine ``stands`` where a person has put it, in others where the last trial had it.
    """

    at: float
    travel: Mapping[str, Travel] = field(default_factory=dict)
    freed: tuple[str, ...] = ()
    stands: Values = field(default_factory=dict)
    reason: str = ""
    by: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesAmended:
    """From now on settings take what their ``changes`` say to change, and those ``freed`` nothing; one that
    is not named as before.
    """

    at: float
    changes: Changes = field(default_factory=dict)
    freed: tuple[str, ...] = ()
    reason: str = ""
    by: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetAmended:
    """A budget that is given replaces the one before, those ``lifted`` are no more, the others stay."""

    at: float
    trials: int | None = None
    cost: float | None = None
    time_s: float | None = None
    target: float | None = None
    patience: int | None = None
    expected_gain: float | None = None
    lifted: tuple[BudgetName, ...] = ()
    reason: str = ""
    by: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobsAmended:
    """From now on so many jobs may wait or run in the queue at a time."""

    at: float
    at_most: int
    reason: str = ""
    by: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsAdded:
    """Values known from elsewhere came to light while the run went on."""

    at: float
    results: tuple[KnownResult, ...]
    reason: str = ""
    by: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsAdded:
    """A person will have points evaluated next, in this order. ``costs`` as in `RunStarted`, ``first_trial``
    as in `SuggestionsMade`.
    """

    at: float
    points: tuple[Values, ...]
    costs: tuple[float, ...] = ()
    first_trial: int = 0
    reason: str = ""
    by: str = ""
    request: str = ""

    def suggested(self) -> Iterator[Suggested]:
        """Each point, with who wants it and why."""
        why = {"source": ADDED, "by": self.by, "reason": self.reason}
        for parameters, cost in zip(self.points, self.costs or repeat(1.0), strict=False):
            yield Suggested(parameters=parameters, why=why, cost=cost)


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationsForgotten:
    """What came of some trials is not to be believed: nothing follows from it any more.

    In older journals each of them has a value, and has not failed or been stopped.
    """

    at: float
    trials: tuple[int, ...]
    reason: str
    by: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuesAmended:
    """From now on values are computed by this ``objective``, or what programs printed is read as ``output``
    says; both as in `AmendedValues`. What had come by then has the values that are said ``anew``, and what is
    not among them has its own.
    """

    at: float
    objective: Mapping[str, Any] = field(default_factory=dict)
    output: Any = None
    anew: tuple[ValuedAnew, ...] = ()
    reason: str = ""
    by: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPaused:
    """A person will have nothing new started, until they say so; what runs goes on to its end."""

    at: float
    reason: str = ""
    by: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContinued:
    """A pause is over."""

    at: float
    reason: str = ""
    by: str = ""
    request: str = ""


Amendment: TypeAlias = (
    BoundsAmended
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
)
"""What a person changes of a run that has begun."""
