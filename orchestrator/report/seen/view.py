"""What a person sees of a run at one moment: plain values, made to be drawn by whoever draws them.

A view holds nothing that changes later, so another thread may draw it while the run goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from orchestrator.objectives import Goal
from orchestrator.report.seen.counts import TrialCounts
from orchestrator.report.seen.crew import SeenCrew
from orchestrator.report.seen.found import Found
from orchestrator.report.seen.outlook import Remaining
from orchestrator.report.seen.wanted import Wanted
from orchestrator.report.words.fidelity import Spending
from orchestrator.report.words.happenings import Happening
from orchestrator.report.words.wording import number_beside
from orchestrator.scheduler.transitions import Phase
from orchestrator.values.named import Values


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

    ``activity`` says what goes on, or why nothing does. ``attended``: an orchestrator works on it;
    ``resumable``: one could. ``amended`` says what was changed of the spec since it was given. ``held_at``
    says where parameters are held, if any are, and ``places`` says it to programs. ``related``: how many
    results are known of each related experiment, and ``related_left_out`` how many rows of all their tables
    are none. ``spending`` says what trials cost, where that is not the same of all. ``goals`` are those of
    each objective, where there are several. ``sought`` says what is, where it is no goal, and ``compared``
    that people say which trial is better. ``units``: of objectives, by name, as far as they have one.
    ``limits`` says what became of those that every trial is to keep, if there are any, and ``changes`` how
    long settings took to change, if any did. ``of_python``: it is a search, and no run. ``last_heard_of``:
    nobody knows whether what ran does still. Times are in seconds since the run began.
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
    trials: TrialCounts
    found: Found
    crew: SeenCrew
    wanted: Wanted
    belief: Belief
    happenings: tuple[Happening, ...]
    activity: str
    sought: str = ""
    compared: bool = False
    amended: tuple[str, ...] = ()
    held_at: str = ""
    places: Values = field(default_factory=dict)
    related: tuple[int, ...] = ()
    related_left_out: int = 0
    spending: Spending | None = None
    goals: Mapping[str, Goal] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    limits: str = ""
    changes: str = ""
    of_python: bool = False
    last_heard_of: bool = False

    @property
    def best_value(self) -> str:
        """The best value in words that tell it from the best one before it. There must be one."""
        assert self.found.best is not None
        before = self.found.curve[-2][1] if len(self.found.curve) > 1 else None
        return f"{number_beside(self.found.best.value, before, 6)}{self.unit}"

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
            return "at rest" if self.of_python and not self.trials.waiting else "interrupted"
        return {Phase.DRAINING: "stopping", Phase.PAUSED: "paused"}.get(self.phase, "running")

    @property
    def running_words(self) -> str:
        """How many trials run; of a run that was killed, how many did, as far as was heard."""
        gone = self.last_heard_of and self.trials.running
        return f"{self.trials.running:,} {'ran when last heard of' if gone else 'running'}"
