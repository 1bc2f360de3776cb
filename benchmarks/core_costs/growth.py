"""Seconds of `tell`, `ask` and a refit as results come in, one algorithm in one process, and its memory.

Seconds are of the processor: those of a clock depend on who else uses the machine.

Notation: n results told, D parameters.
"""

from __future__ import annotations

import re
import resource
import signal
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.measuring.processor_clock import seen
from benchmarks.regrets.run import space_of
from evaluators.synthetic import synthetic
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, AskKey, Noise, Observation, Problem
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain

FUNCTIONS = {6: "hartmann-6", 24: "powell-24", 100: "rastrigin-100"}
COUNTS = (100, 300, 1000, 2000)
UNSEEN_S = 1e-7
TELLS = 5
ASKS = 3


@dataclass(frozen=True)
class Measured:
    """Medians at n results, and the most memory that the process has held so far.

    Attributes:
        fit_s: a refit from n results; None where it took too long: what follows is asked of an older model.
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


def results_of(dimension: int, n: int) -> list[Observation]:
    """n results of the papers' function in that dimension, at uniform points."""
    function = synthetic(FUNCTIONS[dimension])
    space = space_of(function)
    points = stream(0, "benchmark core", dimension).random((n, dimension))
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
        fit_s = _refitted(algorithm, rows[-1] if rows else None, left)
        tells = (partial(algorithm.tell, [results[k]]) for k in range(told, n))
        tell_s = statistics.median(seen(map(_timed, tells)))
        told = n
        asks = (partial(algorithm.ask, 1, [], AskKey(k, k)) for k in range(n, n + ASKS))
        ask_s = statistics.median(seen(map(_timed, asks)))
        spent = time.process_time() - before - (fit_s or 0.0)
        rows.append(Measured(cell.algorithm, cell.dimension, n, tell_s, ask_s, fit_s, _most_mb()))
    return rows


def _refitted(algorithm: Algorithm, last: Measured | None, seconds: float) -> float | None:
    """Seconds of a refit, which is adopted; None for no refit, if there is none or it takes too long."""
    if last is not None and last.fit_s is None:
        return None
    number = algorithm.refit_due()
    if number is None:
        return None
    begun = time.process_time()
    try:
        with at_most(seconds / 2):
            refit = algorithm.compute_refit(number)
    except OutOfTime:
        return None
    algorithm.adopt(refit)
    return time.process_time() - begun


class OutOfTime(BaseException):
    """Seconds are over. No `Exception`, since it comes anywhere: also in a library that makes an error of its
    own of whatever it meets.
    """


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises `OutOfTime` once the block has taken so many processor seconds."""

    def end(*_: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, max(seconds, 1e-3))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


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
    """p of seconds ~ sizes^p by least squares on logarithms, without what the clock hardly saw; None for
    fewer than two sizes.
    """
    points = [(size, took) for size, took in zip(sizes, seconds, strict=True) if took > UNSEEN_S]
    if len(points) < 2:
        return None
    logs = np.log(points)
    return float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])
