"""What a person sees of the workers: what each is at, and how busy it has been."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import TypeAlias

from orchestrator.report.seen.crew import Running, WorkerLine
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase
from orchestrator.scheduler.worker import Worker
from orchestrator.values.printable import printable

WORKERS_SHOWN = 100
SLOTS_SHOWN = 8


Progress: TypeAlias = Mapping[str, tuple[int, Mapping[str, float]]]
"""What running evaluations reported last, by their leases: the step, and quantities by name."""


def worker_lines(state: State, now: float, progress: Progress) -> tuple[WorkerLine, ...]:
    """A line for each worker, at ``now``."""
    if state.phase is Phase.FINISHED:
        return ()
    shown = sorted(islice(state.crew.workers.values(), WORKERS_SHOWN), key=lambda w: _as_counted(w.name))
    return tuple(_line(worker, state, now, progress) for worker in shown)


def _line(worker: Worker, state: State, now: float, progress: Progress) -> WorkerLine:
    running: list[Running] = []
    busy, several = worker.busy_s, state.policy.evaluations.slots is not None
    for lease, trial_number in worker.running.items():
        trial = state.trials[trial_number]
        seconds = max(0.0, now - (trial.started_at if trial.started_at is not None else now))
        busy += seconds * trial.slots
        if len(running) < SLOTS_SHOWN:
            step, values = progress.get(lease, (None, {}))
            said = tuple((printable(name), value) for name, value in values.items())
            running.append(
                Running(
                    trial_number, trial.attempts.begun, seconds, step, said, trial.slots if several else 0
                )
            )
    present = max(1e-9, now - worker.joined_at) * max(1, worker.slots)
    return WorkerLine(
        name=printable(worker.name),
        running=tuple(running),
        completed=worker.completed,
        failed=worker.failed,
        busy=min(1.0, busy / present),
        draining=worker.draining,
        slots=worker.slots if several else 0,
        taken=worker.taken if several else 0,
    )


def _as_counted(name: str) -> list[tuple[int, str]]:
    """A key that sorts local-9 before local-10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]
