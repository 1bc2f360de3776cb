"""Where good settings are believed to lie: what it is worth to say so, and what it costs who is wrong.

python -m benchmarks.promising --seeds 5 --page docs/promising.md

Runs are kept as JSON lines in `benchmarks/results/promising`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.contenders.promising import Job, Run, run
from benchmarks.functions.promising import DEVIATIONS, EVALUATIONS, PROMISING
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

ALGORITHMS = ("auto",)
LEVEL = 1e-5
"""Regrets below are level."""

RUNS = KeptRuns(run, Job, Run, lambda found: f"{found.regret(len(found.values)):.3g}")
FOUND = MediansTable(
    PROMISING,
    {"D": lambda function: function.dimension},
    Run.regret,
    regret_in_words,
    lambda _: LEVEL,
    parts=(3, 2, 1),
)


def page(runs: Sequence[Run]) -> str:
    """`docs/promising.md`."""
    return page_of(
        "Where good settings are believed to lie",
        INTRODUCTION,
        f"{measured('promising', runs)} {METHOD}",
        FOUND.of(runs),
        READING,
        in_seconds(runs),
        "The functions are in `benchmarks/functions/promising.py`.",
    )


INTRODUCTION = (
    "Where a person believes that good settings lie, `promising` says so"
    " ([spec.md](spec.md#where-good-settings-are-believed-to-lie),"
    " [algorithms.md](algorithms.md#where-good-settings-are-believed-to-lie)). Here is what that is worth to"
    " `auto`, and what it costs who is wrong."
)
METHOD = (
    "Synthetic functions of D parameters, shifted and permuted by the seed."
    f" {EVALUATIONS} evaluations, one after the other, values exact, and told to be. Of every parameter is"
    f" believed: where right, a number with a deviation of {DEVIATIONS['right']:g} of the range, off the"
    f" best by a draw of that; where wide, the same with {DEVIATIONS['wide']:g}; where wrong, a number half"
    f" the range away from the best, with a deviation of {DEVIATIONS['wrong']:g}; or nothing. Regret is the"
    " best value less the least there is; shown is the median over the runs, whose number stands in"
    " brackets, at a third of the evaluations, at half of them and after all, the least in bold; below"
    f" {LEVEL:g} all count as equal."
)
READING = (
    "Five runs each, so that what lies within a few times may be luck. A right belief is ahead of none on"
    " all six functions after a third of the evaluations, by two to nine times, and after half of them; in"
    " the end it is nearer on three, by eight to 26 times, and level on the other three. A wide one is"
    " ahead after half of the evaluations on five, by little; in the end it is nearer on two and farther"
    " off on hartmann-6. Who is wrong is behind after half of the evaluations on five, by no more than two"
    " and a half times; in the end nearer on two, farther off on two by twice, level on one, and on camel"
    " 0.00006 is left of what the others had found to all digits that count."
)


def jobs(algorithm: str, function: str, seed: int) -> list[Job]:
    """With each belief, and with none."""
    return [Job(algorithm, function, seed, belief) for belief in ("", *DEVIATIONS)]


COMPARISON = KeptComparison("promising", RUNS, ALGORITHMS, list(PROMISING), ("none", *DEVIATIONS), jobs, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
