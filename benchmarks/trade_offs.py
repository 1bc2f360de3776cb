"""Several objectives: whose front comes nearest to the best one in few evaluations.

python -m benchmarks.trade_offs --seeds 5 --algorithms auto,optuna-gp --page docs/trade-offs.md

Runs are kept as JSON lines in `benchmarks/results/trade_offs`, and what is there is not run again. Each has a
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
from benchmarks.trade_off_functions import TRADED_OFF
from benchmarks.trade_off_runs import Job, Run, run

RESULTS = PROJECT / "benchmarks" / "results" / "trade_offs" / "runs.jsonl"
ALGORITHMS = ("auto", "optuna-gp", "optuna-tpe", "ax", "random")


def _read(told: Mapping[str, Any]) -> Run:
    values = tuple(None if one is None else tuple(one) for one in told["values"])
    return Run(Job(**told["job"]), values, told["seconds"], told.get("date", ""))


RUNS = KeptRuns(run, _read, lambda found: f"{found.missing(len(found.values)):.1%}")


def table(runs: Sequence[Run]) -> str:
    """The median share of the hypervolume that each contender misses on each function, and in brackets of how
    many runs; the least in bold.
    """
    titles = list(dict.fromkeys(found.job.title for found in runs))
    body = []
    for name, function in TRADED_OFF.items():
        for evaluations in (function.evaluations // 2, function.evaluations):
            medians = [_median(runs, title, name, evaluations) for title in titles]
            least = min((median for median, count in medians if count), default=np.inf)
            cells = [_cell(median, count, least=least) for median, count in medians]
            sizes = map(str, (function.dimension, function.objectives, function.slacks))
            body.append((f"{name} ({evaluations})", *sizes, *cells))
    return aligned(("function (evaluations)", "D", "M", "C", *titles), body)


def _median(runs: Sequence[Run], title: str, function: str, evaluations: int) -> tuple[float, int]:
    own = [r.missing(evaluations) for r in runs if r.job.title == title and r.job.function == function]
    return (float(np.median(own)), len(own)) if own else (float("inf"), 0)


def _cell(median: float, count: int, *, least: float) -> str:
    if not count:
        return ""
    words = f"{100.0 * median:.3g}"
    return f"**{words}** ({count})" if median <= least else f"{words} ({count})"


def page(runs: Sequence[Run]) -> str:
    """`docs/trade-offs.md`."""
    measured = (
        f"Measured {days(runs)} with `python -m benchmarks.trade_offs`; written on {machine()}. {METHOD}"
    )
    return f"""# Several objectives

{INTRODUCTION}

{measured}

{table(runs)}

Seconds are of the processor, of an ask, what refits take included (median over the runs):

{seconds_table(runs)}

The functions are in `benchmarks/trade_off_functions.py`, with their sources, and
`python -m benchmarks.widest_front` finds their best fronts.
"""


INTRODUCTION = (
    "Of several objectives (`objectives` of a spec, [README](../README.md#a-spec)) no trial is the best: a "
    "run ends with a front: trials that no other beats in all of them. `auto` learns a Gaussian process of "
    "each further objective beside its mixture for the first, and looks where the front is expected to gain "
    "most hypervolume, times the probability that constraints on outcomes are satisfied."
)
METHOD = (
    "Values are exact, and all that can be are told so. All begin with the same ten points and evaluate one "
    "at a time. Shown is how much of the hypervolume of the best front their trials do not dominate, in per "
    "cent, as the median over the runs, whose number stands in brackets, at half of the evaluations and at "
    "all of them, the least in bold. Of three objectives no front of so few points misses nothing."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, and print the page or write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--algorithms", default=",".join(ALGORITHMS))
    parser.add_argument("--functions", default=",".join(TRADED_OFF))
    parser.add_argument("--page", type=Path, help="where the page goes; printed, if left out")
    asked = parser.parse_args(arguments)
    # Seeds outside, so that an interrupted run has some of every function.
    jobs = [
        Job(algorithm, function, seed)
        for seed in range(asked.seeds)
        for function in asked.functions.split(",")
        for algorithm in asked.algorithms.split(",")
    ]
    RUNS.run_all(jobs, RESULTS)
    order = {title: i for i, title in enumerate(ALGORITHMS)}
    words = page(sorted(RUNS.kept(RESULTS), key=lambda found: order.get(found.job.title, len(order))))
    if asked.page is None:
        print(words, end="")
    else:
        asked.page.write_text(words, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
