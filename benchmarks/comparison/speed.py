"""Seconds an ask against results told: each algorithm in a process of its own, one after another in one run.

As a program it is that process: a `Cell` as JSON on its standard input, a `Speed` on its standard output.

Notation: n results told, D parameters.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from statistics import fmean

from benchmarks.core_costs.growth import results_of
from benchmarks.measuring.apart import ONE_THREAD
from benchmarks.project import PROJECT
from benchmarks.regrets.run import Contender
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, AskKey, Noise, Problem
from orchestrator.algorithms.peers.offered import PEERS
from orchestrator.unit_cube.domain import Domain

DIMENSIONS = (6, 24)
COUNTS = (100, 1000)
OWN_COUNTS = (*COUNTS, 2000, 5000, 20000)
"""Beyond 1,000 results, ours alone: the peers would take minutes an ask."""
YARDSTICK = "botorch-log-ei"
# An ask in the region takes a third of one that looks everywhere: a mean of few is luck.
CYCLES = 12
# What refits cost is told from so many more results, as a part of those there are.
GROWTH = 0.5
LONGEST_S = 900.0
FILE = "speed.json"


@dataclass(frozen=True)
class Cell:
    """What is measured in one process."""

    algorithm: str
    dimension: int
    n: int


@dataclass(frozen=True)
class Speed:
    """Processor seconds with n results told, which depend less on who else uses the machine than a clock's.

    Attributes:
        first_s: of everything that the first suggestion takes: telling them all, the refit, the ask.
        ask_s: of one suggestion after that, by the model there is: telling one result, the ask; a mean.
        refit_s: of refits, for each of the results that follow until they are half as many again, by when
            whatever is looked at again has been. They are computed beside the evaluations. 0 for an
            algorithm that fits its model in each ask.
        megabytes: the largest memory of the process.
    """

    algorithm: str
    dimension: int
    n: int
    first_s: float
    ask_s: float
    refit_s: float
    megabytes: float
    date: str = ""

    @property
    def whole_s(self) -> float:
        """Of one suggestion, and of the refits that its result asks for."""
        return self.ask_s + self.refit_s


def measured(cell: Cell) -> Speed:
    """In this process."""
    more = max(CYCLES, int(cell.n * GROWTH))
    results = results_of(cell.dimension, cell.n + more)
    problem = Problem(Domain.continuous(cell.dimension), noise=Noise("known", 0.0))
    algorithm = registry.build(cell.algorithm, problem)
    begun = time.process_time()
    algorithm.tell(results[: cell.n])
    _refit(algorithm)
    algorithm.ask(1, [], AskKey(0, cell.n + 1))
    first = time.process_time() - begun
    asks: list[float] = []
    refits = 0.0
    for told in range(cell.n, cell.n + more):
        begun = time.process_time()
        algorithm.tell(results[told : told + 1])
        if len(asks) < CYCLES:
            algorithm.ask(1, [], AskKey(1 + told, told + 2))
            asks.append(time.process_time() - begun)
        refits += _refit(algorithm)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Speed(
        cell.algorithm, cell.dimension, cell.n, first, fmean(asks), refits / more, megabytes, _today()
    )


def _refit(algorithm: Algorithm) -> float:
    """The seconds of a refit, if one is due."""
    begun = time.process_time()
    number = algorithm.refit_due()
    if number is None:
        return 0.0
    algorithm.adopt(algorithm.compute_refit(number))
    return time.process_time() - begun


def measure(contenders: Sequence[Contender], folder: Path, say: Callable[[str], None]) -> list[Speed]:
    """Everything, by turns, so that all meet the same machine; kept in the folder as it comes."""
    speeds = {(s.algorithm, s.dimension, s.n): s for s in kept(folder)}
    names = [contender.algorithm for contender in contenders]
    for n in OWN_COUNTS:
        for dimension in DIMENSIONS:
            for name in names:
                if name in PEERS and n not in COUNTS:
                    continue
                if (guess := _guess(list(speeds.values()), name, dimension, n)) > LONGEST_S:
                    say(f"{name}, d = {dimension}, n = {n:,}: left out, as it would take about {guess:.0f} s")
                    continue
                found = _apart(Cell(name, dimension, n))
                if isinstance(found, str):
                    say(f"{name}, d = {dimension}, n = {n:,}: {found}")
                    speeds.pop((name, dimension, n), None)
                    continue
                speeds[name, dimension, n] = found
                say(
                    f"{name}, d = {dimension}, n = {n:,}: {found.ask_s:.3g} s an ask,"
                    f" {found.refit_s:.3g} s of refits, {found.first_s:.3g} s the first,"
                    f" {found.megabytes:.0f} MB"
                )
                folder.mkdir(parents=True, exist_ok=True)
                (folder / FILE).write_text(json.dumps([asdict(s) for s in speeds.values()]), encoding="utf-8")
    print("\n".join(table(list(speeds.values()))))
    return list(speeds.values())


def kept(folder: Path) -> list[Speed]:
    """What was measured before."""
    path = folder / FILE
    if not path.exists():
        return []
    return [Speed(**told) for told in json.loads(path.read_text(encoding="utf-8"))]


def table(speeds: Sequence[Speed]) -> list[str]:
    """Markdown: a row for each algorithm, dimension and n, with the share of the yardstick's seconds."""
    lines = [
        f"| algorithm | d | n | s an ask | of {YARDSTICK}'s | with refits | of {YARDSTICK}'s | s the first"
        " | MB | measured |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|---|",
    ]
    yard = {(s.dimension, s.n): s for s in speeds if s.algorithm == YARDSTICK}
    for s in sorted(speeds, key=lambda s: (s.algorithm, s.dimension, s.n)):
        other = yard.get((s.dimension, s.n))
        of_ask = "" if other is None else _share(s.ask_s, other.ask_s)
        of_whole = "" if other is None else _share(s.whole_s, other.whole_s)
        lines.append(
            f"| {s.algorithm} | {s.dimension} | {s.n:,} | {s.ask_s:.3g} | {of_ask} | {s.whole_s:.3g} |"
            f" {of_whole} | {s.first_s:.3g} | {s.megabytes:.0f} | {s.date} |"
        )
    return lines


def _share(seconds: float, of: float) -> str:
    return f"1/{of / seconds:.3g}" if seconds < of else f"{seconds / of:.3g}"


def _guess(speeds: Sequence[Speed], algorithm: str, dimension: int, n: int) -> float:
    """Seconds that a cell will take: as the square of n, from the largest n that was measured below it."""
    known = [s for s in speeds if (s.algorithm, s.dimension) == (algorithm, dimension) and s.n < n]
    if not known:
        return 0.0
    last = max(known, key=lambda s: s.n)
    return (last.first_s + CYCLES * last.ask_s) * (n / last.n) ** 2


def _apart(cell: Cell) -> Speed | str:
    """What a fresh process measures, or why it did not."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.comparison.speed"],
            check=False,
            cwd=PROJECT,
            env={**os.environ, **ONE_THREAD},
            input=json.dumps(asdict(cell)),
            capture_output=True,
            text=True,
            timeout=LONGEST_S,
        )
    except subprocess.TimeoutExpired:
        return f"not within {LONGEST_S:.0f} s"
    if done.returncode != 0:
        return (done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1]
    return Speed(**json.loads(done.stdout.splitlines()[-1]))


def _today() -> str:
    return date.today().isoformat()


if __name__ == "__main__":
    print(json.dumps(asdict(measured(Cell(**json.load(sys.stdin))))))
