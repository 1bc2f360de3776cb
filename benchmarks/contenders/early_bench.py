"""Where evaluations say how they stand: who does them counts the steps that all of them took."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from benchmarks.contenders.searches import SearchJob
from benchmarks.functions.early_stopping import EARLY, EarlyFunction, Parameters
from orchestrator.numerics.rng import derive_seed

NEVER = "none"
"""The rule by which nothing is stopped."""


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
