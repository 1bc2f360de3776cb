"""Seconds of `tell`, `ask` and a refit as results come in, one algorithm in one process, and its memory.

Seconds are of the processor: those of a clock depend on who else uses the machine.

Notation: n results told, D parameters.
"""

from __future__ import annotations

import re
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.regret_run import space_of
from evaluators.synthetic import synthetic
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, AskKey, Noise, Observation, Problem
from orchestrator.domain import Domain
from orchestrator.numerics.rng import stream

FloatArray = NDArray[np.float64]

FUNCTIONS = {6: "hartmann-6", 24: "powell-24", 100: "rastrigin-100"}
COUNTS = (100, 300, 1000, 2000)
TELLS = 5
ASKS = 3


@dataclass(frozen=True)
class Measured:
    """Medians at n results, and the most memory that the process has held so far.

    Attributes:
        fit_s: a refit from n results; None where it would have taken too long.
    """

    algorithm: str
    dimension: int
    n: int
    tell_s: float
    ask_s: float
    fit_s: float | None
    memory_mb: float


@dataclass(frozen=True)
class Cell:
    """What is measured in one process: an algorithm in D dimensions, within about ``seconds``."""

    algorithm: str
    dimension: int
    seconds: float
    counts: tuple[int, ...] = COUNTS


def results_of(dimension: int, n: int, seed: int = 0) -> list[Observation]:
    """n results of the papers' function in that dimension, at uniform points."""
    function = synthetic(FUNCTIONS[dimension])
    space = space_of(function)
    points = stream(seed, "benchmark core", dimension).random((n, dimension))
    places = np.array([list(space.decode(point).values()) for point in points], dtype=float)
    values = function.evaluate(places)
    return [Observation(k, points[k], float(values[k])) for k in range(n)]


def measured(cell: Cell) -> list[Measured]:
    """In this process. Stops before an n that would, by what the last one took, exceed the seconds."""
    begun = time.process_time()
    algorithm = registry.build(
        cell.algorithm,
        Problem(Domain.continuous(cell.dimension), noise=Noise("known", 0.0), start_points=20),
    )
    results = results_of(cell.dimension, max(cell.counts) + TELLS)
    rows: list[Measured] = []
    told, spent = 0, 0.0  # without refits
    for n in cell.counts:
        if rows:
            # An ask costs O(n^2) at most, and so does each value told.
            expected = spent * (n / rows[-1].n) ** 2
            if time.process_time() - begun + expected > cell.seconds:
                break
        before = time.process_time()
        algorithm.tell(results[told : n - TELLS])
        told = n - TELLS
        left = cell.seconds - (time.process_time() - begun)
        fit_s = _refitted(algorithm, rows[-1] if rows else None, n, left)
        tell_s = statistics.median(_timed(partial(algorithm.tell, [results[k]])) for k in range(told, n))
        told = n
        asks = (partial(algorithm.ask, 1, [], AskKey(k, k)) for k in range(n, n + ASKS))
        ask_s = statistics.median(_timed(ask) for ask in asks)
        spent = time.process_time() - before - (fit_s or 0.0)
        rows.append(Measured(cell.algorithm, cell.dimension, n, tell_s, ask_s, fit_s, _most_mb()))
    return rows


def _refitted(algorithm: Algorithm, last: Measured | None, n: int, seconds: float) -> float | None:
    """Seconds of a refit, which is adopted; None for no refit, if there is none or it would take too long."""
    if last is not None and (last.fit_s is None or last.fit_s * (n / last.n) ** 3 > seconds / 2):
        return None
    number = algorithm.refit_due()
    if number is None:
        return None
    return _timed(lambda: algorithm.adopt(algorithm.compute_refit(number)))


def _most_mb() -> float:
    # What `getrusage` says begins with the parent's.
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        if found:
            return int(found[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _timed(action: Callable[[], object]) -> float:
    begun = time.process_time()
    action()
    return time.process_time() - begun


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float | None:
    """p of seconds ~ sizes^p by least squares on logarithms; None for fewer than two sizes."""
    if len(sizes) < 2:
        return None
    return float(np.polyfit(np.log(sizes), np.log(np.maximum(seconds, 1e-7)), 1)[0])
