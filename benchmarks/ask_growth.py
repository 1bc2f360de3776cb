"""EGP-TS in one process: processor seconds of `ask`, `tell` and the adoption of a refit as values come in."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem, Refit
from orchestrator.domain import Domain
from orchestrator.numerics.rng import stream

DIMENSION = 6
REFITS_UP_TO = 300
"""Values: a refit costs O(n^3), and runs beside everything else; from here on the last one is kept."""
REPEATS = 20


@dataclass(frozen=True)
class Row:
    """Medians at a number of values."""

    values: int
    ask_ms: float
    tell_ms: float
    adopt_ms: float


def ask_growth(most: int) -> list[Row]:
    """Measured at a few numbers of values, up to ``most``."""
    algorithm = registry.build("egp-ts", Problem(Domain.continuous(DIMENSION), seed=0), {})
    rng = stream(0, "benchmark", most)
    at = [count for count in (500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000) if count <= most]
    rows: list[Row] = []
    tells: list[float] = []
    last: Refit | None = None
    for trial in range(1, most + 1):
        point = rng.random(DIMENSION)
        observation = Observation(trial, point, float(-np.sum((point - 0.3) ** 2)))
        begun = time.process_time()
        algorithm.tell([observation])
        tells.append(time.process_time() - begun)
        if trial <= REFITS_UP_TO and (number := algorithm.refit_due()) is not None:
            last = algorithm.compute_refit(number)
            algorithm.adopt(last)
        if trial in at:
            asks = []
            for repeat in range(REPEATS):
                begun = time.process_time()
                algorithm.ask(1, [], AskKey(ask=trial + repeat, first_trial=trial + 1))
                asks.append(time.process_time() - begun)
            adopt = 0.0
            if last is not None:
                begun = time.process_time()
                last = Refit(last.number + 1, trial, last.payload)
                algorithm.adopt(last)
                adopt = time.process_time() - begun
            rows.append(
                Row(trial, 1e3 * statistics.median(asks), 1e3 * statistics.median(tells[-200:]), 1e3 * adopt)
            )
    return rows
