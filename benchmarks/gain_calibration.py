"""Whether the model knows what is left to gain, and what `budget: {expected_gain: ...}` therefore stops at.

python -m benchmarks.gain_calibration --seeds 8 --page docs/stopping.md

Runs are kept as JSON lines in `benchmarks/results/gain`, and what is there is not run again. One process:
about ten seconds a run. The page is written from all the runs there are: with ``--seeds 0`` from those alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.gains.page import ALGORITHMS, page
from benchmarks.gains.runs import Estimate, Job, Run, estimates
from benchmarks.kept.json_lines import add_line, lines_of
from benchmarks.kept.page_out import add_page, hand_over
from benchmarks.project import PROJECT
from benchmarks.typed_seeds import typed_seeds

RESULTS = PROJECT / "benchmarks" / "results" / "gain" / "runs.jsonl"
FUNCTIONS: tuple[tuple[str, float, int], ...] = (
    ("drawn-1", 0.0, 25),
    ("drawn-2", 0.0, 40),
    ("drawn-2", 0.05, 40),
    ("drawn-4", 0.0, 60),
    ("camel", 0.0, 35),
    ("hartmann-3", 0.0, 35),
    ("hartmann-6", 0.0, 60),
    ("shekel", 0.0, 60),
)
"""With their noise, and the evaluations that are made."""


def kept(path: Path) -> list[Run]:
    """The runs there are."""
    return lines_of(path, _run)


def run_all(jobs: Iterable[Job], path: Path) -> None:
    """Run, and keep, those of the jobs that are not kept yet."""
    known = {run.job for run in kept(path)}
    for job in jobs:
        if job not in known:
            run = Run(job, tuple(estimates(job)), date.today().isoformat())
            add_line(path, asdict(run))
            print(job, file=sys.stderr)


def _run(told: Mapping[str, Any]) -> Run:
    made = (Estimate(e["observations"], tuple(e["draws"]), e["regret"]) for e in told["estimates"])
    return Run(Job(**told["job"]), tuple(made), told.get("date", ""))


def _of_now(job: Job) -> bool:
    return job.algorithm in ALGORITHMS and (job.function, job.noise, job.budget) in FUNCTIONS


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, and print the page or write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=typed_seeds, default=8)
    add_page(parser)
    asked = parser.parse_args(arguments)
    # Seeds outside, so that an interrupted run has some of every function.
    jobs = [
        Job(algorithm, function, noise, budget, seed)
        for seed in range(asked.seeds)
        for function, noise, budget in FUNCTIONS
        for algorithm in ALGORITHMS
    ]
    run_all(jobs, RESULTS)
    words = page([run for run in kept(RESULTS) if _of_now(run.job)])
    hand_over(words, asked.page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
