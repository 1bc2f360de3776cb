"""EGP-TS in one process at several numbers of values: processor seconds of all that a run has it do.

An algorithm is kept for each number, and these are asked, told and given a refit in turn, so that whatever
else the machine does falls on all alike.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from benchmarks.measuring.processor_clock import seen
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, AskKey, Observation, Problem, Refit
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain

DIMENSION = 6
COUNTS = (1_000, 10_000, 50_000)
REPEATS = 40


Result = TypeVar("Result")


@dataclass(frozen=True)
class Row:
    """Medians at a number of values; the refit and the replay were done once.

    ``replay_s``: a new algorithm is told everything and given the last refit as the journal has it, up to its
    first answer.
    """

    values: int
    ask_ms: float
    tell_ms: float
    adopt_ms: float
    refit_s: float
    replay_s: float


@dataclass(frozen=True)
class State:
    """An algorithm just before a refit from all the values that it was told, and one just after."""

    values: int
    before: Algorithm
    algorithm: Algorithm
    refit: Refit
    refit_s: float
    replay_s: float


def ask_growth(counts: Sequence[int]) -> list[Row]:
    """Measured at each number of values."""
    states = [_state(count) for count in counts]
    rng = stream(0, "benchmark", 1)
    asks: list[list[float]] = [[] for _ in states]
    tells: list[list[float]] = [[] for _ in states]
    adoptions: list[list[float]] = [[] for _ in states]
    for repeat in range(REPEATS):
        for number, state in enumerate(states):
            copy, trial = deepcopy(state.before), state.values + repeat
            told = _observation(trial, rng)
            adoptions[number].append(_timed(partial(copy.adopt, state.refit))[1])
            asks[number].append(_timed(partial(state.algorithm.ask, 1, [], AskKey(trial, trial)))[1])
            tells[number].append(_timed(partial(state.algorithm.tell, [told]))[1])
    return [
        Row(state.values, _median_ms(ask), _median_ms(tell), _median_ms(adopt), state.refit_s, state.replay_s)
        for state, ask, tell, adopt in zip(states, asks, tells, adoptions, strict=True)
    ]


def _median_ms(seconds: Sequence[float]) -> float:
    return 1e3 * statistics.median(seen(seconds))


def _state(values: int) -> State:
    rng = stream(0, "benchmark", 0)
    told = [_observation(trial, rng) for trial in range(values)]
    before = _begun()
    before.tell(told)
    refit, refit_s = _timed(lambda: before.compute_refit(1))
    algorithm = deepcopy(before)
    algorithm.adopt(refit)
    _, replay_s = _timed(lambda: _replay(told, refit))
    return State(values, before, algorithm, refit, refit_s, replay_s)


def _begun() -> Algorithm:
    return registry.build("egp-ts", Problem(Domain.continuous(DIMENSION), seed=0), {})


def _observation(trial: int, rng: np.random.Generator) -> Observation:
    point = rng.random(DIMENSION)
    return Observation(trial, point, float(-np.sum((point - 0.3) ** 2)))


def _replay(told: Sequence[Observation], refit: Refit) -> None:
    algorithm = _begun()
    for observation in told:
        algorithm.tell([observation])
    algorithm.adopt(Refit(refit.number, refit.observations, refit.payload))
    algorithm.ask(1, [], AskKey(len(told), len(told)))


def _timed(perform: Callable[[], Result]) -> tuple[Result, float]:
    begun = time.process_time()
    result = perform()
    return result, time.process_time() - begun
