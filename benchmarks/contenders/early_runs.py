"""Runs on evaluations that say how they stand: what was reached, by the steps that all of them took."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from benchmarks.contenders.early_bench import NEVER, Bench, Job, Run
from benchmarks.contenders.numbered_from_nought import numbered_from_nought
from orchestrator.curves.curve import Ended
from orchestrator.curves.forecast import Outlook, outlook
from orchestrator.curves.watched import Watched
from orchestrator.python_interface.optimiser import Optimiser, Plan

CHANCE, QUARTER = "chance", "chance of a quarter"
AMONG_BEST = {CHANCE: 0.5, QUARTER: 0.25}
"""Of the rules by chance: that of the default, and a bolder one."""
CHANCE_BELOW, COMPLETED = 0.1, 5


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
        from benchmarks.contenders.early_peers import run_peer

        return run_peer(Bench(job))
    bench = Bench(job)
    description, evaluations = bench.function.description, bench.function.evaluations
    plan = Plan(trials=evaluations)
    optimiser = numbered_from_nought(
        Optimiser(description, algorithm=job.algorithm, goal="minimise", seed=job.seed, plan=plan)
    )
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
