"""What a person sees of a run at one moment: plain values, made to be drawn by whoever draws them.

A view holds nothing that changes later, so another thread may draw it while the run goes on.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from orchestrator.objectives import Goal
from orchestrator.report.seen.believed import BELIEVED
from orchestrator.report.seen.best_now import BEST_NOW
from orchestrator.report.seen.crossing import SeenCrossing
from orchestrator.report.seen.outlook import Remaining
from orchestrator.report.seen.trade_offs import TradeOff
from orchestrator.report.words.fidelity import Spending
from orchestrator.report.words.happenings import Happening
from orchestrator.report.words.without_best import WhyNoBest
from orchestrator.report.words.wording import number_beside
from orchestrator.scheduler.transitions import Phase
from orchestrator.system.shell_lines import shell_line
from orchestrator.values.named import Values


@dataclass(frozen=True, slots=True)
class Running:
    """A trial on a worker, since ``seconds``, with the last partial quantities it reported. ``slots`` is how
    many of the worker's it takes, 0 where each takes one.
    """

    trial: int
    attempt: int
    seconds: float
    step: int | None = None
    values: tuple[tuple[str, float], ...] = ()
    slots: int = 0


@dataclass(frozen=True, slots=True)
class WorkerLine:
    """A connected worker. ``busy`` is the share of its slots' time, 0 to 1, that it has worked. ``taken`` is
    how many of its ``slots`` evaluations take; both are 0 where each takes one.

    ``draining``: it finishes what it has and takes nothing more.
    """

    name: str
    running: tuple[Running, ...]
    completed: int
    failed: int
    busy: float
    draining: bool = False
    slots: int = 0
    taken: int = 0

    @property
    def slots_words(self) -> str:
        """How many of its slots are taken, where trials may take several."""
        return f"{self.taken} of {self.slots} slots" if self.slots else ""


@dataclass(frozen=True, slots=True)
class BestPoint:
    """The best value so far; parameters are written with their units, and beside them the outcomes that
    constraints may be about; ``settings`` are the parameters for programs. A known result has a trial
    below 1.
    """

    trial: int
    value: float
    at: float | None
    parameters: tuple[tuple[str, str], ...]
    outcomes: tuple[tuple[str, str], ...] = ()
    settings: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BelievedPoint:
    """Where values are noisy, or settings off: the trial believed best, as its ``title`` says, and what is
    believed of it, in words; ``settings`` are its parameters for programs.
    """

    trial: int
    value: float
    words: str
    parameters: tuple[tuple[str, str], ...]
    settings: Values = field(default_factory=dict)
    title: str = BELIEVED

    @property
    def brief(self) -> str:
        """What it is believed best in, in a few words."""
        return "but for noise" if self.title == BELIEVED else "on average"


@dataclass(frozen=True, slots=True)
class BestNowPoint:
    """Where what is best drifts: the settings believed best at this time, and what is expected of them, each
    in words and for programs; or, where conditions vary in use, the design. The ``title`` says which.
    """

    value: float
    words: str
    parameters: tuple[tuple[str, str], ...]
    settings: Values = field(default_factory=dict)
    title: str = BEST_NOW


@dataclass(frozen=True, slots=True)
class ReferencePoint:
    """The trial that the best is measured against, the value measured there, if there is one by now, on
    average over so many ``times``, and its settings, in words and for programs. ``uncounted``: a value that
    was measured and does not count, as it was forgotten or lies outside bounds that were amended. ``levels``:
    what it has, by outcomes that limits are relative to, as far as that is known.
    """

    trial: int
    value: float | None
    parameters: tuple[tuple[str, str], ...]
    settings: Values = field(default_factory=dict)
    uncounted: float | None = None
    times: int = 0
    levels: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PreferredPoint:
    """Where people compare trials: the one that is believed best, how surely, in words, and its settings, in
    words and for programs.
    """

    trial: int
    next: int | None
    chance: float | None
    words: str
    parameters: tuple[tuple[str, str], ...]
    settings: Values = field(default_factory=dict)


Errand: TypeAlias = Literal["approve", "record", "compare"]
"""What a person is to do about a trial."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A trial that waits for a person: to approve it, or to try it and record its result and outcomes, or to
    compare it with the trial ``against``.

    ``failed`` is how its last attempt did, if there was one; ``run`` the folder, if it is known.
    ``of_python``: a program says how it compares, and no command. ``changes`` says which settings of the
    machine are changed for it, and how long that takes.
    """

    what: Errand
    trial: int
    parameters: tuple[tuple[str, str], ...]
    outcomes: tuple[str, ...] = ()
    failed: str = ""
    against: int | None = None
    has_no_value: bool = False
    run: str = ""
    of_python: bool = False
    changes: str = ""

    @property
    def command(self) -> str:
        """What is to be typed."""
        run = [self.run] if self.run else []
        if self.against is None:
            return f"{shell_line(self.what, *run, self.trial)}{self.hint}"
        one, other = self.trial, self.against
        if self.of_python:
            return f"in its program: `prefer({one}, over={other})`, or the other way round"
        prefer = shell_line("prefer", *run, one, "--over", other)
        return f"{prefer}, or {other} --over {one}, or {one} --like {other}"

    @property
    def hint(self) -> str:
        """What is to be typed behind the number of a trial, where that is not all."""
        if self.what != "record" or self.has_no_value:
            return ""
        return " --value ..." + "".join(f" --extra {shlex.quote(name)}=..." for name in self.outcomes)


@dataclass(frozen=True, slots=True)
class Belief:
    """What the optimiser believes now, as far as its insight says.

    ``weights`` are those of the ensemble's members; ``factors`` the numbers of the parameters in each
    factor, and ``parameters`` the names that these numbers stand for. ``offsets`` are those of blocks, each
    with its mean and deviation, and ``offsets_words`` the last of them.
    """

    weights: tuple[tuple[str, float], ...] = ()
    factors: tuple[tuple[int, ...], ...] = ()
    probability: float | None = None
    parameters: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    offsets: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    offsets_words: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """A run at one moment.

    ``waiting`` trials are queued. ``curve`` are the best values so far, each with the number of completed
    trials when it came. ``workers`` are the first of the connected ones. ``activity`` says what goes on, or
    why nothing does. ``attended``: an orchestrator works on it; ``resumable``: one could. ``amended`` says
    what was changed of the spec since it was given. ``held_at`` says where parameters are held, if any are,
    and ``places`` says it to programs. ``related``: how many results are known of each related experiment,
    and ``related_left_out`` how many rows of all their tables are none. ``expected`` are the first trials
    that wait for a person, of ``expected_in_all``; ``to_compare`` are all that wait to be compared, each with
    the one that it is best compared with. ``spending`` says what trials cost, where that is not the same of
    all. ``withdrawn`` counts those of the abandoned that the budget does not pay for. ``goals`` are those of
    each objective, where there are several: then there are ``trade_offs``, the best in the first objective
    first, and neither a best one nor a curve. ``why_no_best``: there are neither trade-offs nor a best one
    yet. ``preferred`` is the best trial where people compare them (``compared``), of which none has a value.
    ``best_now`` are settings, where no trial is the best as that drifts, and ``crossing`` what is believed of
    where the value is above a threshold, where that is sought. ``sought`` says what is, where it is no goal.
    ``reference`` is what the best is measured against, if the spec names it. ``units``: of objectives, by
    name, as far as they have one. ``limits`` says what became of those that every trial is to keep, if there
    are any, and ``changes`` how long settings took to change, if any did. ``of_python``: it is a search, and
    no run. ``jobs`` says how those of its queue stand, if it has any. ``last_heard_of``: nobody knows whether
    what ran does still. Times are in seconds since the run began.
    """

    experiment: str
    algorithm: str
    objective: str
    goal: Goal
    phase: Phase
    attended: bool
    resumable: bool
    lives: int
    now: float
    remaining: Remaining | None
    share_done: float | None
    budget: int | None
    completed: int
    failed: int
    stopped: int
    abandoned: int
    running: int
    waiting: int
    best: BestPoint | None
    curve: tuple[tuple[int, float], ...]
    workers: tuple[WorkerLine, ...]
    workers_connected: int
    slots: int
    belief: Belief
    happenings: tuple[Happening, ...]
    activity: str
    believed: BelievedPoint | None = None
    best_now: BestNowPoint | None = None
    crossing: SeenCrossing | None = None
    sought: str = ""
    preferred: PreferredPoint | None = None
    reference: ReferencePoint | None = None
    compared: bool = False
    amended: tuple[str, ...] = ()
    held_at: str = ""
    places: Values = field(default_factory=dict)
    related: tuple[int, ...] = ()
    related_left_out: int = 0
    expected: tuple[Expected, ...] = ()
    expected_in_all: int = 0
    to_compare: tuple[tuple[int, int | None], ...] = ()
    withdrawn: int = 0
    spending: Spending | None = None
    goals: Mapping[str, Goal] = field(default_factory=dict)
    trade_offs: tuple[TradeOff, ...] = ()
    slots_taken: int = 0
    why_no_best: WhyNoBest | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    limits: str = ""
    changes: str = ""
    of_python: bool = False
    jobs: str = ""
    last_heard_of: bool = False

    @property
    def best_value(self) -> str:
        """The best value in words that tell it from the best one before it. There must be one."""
        assert self.best is not None
        before = self.curve[-2][1] if len(self.curve) > 1 else None
        return f"{number_beside(self.best.value, before, 6)}{self.unit}"

    @property
    def unit(self) -> str:
        """What stands behind values of the only objective, with a space before it, if it has a unit."""
        return f" {self.units[self.objective]}" if self.objective in self.units else ""

    @property
    def in_a_word(self) -> str:
        """How the run stands."""
        if self.phase is Phase.FINISHED:
            return "stopped" if self.resumable else "ended"
        if not self.attended:
            return "at rest" if self.of_python and not self.waiting else "interrupted"
        return {Phase.DRAINING: "stopping", Phase.PAUSED: "paused"}.get(self.phase, "running")

    @property
    def running_words(self) -> str:
        """How many trials run; of a run that was killed, how many did, as far as was heard."""
        gone = self.last_heard_of and self.running
        return f"{self.running:,} {'ran when last heard of' if gone else 'running'}"

    @property
    def settled(self) -> int:
        """Trials of which nothing more can become, but for those that were withdrawn and cost nothing."""
        return self.completed + self.failed + self.stopped + self.abandoned - self.withdrawn
