"""Trainings whose settings may change on the way: what a population makes of that for the same steps.

python -m benchmarks.population --seeds 5 --page docs/population.md

Runs are kept as JSON lines in `benchmarks/results/population`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.contenders.going_on import Job, Run
from benchmarks.contenders.population import ALGORITHMS, PIECES, jobs, run
from benchmarks.functions.scheduled import SCHEDULED
from benchmarks.kept.comparison import KeptComparison, MediansTable
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

TITLES = tuple(ALGORITHMS)


def _in_words(median: float) -> str:
    return f"{median:.3g}"


RUNS = KeptRuns(run, Job, Run, lambda found: f"{found.regret(SCHEDULED[found.job.function].evaluations):.3g}")
TABLE = MediansTable(
    SCHEDULED,
    {"D": lambda function: function.dimension, "steps": lambda function: function.steps},
    Run.regret,
    _in_words,
    lambda _: float("-inf"),
)


def page(runs: Sequence[Run]) -> str:
    """`docs/population.md`."""
    return page_of(
        "Trainings whose settings change on the way",
        INTRODUCTION,
        f"{measured('population', runs)} {METHOD}",
        TABLE.of(runs),
        in_seconds(runs),
        "The functions are in `benchmarks/functions/scheduled.py`.",
    )


INTRODUCTION = (
    "Where a training may go on with other settings than it began with, as with a lower rate, `algorithm: "
    "pb2` trains a population in pieces: at the end of each the worst quarter goes on from what one of "
    "the best left, with the settings of which a model promises most by the next piece; with `pbt` these "
    "change at random ([algorithms.md](algorithms.md#trainings-in-pieces)). `auto` gives a training the "
    "same settings all along."
)
METHOD = (
    "There are five ways to spend as many steps as so many whole trainings have: by `auto` on all steps "
    "each time; by `auto` on fewer as well, of which some go on ([going-on.md](going-on.md)); on all "
    f"steps with settings at random; and by both populations, of 8 trainings in {PIECES} pieces. One piece "
    "runs at a time, and values are told to be exact. Of `annealed`, a descent by noisy slopes, rates "
    "that fall are best; the value is the logarithm to base 10 of its expected loss. Of `steady` the same "
    "settings are best all along; it is the logarithm of the loss. Of `digits` it is the loss of a "
    "network of 32 and 16 neurons, by stochastic gradients, on data that it does not learn from. Shown is "
    "the least value of all steps: the median over the runs, whose number stands in brackets, at half of "
    "the budget and at all of it, the least in bold."
)

COMPARISON = KeptComparison("population", RUNS, ("auto",), list(SCHEDULED), TITLES, jobs, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
