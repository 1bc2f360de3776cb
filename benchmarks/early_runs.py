"""Runs on evaluations that say how they stand: what was reached, by the steps that all of them took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from benchmarks.early_functions import EARLY, EarlyFunction, Parameters
from benchmarks.searches import SearchJob
from orchestrator.curves.curve import Ended
from orchestrator.curves.forecast import Outlook, outlook
from orchestrator.curves.watched import Watched
from orchestrator.numerics.rng import derive_seed
from orchestrator.optimiser import Optimiser, Plan

NEVER = "none"
CHANCE, QUARTER = "chance", "chance of a quarter"
AMONG_BEST = {CHANCE: 0.5, QUARTER: 0.25}
"""Of the rules by chance: that of the default, and a bolder one."""
CHANCE_BELOW, COMPLETED = 0.1, 5


@dataclass(frozen=True)
class Job(SearchJob):
    """On a function of `EARLY`, whose evaluations are stopped by ``rule``, or never."""

    rule: str = NEVER

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        return self.algorithm if self.rule == NEVER else f"{self.algorithm}, {self.rule}"


@dataclass(frozen=True)
class Run:
    """What came of a job: the ``steps`` by which the best point became another, and what each was ``worth``;
    how many evaluations were ``begun`` and ``stopped``, how many of these would have been the best so far
    (``lost``), and the mean processor ``seconds`` of a choice.
    """

    job: Job
    steps: tuple[int, ...]
    worth: tuple[float, ...]
    begun: int
    stopped: int
    lost: int
    seconds: float
    date: str = ""

    def reached(self, evaluations: int) -> float:
        """What the best was worth after as many steps as so many whole evaluations have."""
        limit = evaluations * EARLY[self.job.function].steps
        told = [worth for step, worth in zip(self.steps, self.worth, strict=True) if step <= limit]
        return told[-1] if told else float("inf")


@dataclass
class Bench:
    """Counts the steps of a run, and keeps its best point."""

    job: Job
    steps: int = 0
    begun: int = 0
    stopped: int = 0
    lost: int = 0
    best: float = float("inf")
    changed: list[tuple[int, float]] = field(default_factory=list)

    @property
    def function(self) -> EarlyFunction:
        return EARLY[self.job.function]

    @property
    def left(self) -> int:
        """Steps that the budget still pays for."""
        return self.function.evaluations * self.function.steps - self.steps

    def evaluate(self, parameters: Parameters, go_on: Callable[[int, float], bool]) -> float | None:
        """The value, or None where ``go_on`` says at a step that it is not worth its end, or the budget is
        spent.
        """
        self.begun += 1
        readings = self._readings(parameters)
        value = float("inf")
        for step, value in enumerate(readings, 1):
            if self.left == 0:
                return None
            self.steps += 1
            if step < self.function.steps and not go_on(step, value):
                self.stopped += 1
                # Looked up, and not paid for: whether that was wrong.
                self.lost += [*readings][-1] < self.best
                return None
        if value < self.best:
            self.best = value
            truth = self.function.truth
            self.changed.append((self.steps, value if truth is None else truth(parameters)))
        return value

    def _readings(self, parameters: Parameters) -> Iterator[float]:
        return self.function.begun(parameters, derive_seed(self.job.seed, "evaluation", self.begun))

    def run(self, seconds: float) -> Run:
        """What came of it, where choices took so long in all."""
        steps, worth = zip(*self.changed, strict=True) if self.changed else ((), ())
        return Run(self.job, steps, worth, self.begun, self.stopped, self.lost, seconds / max(1, self.begun))


@dataclass
class ByChance:
    """Whether one evaluation goes on, by those of the ``past`` that came to their ends. ``share`` of them are
    the best; None: it does go on.
    """

    past: list[Ended]
    share: float | None
    watched: Watched = field(default_factory=Watched)
    foreseen: Outlook | None = None

    def go_on(self, step: int, value: float) -> bool:
        """Whether it is worth its end after another reading."""
        look = self.watched.reported(step, value)
        if not look or self.share is None or len(self.past) < COMPLETED:
            return True
        seen = outlook(self.past, self.watched.curve.readings, share=self.share, maximise=False)
        self.foreseen = seen if seen is not None and seen.chance < CHANCE_BELOW else None
        return self.foreseen is None

    def ended(self, value: float) -> None:
        """It came to its end."""
        self.past.append(Ended(self.watched.curve.readings, value))


def run(job: Job) -> Run:
    """One evaluation at a time, until the steps are spent."""
    if job.algorithm.startswith("optuna") or job.rule not in (NEVER, *AMONG_BEST):
        from benchmarks.early_peers import run_peer

        return run_peer(Bench(job))
    bench = Bench(job)
    description, evaluations = bench.function.description, bench.function.evaluations
    plan = Plan(trials=evaluations)
    optimiser = Optimiser(description, algorithm=job.algorithm, goal="minimise", seed=job.seed, plan=plan)
    past: list[Ended] = []
    begun, evaluating = time.process_time(), 0.0
    while bench.left > 0:
        (asked,) = optimiser.ask()
        before = time.process_time()
        judge = ByChance(past, AMONG_BEST.get(job.rule))
        value = bench.evaluate(asked.parameters, judge.go_on)
        evaluating += time.process_time() - before
        if value is not None:
            judge.ended(value)
            optimiser.tell(asked.trial, value)
        elif (seen := judge.foreseen) is not None:
            optimiser.tell(asked.trial, seen.mean, seen.deviation**2, foreseen=True)
    return bench.run(time.process_time() - begun - evaluating)
