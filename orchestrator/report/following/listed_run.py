"""A run among others, or a search from Python, as a list has it: what it is, how it stands, what it found."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from orchestrator.objectives import Goal
from orchestrator.report.seen.best_in_short import best_in_short
from orchestrator.report.seen.view import View
from orchestrator.report.words.wording import duration, number
from orchestrator.scheduler.transitions import Phase
from orchestrator.spec.model import Mode, Spec

DAMAGED, UNREADABLE = "damaged", "unreadable"
IN_TROUBLE = (DAMAGED, UNREADABLE)
"""States of runs of which it cannot be told how they stand, or not surely."""


@dataclass(frozen=True, slots=True)
class ListedRun:
    """One of several. What is not known of it is None.

    Attributes:
        name: its folder's, or its file's.
        path: where it lies.
        state: in the word of `status`, as ``running`` or ``interrupted``; ``damaged`` or ``unreadable`` where
            that cannot be told.
        why: why it ended, what it waits for, that it can be resumed, or what is wrong with it; in words.
        experiment: what the spec calls it; a search from Python is called nothing but what its file is.
        algorithm: the name of what chooses points.
        seed: of everything random.
        mode: ``asynchronous``, ``synchronous 4`` or ``sequential``; None of a search from Python.
        objective: the name of what is optimised, the first of several.
        goal: of that one; None where none is sought.
        trials: those of which nothing more can become.
        budget_trials: how many were planned.
        failed: how many of them failed.
        best: the best value, or what is expected of what stands for it, in the objective's own units.
        best_words: that, the number of trade-offs, or what else stands for a best one, in words.
        best_parameters: its settings, by name; none of several trade-offs.
        begun: when it began, by the clock of its machine.
        seconds: how long it went on, while somebody worked on it.
        resumable: whether `orchestrator resume` could go on with it.
        of_python: it is a search, and no run.
    """

    name: str
    path: Path
    state: str
    why: str
    experiment: str | None = None
    algorithm: str | None = None
    seed: int | None = None
    mode: str | None = None
    objective: str | None = None
    goal: Goal | None = None
    trials: int | None = None
    budget_trials: int | None = None
    failed: int | None = None
    best: float | None = None
    best_words: str = ""
    best_parameters: dict[str, Any] | None = None
    begun: datetime | None = None
    seconds: float | None = None
    resumable: bool = False
    of_python: bool = False

    @property
    def trials_words(self) -> str:
        """``14 of 20``, or those alone where none are planned."""
        if self.trials is None:
            return ""
        return f"{self.trials:,}" + ("" if self.budget_trials is None else f" of {self.budget_trials:,}")

    @property
    def begun_words(self) -> str:
        """To the minute."""
        return "" if self.begun is None else f"{self.begun:%Y-%m-%d %H:%M}"

    def row(self) -> dict[str, Any]:
        """All of it, one level deep, for a data frame or a file."""
        return {
            "name": self.name,
            "path": str(self.path),
            "experiment": self.experiment,
            "algorithm": self.algorithm,
            "seed": self.seed,
            "mode": self.mode,
            "state": self.state,
            "why": self.why,
            "trials": self.trials,
            "budget_trials": self.budget_trials,
            "failed": self.failed,
            "objective": self.objective,
            "goal": self.goal,
            "best": self.best,
            "best_words": self.best_words,
            "best_parameters": self.best_parameters,
            "begun": None if self.begun is None else self.begun.isoformat(),
            "seconds": self.seconds,
            "resumable": self.resumable,
            "of_python": self.of_python,
        }

    def cells(self) -> dict[str, object]:
        """What people are shown of it, by its headings; what matters most comes first."""
        return {
            "run": self.name,
            "state": self.state,
            "trials": self.trials_words,
            "best": self.best_words,
            "failed": self.failed,
            "algorithm": self.algorithm,
            "seed": self.seed,
            "begun": self.begun_words,
            "time": "" if self.seconds is None else duration(self.seconds),
            "mode": self.mode,
            "experiment": self.experiment,
            "why": self.why,
        }

    @property
    def amiss(self) -> str:
        """What is wrong with it, and which that is; nothing where nothing is."""
        if self.state not in IN_TROUBLE:
            return ""
        return self.why if self.why.startswith(str(self.path)) else f"{self.name}: {self.why}"

    def in_a_line(self) -> dict[str, object]:
        """Its `cells`, but for what is wrong with it, for which a table has no room."""
        return self.cells() | ({"why": ""} if self.amiss else {})


def listed_run(name: str, path: Path, spec: Spec, view: View, begun: datetime | None) -> ListedRun:
    """Of what a person who watches it would see."""
    value, words, settings = best_in_short(view)
    sought = not view.compared and view.found.crossing is None and spec.objective.threshold is None
    return ListedRun(
        name=name,
        path=path,
        state=view.in_a_word,
        why=_why(view),
        experiment=None if view.of_python else spec.experiment,
        algorithm=spec.algorithm.name,
        seed=spec.seed,
        mode=None if view.of_python else mode_words(spec.mode),
        objective=spec.objective.name,
        goal=spec.objective.goal if sought else None,
        trials=view.trials.settled,
        budget_trials=view.budget,
        failed=view.trials.failed,
        best=value,
        best_words=words,
        best_parameters=settings,
        begun=begun,
        seconds=round(view.now, 3),
        resumable=view.resumable and not view.attended and not view.of_python,
        of_python=view.of_python,
    )


def mode_words(mode: Mode) -> str:
    """With the size of a batch, where there are any."""
    return f"{mode.kind} {number(mode.batch)}" if mode.kind == "synchronous" else mode.kind


def _why(view: View) -> str:
    if view.phase is Phase.FINISHED and not view.resumable:
        return view.activity.removeprefix("ended: ")
    if view.of_python or view.attended:
        # What may be done about it stands behind.
        return view.activity.split("; ")[0]
    if view.phase is Phase.WAITING:
        return "it ended before it had begun"
    return "it can be resumed"
