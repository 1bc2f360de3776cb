"""A best point that moves while a run goes on: whether it is followed, by whoever is told the time and not.

python -m benchmarks.drift --seeds 1 --page docs/drift.md

Runs are kept as JSON lines in `benchmarks/results/drift`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

from benchmarks.contenders.drifting import Job, Run, run
from benchmarks.functions.drifting import DRIFTING, MOTIONS
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

ALGORITHMS = ("auto", "random")
TOLD = "auto, told the time"
LEVEL = 1e-6
"""Losses below are level."""

RUNS = KeptRuns(run, Job, Run, lambda found: f"{found.regret(len(found.values)):.3g}")
TRIED = MediansTable(
    DRIFTING,
    {"D": lambda function: function.dimension},
    Run.regret,
    regret_in_words,
    lambda _: LEVEL,
    parts=(1,),
)
BELIEVED = replace(TRIED, measured=Run.regret_believed)


def page(runs: Sequence[Run]) -> str:
    """`docs/drift.md`."""
    return page_of(
        "A best point that drifts",
        INTRODUCTION,
        f"{measured('drift', runs)} {METHOD}",
        "Of the point that was believed best at each of these trials, which is what `orchestrator best`"
        " says:",
        BELIEVED.of([found for found in runs if found.job.algorithm == "auto"]),
        "Of the points that were tried, the looking about for better ones included:",
        TRIED.of(runs),
        EXPLORES,
        CHANGED,
        in_seconds(runs),
        "The functions are in `benchmarks/functions/drifting.py`.",
    )


INTRODUCTION = (
    'Machines warm up and reagents age. With `clock: hours` in a spec, or `clock="hours"` from '
    "Python, the time is one more parameter, which is held where it is now "
    "([spec.md](spec.md#a-best-point-that-drifts))."
)
METHOD = (
    "The least value moves on a straight line through the unit cube, by "
    + ", ".join(f"{moved:g} (`{name}`)" for name, (moved, risen) in MOTIONS.items() if not risen)
    + " of its side in the course of a run; or stays, while all values rise by two standard deviations of "
    "the function (`rising`). Trials come one at a time and evenly; values are exact, and not told to be. "
    "The loss is how much more the function is at a point, at that time, than the least there is then; shown "
    "is its mean over the second half of a run, the median over the runs, whose number stands in brackets, "
    "the least in bold. `auto` alone takes all results to be of now."
)
EXPLORES = (
    "Beside a clock a trial is for what is not known only as far as that is worth what is lost by it "
    "([algorithms.md](algorithms.md#parameters-that-are-held)); else it is the point believed best at that "
    "time. Looking about less has its price: of hartmann-3, where it stands still or hardly moves, what is "
    "believed best is less good than to `auto` that takes all results to be of now. From Python, where "
    "it is held and nothing says that it is a clock, all trials look about."
)
CHANGED = (
    "In runs of 28 November `auto` alone lost clearly less on three functions. What it believed best of "
    "hartmann-3 that stands still lost 0.0023 (0.0093 now: since 29 November what was measured best is "
    "recommended, unless another point is surely better). What it tried lost 0.77 where camel drifts slowly "
    "(2.2 now), since values above zero are seen by their logarithm, too, and 18 where it races (38), since "
    "parameters may turn out to count by theirs; of each, one run was held against the change before. Told "
    "the time it does as well as it did, but for hartmann-3 that stands still (0.055 then, 0.075 now), where "
    "the code of that day ends as today's does on today's processor."
)


def jobs(algorithm: str, function: str, seed: int) -> list[Job]:
    """Ours told the time as well."""
    kinds = (True, False) if algorithm == "auto" else (False,)
    return [Job(algorithm, function, seed, told) for told in kinds]


COMPARISON = KeptComparison("drift", RUNS, ALGORITHMS, list(DRIFTING), (TOLD, *ALGORITHMS), jobs, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
