"""Values that come in blocks, each off by an offset of its own: what it is worth to be told of the blocks.

python -m benchmarks.blocks --seeds 3 --page docs/blocks.md

Runs are kept as JSON lines in `benchmarks/results/blocks`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from benchmarks.contenders.blocks import Job, Run, run
from benchmarks.functions.blocked import A_BLOCK, BLOCKED, NOISE
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

ALGORITHMS = ("auto",)


RUNS = KeptRuns(run, Job, Run, lambda found: f"{found.values[-1][1]:.3g}")
REGRETS = MediansTable(
    BLOCKED,
    {"offsets": lambda function: round(function.times)},
    Run.regret,
    regret_in_words,
    lambda _: 0.0,
)


def page(runs: Sequence[Run]) -> str:
    """`docs/blocks.md`."""
    return page_of(
        "Offsets of blocks",
        INTRODUCTION,
        f"{measured('blocks', runs)} {METHOD}",
        "Regret of the point believed best, without offsets:",
        REGRETS.of(runs),
        _offsets([found for found in runs if found.missed is not None]),
        in_seconds(runs),
        TRIED,
        "The functions are in `benchmarks/functions/blocked.py`.",
    )


INTRODUCTION = (
    "Plates, days and robots differ by an offset that nobody chooses. With `blocks: plate` in a spec, or "
    "`blocks=True` from Python, what results of a block share is learned and taken off "
    "([spec.md](spec.md#results-that-differ-by-an-offset))."
)
TRIED = (
    "What was tried: values seen through maps that draw in heavy tails, through which an offset adds what it"
    " does to first order. On camel the medians of ten runs were better, and three ended far from the top"
    " that they had been at, where one does so without: a block whose offset is not known yet then says much"
    " too much of the function."
)
METHOD = (
    f"Trials come one at a time, in blocks of {A_BLOCK}; the deviation of the noise, of which nothing is"
    f" told, is {100.0 * NOISE:.0f} % of that of the function's values, and that of the offsets as many times"
    " as much as the column says. `auto` is told which block a result is of; or has the block as a choice,"
    " held where it is; or is told nothing of blocks, and what they differ by is noise to it. Shown are the"
    " medians over the runs, whose number stands in brackets, the least in bold."
)


def _offsets(runs: Sequence[Run]) -> str:
    """How far those believed are off, beside the means of blocks."""
    told = [(found.missed, found.missed_by_means) for found in runs if found.missed is not None]
    if not told:
        return ""
    missed, by_means = np.median(np.array(told, dtype=float), axis=0)
    return (
        f"The offsets that `auto` believes in at the end are off by {missed:.2g} times the noise (the median "
        f"of {len(told)} runs, by root mean square, about their mean); the means of blocks, beside that of "
        f"all, by {by_means:.2g} times: a later block is at better points, and its mean is not its offset."
    )


def jobs(algorithm: str, function: str, seed: int) -> list[Job]:
    """Each way to tell of blocks."""
    return [
        Job(algorithm, function, seed, "blocks"),
        Job(algorithm, function, seed, "held"),
        Job(algorithm, function, seed, "nothing"),
    ]


TITLES = tuple(job.title for job in jobs("auto", "", 0))
COMPARISON = KeptComparison("blocks", RUNS, ALGORITHMS, list(BLOCKED), TITLES, jobs, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
