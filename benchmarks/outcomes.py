"""Constraints on outcomes: who finds the best point that satisfies them in few evaluations.

python -m benchmarks.outcomes --seeds 5 --algorithms auto,optuna-gp --page docs/outcomes.md

Runs are kept as JSON lines in `benchmarks/results/outcomes`, and what is there is not run again. Each has a
process of its own with one thread. The page is written from all the runs there are: with ``--seeds 0`` from
those alone. Peers need the extra ``[compare]``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.aligned_table import aligned
from benchmarks.code_closure import PROJECT
from benchmarks.kept_runs import KeptRuns, days, seconds_table
from benchmarks.machine import machine
from benchmarks.outcome_functions import CONSTRAINED
from benchmarks.outcome_runs import Job, Run, run

RESULTS = PROJECT / "benchmarks" / "results" / "outcomes" / "runs.jsonl"
ALGORITHMS = ("auto", "optuna-gp", "optuna-tpe", "ax", "random")
LEVEL = 1e-9
"""Regrets below so large a part of the least value, or of 1, are level: the digits that it is known to."""


def _read(told: Mapping[str, Any]) -> Run:
    return Run(Job(**told["job"]), tuple(told["values"]), told["seconds"], told.get("date", ""))


RUNS = KeptRuns(run, _read, lambda found: f"{found.regret(len(found.values)):.3g}")


def table(runs: Sequence[Run]) -> str:
    """The median regret of each contender on each function, and in brackets of how many runs; the least in
    bold. A dash: half of them or more found nothing that satisfies the constraints.
    """
    titles = list(dict.fromkeys(found.job.title for found in runs))
    body = []
    for name, function in CONSTRAINED.items():
        for evaluations in (function.evaluations // 2, function.evaluations):
            medians = {title: _median(runs, title, name, evaluations) for title in titles}
            least = min((median for median, _ in medians.values()), default=np.inf)
            floor = LEVEL * max(1.0, abs(function.least))
            cells = [_cell(*medians[title], least=max(least, floor)) for title in titles]
            body.append((f"{name} ({evaluations})", str(function.dimension), str(function.slacks), *cells))
    return aligned(("function (evaluations)", "D", "C", *titles), body)


def _median(runs: Sequence[Run], title: str, function: str, evaluations: int) -> tuple[float, int]:
    own = [r.regret(evaluations) for r in runs if r.job.title == title and r.job.function == function]
    return (float(np.median(own)), len(own)) if own else (float("inf"), 0)


def _cell(median: float, count: int, *, least: float) -> str:
    if not count:
        return ""
    if not np.isfinite(median):
        return f"– ({count})"
    words = f"{max(median, 0.0):.2g}"
    return f"**{words}** ({count})" if median <= least else f"{words} ({count})"


def page(runs: Sequence[Run]) -> str:
    """`docs/outcomes.md`."""
    measured = f"Measured {days(runs)} with `python -m benchmarks.outcomes`; written on {machine()}. {METHOD}"
    return f"""# Constraints on outcomes

{INTRODUCTION}

{measured}

{table(runs)}

Seconds are of the processor, of an ask, what refits take included (median over the runs):

{seconds_table(runs)}

The functions are in `benchmarks/outcome_functions.py`, with their sources.
"""


INTRODUCTION = (
    "What an evaluator returns beside the value may have to satisfy inequalities (`outcomes` and "
    "`constraints` of a spec, [README](../README.md#a-spec)). `auto` learns a Gaussian process of "
    "each slack, which is by how much one is satisfied, and weighs the improvement that it expects by "
    "the probability that all are; while nothing is known that satisfies them, it looks where "
    "something is likeliest to. An algorithm without a model of outcomes is told that what does not "
    "satisfy them has failed."
)
METHOD = (
    "Values are exact, and all that can be are told so. All begin with the same ten points and "
    "evaluate one at a time. Regret is the best value that satisfies the constraints less the least "
    "there is; shown is the median over the runs, whose number stands in brackets, at half of the "
    "evaluations and at all of them, the least in bold. A dash: half of the runs or more found "
    "nothing that satisfies them. `auto, failures` is `auto` without its model of outcomes."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, and print the page or write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--algorithms", default=",".join(ALGORITHMS))
    parser.add_argument("--functions", default=",".join(CONSTRAINED))
    parser.add_argument("--page", type=Path, help="where the page goes; printed, if left out")
    asked = parser.parse_args(arguments)
    # Seeds outside, so that an interrupted run has some of every function.
    jobs = [
        Job(algorithm, function, seed, as_failures)
        for seed in range(asked.seeds)
        for function in asked.functions.split(",")
        for algorithm in asked.algorithms.split(",")
        for as_failures in ((False, True) if algorithm == "auto" else (False,))
    ]
    RUNS.run_all(jobs, RESULTS)
    order = {title: i for i, title in enumerate(("auto", "auto, failures", *ALGORITHMS[1:]))}
    words = page(sorted(RUNS.kept(RESULTS), key=lambda found: order.get(found.job.title, len(order))))
    if asked.page is None:
        print(words, end="")
    else:
        asked.page.write_text(words, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
