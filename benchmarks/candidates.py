"""Lists of what may be tried: how many rows are tried until the best one is found.

python -m benchmarks.candidates --seeds 5 --algorithms auto,random,botorch-log-ei --page docs/candidates.md

Runs are kept as JSON lines in `benchmarks/results/candidates`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone. Peers need the extra ``[compare]``, and the pool of proteins `data/CASP.csv`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from benchmarks.aligned_table import aligned
from benchmarks.contenders.candidates import SHARE, Run, run
from benchmarks.contenders.searches import SearchJob, one_job
from benchmarks.functions.pools import POOLS, PROTEINS
from benchmarks.kept.comparison import KeptComparison
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

ALGORITHMS = ("auto", "random")

RUNS = KeptRuns(
    run,
    SearchJob,
    Run,
    lambda found: f"best 1 % by {found.tried_until(SHARE):g}, best by {found.tried_until(0.0):g}",
)


def page(runs: Sequence[Run]) -> str:
    """`docs/candidates.md`."""
    return page_of(
        "Lists of what may be tried",
        INTRODUCTION,
        f"{measured('candidates', runs)} {METHOD}",
        "Rows tried until one of the best hundredth was:",
        table(runs, SHARE),
        "Rows tried until the best one was:",
        table(runs, 0.0),
        in_seconds(runs),
        "The pools are in `benchmarks/functions/pools.py`.",
    )


INTRODUCTION = (
    "Where only what is listed can be tried, as the samples in a freezer, these are `candidates` of a spec"
    " ([spec.md](spec.md#only-what-is-listed)): for each trial every row that is left is looked at. What that"
    " is worth is how many of them need not be tried."
)
METHOD = (
    "Values are exact, and all that can be are told so. One row is tried at a time, each once, 80 in all:"
    f" `hartmann-6` has {POOLS['hartmann-6'].count:,} rows of 6 columns that go together, `alloys`"
    f" {POOLS['alloys'].count:,} of 4 shares and 4 properties that follow from them but for scatter,"
    f" `few matter` {POOLS['few matter'].count:,} of 12 columns of which 3 say anything, and `proteins`"
    f" {POOLS['proteins'].count:,} structures with 9 measurements of each, which say little. Shown are the"
    " medians over the runs, whose number stands in brackets, the least in bold; a dash: half of them or more"
    " did not find it. By chance, without any repeated, the best row is found after half of all on the"
    " average, and one of the best hundredth after about 90."
)


def table(runs: Sequence[Run], share: float) -> str:
    """A row for each pool, a column for each contender."""
    titles = list(dict.fromkeys(found.job.title for found in runs))
    body = []
    for name, pool in POOLS.items():
        own = {t: [r for r in runs if r.job.title == t and r.job.function == name] for t in titles}
        if not any(own.values()):
            continue
        medians = {t: float(np.median([r.tried_until(share) for r in own[t]])) for t in titles if own[t]}
        least = min(medians.values())
        cells = [_cell(medians.get(t), len(own[t]), least) for t in titles]
        body.append((name, f"{pool.count:,}", *cells))
    return aligned(("pool", "rows", *titles), body)


def _cell(median: float | None, count: int, least: float) -> str:
    if median is None:
        return ""
    if not np.isfinite(median):
        return f"– ({count})"
    return f"**{median:g}** ({count})" if median == least else f"{median:g} ({count})"


COMPARISON = KeptComparison(
    "candidates",
    RUNS,
    ALGORITHMS,
    [name for name in POOLS if name != "proteins" or PROTEINS.is_file()],
    ("auto", "gp-ei", "botorch-log-ei", "random"),
    one_job,
    page,
)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
