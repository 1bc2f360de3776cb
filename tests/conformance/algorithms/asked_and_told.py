"""An optimiser that is asked and told in the ways that a run has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from orchestrator.python_interface.optimiser import Optimiser

Value = Callable[[Mapping[str, Any]], float]


def one_at_a_time(optimiser: Optimiser, value: Value, trials: int) -> list[dict[str, Any]]:
    """What it asks for, each told before the next."""
    told = []
    for _ in range(trials):
        (asked,) = optimiser.ask()
        told.append(dict(asked.parameters))
        optimiser.tell(asked.trial, value(told[-1]))
    return told


def by_workers_that_do_not_wait(optimiser: Optimiser, value: Value) -> list[dict[str, Any]]:
    """What it asks for, alone and in batches, while others run that end in any order; a fifth fails."""
    told: list[dict[str, Any]] = []
    running = []
    rng = np.random.default_rng(0)
    for n in (4, 3, 1, 2):
        asked = optimiser.ask(n)
        told += [dict(one.parameters) for one in asked]
        running += asked
        while len(running) > 3:
            done = running.pop(int(rng.integers(len(running))))
            optimiser.tell(done.trial, None if rng.random() < 0.2 else value(done.parameters))
    return told
