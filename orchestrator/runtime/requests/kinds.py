"""What a person may ask of a run that has begun, and the answer: decisions over one trial, amendments."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.rules.added_candidates import Columns
from orchestrator.scheduler.rules.budgets import BudgetName
from orchestrator.scheduler.rules.places import held_after
from orchestrator.values.named import Values


class Approve(msgspec.Struct, frozen=True, tag="approve"):
    """Let a queued trial go to a worker."""

    trial: int
    by: str = ""


class Refuse(msgspec.Struct, frozen=True, tag="refuse"):
    """Do not have a trial evaluated. ``forget``: that is not the fault of its settings."""

    trial: int
    reason: str
    by: str = ""
    forget: bool = False


class Record(msgspec.Struct, frozen=True, tag="record"):
    """The value of a trial that a person evaluated; none where it is computed from what the extras say."""

    trial: int
    value: float | None
    variance: float | None = None
    factors: list[float] | None = None
    extras: dict[str, Any] = {}
    by: str = ""


class RecordFailure(msgspec.Struct, frozen=True, tag="record failure"):
    """A trial that a person evaluated, and that gave no value."""

    trial: int
    message: str
    by: str = ""


class CarryOut(msgspec.Struct, frozen=True, tag="carry out"):
    """A person has done what a trial says, which has no value."""

    trial: int
    by: str = ""


class Compare(msgspec.Struct, frozen=True, tag="compare"):
    """A person finds a trial better than another, or that they are alike."""

    trial: int
    other: int
    alike: bool = False
    by: str = ""


class TakeBack(msgspec.Struct, frozen=True, tag="take back"):
    """How two trials compare is not to be believed."""

    trial: int
    other: int
    by: str = ""


class Budgets(msgspec.Struct, frozen=True):
    """Budgets to be replaced, and those to be lifted; the others stay."""

    trials: int | None = None
    cost: float | None = None
    time_s: float | None = None
    target: float | None = None
    patience: int | None = None
    expected_gain: float | None = None
    lifted: tuple[BudgetName, ...] = ()


class ReadOutput(msgspec.Struct, frozen=True):
    """What the kept output of a trial's evaluation says, read otherwise; ``message`` is why it says nothing
    that could be used, of which ``kind`` is that of a failure.
    """

    trial: int
    value: float | None = None
    variance: float | None = None
    factors: list[float] | None = None
    extras: dict[str, Any] = {}
    kind: Literal["", "error", "invalid"] = ""
    message: str = ""


class Amend(msgspec.Struct, frozen=True, tag="amend"):
    """Change a run that has begun. ``held`` are the values at which parameters are to be held, ``free`` those
    that are to be chosen again; ``constraints`` are to hold from now on, and those ``withdrawn`` no longer;
    ``candidates`` are rows that may be tried as well, by columns;
    settings may ``travel`` so far at once, and those that are named may go ``anywhere``; ``stands`` is where
    a person has put the machine; they take as long to change as ``changes`` say, as a spec does in
    seconds, and those that are named change ``at_once``;
    ``jobs`` is how many of a queue there may be at a time, None where that is to stay;
    ``block`` is which one trials are of from now on, empty where that is to stay;
    ``objective`` is what values are computed by from now on, under ``value`` or ``fit`` as in a spec, empty
    where that is to stay; ``output`` is how what programs printed is read, None where that is to stay, and
    ``read`` is what trials come to by that, as far as it is another thing than by ``read_before``, of as many
    as were ``observed``: how it was read when they were looked through, None as the spec says, and unset by
    versions that did not say it;
    ``points`` are to be evaluated next, all of them so many ``times``, and have all parameters that count.
    ``paused`` is None where that is to stay as it is.
    """

    bounds: dict[str, tuple[float, float]] = {}
    held: dict[str, str | int | float | bool] = {}
    free: list[str] = []
    constraints: list[str] = []
    candidates: dict[str, list[str | int | float | bool]] = {}
    withdrawn: list[str] = []
    travel: dict[str, float] = {}
    anywhere: list[str] = []
    stands: dict[str, str | int | float | bool] = {}
    changes: dict[str, float | dict[str, float]] = {}
    at_once: list[str] = []
    block: str = ""
    jobs: int | None = None
    budgets: Budgets = Budgets()
    results: list[KnownResult] = []
    points: list[dict[str, str | int | float | bool]] = []
    times: int = 1
    forget: list[int] = []
    objective: dict[str, Any] = {}
    output: Any = None
    read: list[ReadOutput] = []
    read_before: Any = msgspec.UNSET
    observed: int = 0
    reason: str = ""
    paused: bool | None = None
    by: str = ""

    @property
    def moves_points(self) -> bool:
        """Whether points may lie elsewhere from now on: within other bounds, by other constraints, or at
        further candidates.
        """
        return bool(self.bounds or self.constraints or self.withdrawn or self.candidates)

    @property
    def moves_machine(self) -> bool:
        """Whether a machine may travel otherwise from now on, or was put somewhere."""
        return bool(self.travel or self.anywhere or self.stands)

    @property
    def values_trials(self) -> bool:
        """Whether values come of results otherwise from now on."""
        return bool(self.objective) or self.output is not None

    @property
    def rows(self) -> Columns:
        """The candidates as the journal has them."""
        return {name: tuple(values) for name, values in self.candidates.items()}

    def held_after(self, before: Values) -> dict[str, object]:
        """What is held once it took effect."""
        return held_after(before, self.held, self.free)


NOTHING_TO_AMEND = (
    "expected something to amend: --bounds, --held, --free, --block, --constraint, --withdraw, --candidates,"
    " --travel, --stands, --change, --jobs, --objective, --spec, --trials, --cost, --time, --target,"
    " --patience, --expected-gain, --known, --result, --try, --forget, --pause or --continue"
)
"""What is said of an `Amend` that changes nothing."""

Comparing: TypeAlias = CarryOut | Compare | TakeBack
Decision: TypeAlias = Approve | Refuse | Record | RecordFailure | Comparing
Request: TypeAlias = Decision | Amend


class Verdict(msgspec.Struct, frozen=True):
    """What became of a request."""

    accepted: bool
    sentence: str
