"""Several objectives: whose front comes nearest to the best one in few evaluations.

python -m benchmarks.trade_offs --seeds 5 --algorithms auto,optuna-gp --page docs/trade-offs.md

Runs are kept as JSON lines in `benchmarks/results/trade-offs`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone. Peers need the extra ``[compare]``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.contenders.searches import SearchJob, one_job
from benchmarks.contenders.trade_offs import Run, run
from benchmarks.functions.trade_offs import TRADED_OFF
from benchmarks.kept.comparison import KeptComparison, MediansTable
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

ALGORITHMS = ("auto", "optuna-gp", "optuna-tpe", "ax", "random")


RUNS = KeptRuns(run, SearchJob, Run, lambda found: f"{found.missing(len(found.values)):.1%}")


TABLE = MediansTable(
    TRADED_OFF,
    {
        "D": lambda function: function.dimension,
        "M": lambda function: function.objectives,
        "C": lambda function: function.slacks,
    },
    Run.missing,
    lambda median: f"{100.0 * median:.3g}",
    lambda _: 0.0,
)


def page(runs: Sequence[Run]) -> str:
    """`docs/trade-offs.md`."""
    return page_of(
        "Several objectives",
        INTRODUCTION,
        f"{measured('trade_offs', runs)} {METHOD}",
        TABLE.of(runs),
        in_seconds(runs),
        "The functions are in `benchmarks/functions/trade_offs.py`, with their sources, and\n"
        "`python -m benchmarks.widest_front` finds their best fronts.",
    )


INTRODUCTION = (
    "Of several objectives (`objectives` of a spec, [spec.md](spec.md#several-objectives)) no trial is the "
    "best: a run ends with a front: trials that no other beats in all of them. `auto` learns a Gaussian "
    "process of each further objective beside its mixture for the first, and looks where the front is "
    "expected to gain most hypervolume, times the probability that constraints on outcomes are satisfied."
)
METHOD = (
    "Values are exact, and all that can be are told so. All but `random` begin with the same ten points, and "
    "all evaluate one at a time. Shown is how much of the hypervolume of the best front their trials do not "
    "dominate, in per cent, as the median over the runs, whose number stands in brackets, at half of the "
    "evaluations and at all of them, the least in bold, however few runs it is of. Of three objectives no "
    "front of so few points misses nothing."
)


COMPARISON = KeptComparison("trade-offs", RUNS, ALGORITHMS, list(TRADED_OFF), ALGORITHMS, one_job, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
