"""The scheduler alone: processor seconds of a result, with the next trial handed out and the next point asked
for, at several numbers of workers and of trials that wait.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from orchestrator.scheduler.commands import Ask, Evaluate
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.events import Event, ResultArrived, RunStarted, SuggestionsMade, WorkerJoined
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.rules.budgets import Budget
from orchestrator.scheduler.rules.evaluations import Evaluations
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.rules.slots_needed import SlotsNeeded

RESULTS = 300
EVALUATION_S = 10.0
SLOTS = 8
"""Of each worker, where trials take several."""
KINDS: Mapping[str, SlotsNeeded | None] = {
    "a slot each": None,
    "two slots each": SlotsNeeded(lambda _: 2.0, same=2, most=SLOTS),
    "slots by a parameter": SlotsNeeded(lambda point: float(str(point["size"])), most=SLOTS),
}


@dataclass(slots=True)
class _Run:
    """A scheduler, and what is to be evaluated, the first that was handed out first."""

    scheduler: Scheduler
    at: float = 0.0
    running: deque[Evaluate] = field(default_factory=deque)

    def tick(self) -> float:
        self.at += 0.01
        return self.at

    def happen(self, event: Event) -> None:
        """And what is asked for then is answered at once."""
        for command in self.scheduler.handle(event):
            if isinstance(command, Evaluate):
                self.running.append(command)
            elif isinstance(command, Ask):
                made = tuple(
                    Suggested(parameters=_point(command.first_trial + i)) for i in range(command.count)
                )
                self.happen(SuggestionsMade(at=self.tick(), ask=command.ask, suggestions=made, seconds=0.001))


def _point(number: int) -> dict[str, float]:
    return {"x": number / 7, "size": 1.0 + number * 7 % SLOTS}


def result_us(slots: SlotsNeeded | None, workers: int, waiting: int) -> float:
    """Microseconds of each of `RESULTS` results, where so many trials that a spec lists wait as well."""
    run = _Run(Scheduler(Policy(budget=Budget(trials=1_000_000), evaluations=Evaluations(slots=slots))))
    points = tuple(map(_point, range(1, waiting + 1)))
    run.happen(RunStarted(at=run.tick(), run="r", wall="", points=points, takes_back=True))
    for number in range(workers):
        joined = WorkerJoined(at=run.tick(), worker=f"w{number}", slots=1 if slots is None else SLOTS)
        run.happen(joined)
    begun = time.process_time()
    for _ in range(RESULTS):
        ended = run.running.popleft()
        result = ResultArrived(
            at=run.tick(), worker=ended.worker, lease=ended.lease, value=0.0, elapsed=EVALUATION_S
        )
        run.happen(result)
    return 1e6 * (time.process_time() - begun) / RESULTS
