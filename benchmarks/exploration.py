"""Whose points tell most of a whole function: how far one and the same model is off after few evaluations.

python -m benchmarks.exploration --seeds 5 --page docs/exploration.md

Runs are kept as JSON lines in `benchmarks/results/exploration`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.contenders.exploration import LOG_OF_PLACES, PARTS, Run, run
from benchmarks.contenders.searches import SearchJob, one_job
from benchmarks.functions.exploration import EVALUATIONS, EXPLORED
from benchmarks.kept.comparison import KeptComparison, MediansTable
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

ALGORITHMS = ("explore", "sobol", "random", "auto")


RUNS = KeptRuns(run, SearchJob, Run, lambda found: ", ".join(f"{error:.3g}" for error in found.values))
TABLE = MediansTable(
    EXPLORED,
    {"D": lambda function: function.dimension},
    Run.error,
    lambda median: f"{float(f'{100.0 * median:.2g}'):g}",
    lambda _: 0.0,
    PARTS,
)


def page(runs: Sequence[Run]) -> str:
    """`docs/exploration.md`."""
    return page_of(
        "Learning the whole function",
        INTRODUCTION,
        f"{measured('exploration', runs)} {METHOD}",
        TABLE.of(runs),
        in_seconds(runs),
        "The functions are in `benchmarks/functions/sensitivity.py`; `hartmann-6` and `styblinski-tang-10`"
        " are those of\n[comparison.md](comparison.md), shifted otherwise for each seed.",
    )


INTRODUCTION = (
    "`algorithm: {name: explore}` asks for points that tell most of the function all over its domain, "
    "and not for its best point ([algorithms.md](algorithms.md#the-whole-function)). What is known in the "
    "end is asked of a model of the results, which `orchestrator sensitivity` and `tolerance` fit whichever "
    "algorithm chose the points. Here that model is held against the function itself."
)
METHOD = (
    f"Values are exact, and told to be; {EVALUATIONS} are evaluated, one at a time, the first ten the same "
    "for all but `random`. Shown is how far the mixture of `auto` is off once it is fitted to them, whoever "
    f"chose the points: the root of the mean square over {2**LOG_OF_PLACES} other points that lie evenly, in "
    "per cent of the function's own deviation, the median over the runs, whose number stands in brackets; "
    "the least in bold."
)


COMPARISON = KeptComparison("exploration", RUNS, ALGORITHMS, list(EXPLORED), ALGORITHMS, one_job, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
