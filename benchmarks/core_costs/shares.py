"""Where time goes: the stack sampled by the processor's clock while an algorithm refits, learns and asks."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from benchmarks.core_costs.growth import Cell, results_of
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Problem
from orchestrator.unit_cube.domain import Domain

ASKS = 3
INTERVAL_S = 0.002
PARTS = ("fit", "decomposition", "conditioning", "acquisition", "maximiser", "other")
SEARCHES = ("structure_search.py", "decompositions/")
EVALUATIONS = (
    "orchestrator/acquisition/",
    "orchestrator/surrogates/",
    "maximisers/factors/gaussian_factor.py",
    "maximisers/factors/factor_objective.py",
    "numerics/",
)


@dataclass(frozen=True)
class Shares:
    """Of an algorithm at so many results: the part of each of `PARTS`."""

    algorithm: str
    parts: Mapping[str, float]


@dataclass
class _Sampler:
    counts: Counter[str] = field(default_factory=Counter)

    def look(self, number: int, frame: FrameType | None) -> None:
        """A handler of signals: the innermost of our frames says whose time it is."""
        del number
        stack: list[tuple[str, str]] = []
        while frame is not None:
            stack.append((frame.f_code.co_filename, frame.f_code.co_name))
            frame = frame.f_back
        self.counts[part_of(stack)] += 1

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Samples are taken within the block, in the main thread."""
        before = signal.signal(signal.SIGPROF, self.look)
        signal.setitimer(signal.ITIMER_PROF, INTERVAL_S, INTERVAL_S)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            signal.signal(signal.SIGPROF, before)


def part_of(stack: list[tuple[str, str]]) -> str:
    """Whose time it is, from (file, function) of each frame, the innermost first."""
    names = {name for _, name in stack}
    if "compute_refit" in names:
        searching = any(mark in file for file, _ in stack for mark in SEARCHES)
        return "decomposition" if searching else "fit"
    if names & {"adopt", "tell"}:
        return "conditioning"
    if "ask" not in names:
        return "other"
    for file, _ in stack:
        if any(mark in file for mark in EVALUATIONS):
            return "acquisition"
        if "orchestrator/maximisers/" in file:
            return "maximiser"
    return "other"


def shares(cell: Cell, n: int) -> Shares:
    """One refit from all but `ASKS` of n results, then as many asks and tells."""
    problem = Problem(Domain.continuous(cell.dimension), noise=Noise("known", 0.0), start_points=20)
    algorithm = registry.build(cell.algorithm, problem)
    results = results_of(cell.dimension, n)
    algorithm.tell(results[: n - ASKS])
    sampler = _Sampler()
    with sampler.watching():
        if (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
        for k in range(n - ASKS, n):
            algorithm.ask(1, [], AskKey(k, k))
            algorithm.tell([results[k]])
    samples = sum(sampler.counts.values())
    return Shares(cell.algorithm, {part: sampler.counts[part] / max(1, samples) for part in PARTS})
