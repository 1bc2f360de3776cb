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

from benchmarks.code_closure import PROJECT
from benchmarks.core_growth import results_of
from benchmarks.regret_run import Contender
from benchmarks.regret_store import ONE_THREAD
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Problem
from orchestrator.algorithms.peers.offered import PEERS
from orchestrator.domain import Domain

DIMENSIONS = (6, 24)
COUNTS = (100, 1000)
OWN_COUNTS = (*COUNTS, 2000, 5000, 20000)
"""Beyond 1,000 results, ours alone: the peers would take minutes an ask."""
YARDSTICK = "botorch-log-ei"
CYCLES = 3
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
        ask_s: of one suggestion after that: telling one result, the refit if one is due, the ask; a mean.
        megabytes: the largest memory of the process.
    """

    algorithm: str
    dimension: int
    n: int
    first_s: float
    ask_s: float
    megabytes: float
    date: str = ""


def measured(cell: Cell) -> Speed:
    """In this process."""
    results = results_of(cell.dimension, cell.n + CYCLES)
    problem = Problem(Domain.continuous(cell.dimension), noise=Noise("known", 0.0))
    algorithm = registry.build(cell.algorithm, problem)
    seconds = []
    told = 0
    for cycle in range(1 + CYCLES):
        begun = time.process_time()
        algorithm.tell(results[told : cell.n + cycle])
        told = cell.n + cycle
        if (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
        algorithm.ask(1, [], AskKey(cycle, told + 1))
        seconds.append(time.process_time() - begun)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Speed(cell.algorithm, cell.dimension, cell.n, seconds[0], fmean(seconds[1:]), megabytes, _today())


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
                    f" {found.first_s:.3g} s the first, {found.megabytes:.0f} MB"
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
        f"| algorithm | d | n | s an ask | of {YARDSTICK}'s | s the first | MB | measured |",
        "|---|--:|--:|--:|--:|--:|--:|---|",
    ]
    yard = {(s.dimension, s.n): s.ask_s for s in speeds if s.algorithm == YARDSTICK}
    for s in sorted(speeds, key=lambda s: (s.algorithm, s.dimension, s.n)):
        whole = yard.get((s.dimension, s.n))
        share = (
            ""
            if whole is None
            else f"1/{whole / s.ask_s:.3g}"
            if s.ask_s < whole
            else f"{s.ask_s / whole:.3g}"
        )
        lines.append(
            f"| {s.algorithm} | {s.dimension} | {s.n:,} | {s.ask_s:.3g} | {share} | {s.first_s:.3g} |"
            f" {s.megabytes:.0f} | {s.date} |"
        )
    return lines


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
            [sys.executable, "-m", "benchmarks.compare_speed"],
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
