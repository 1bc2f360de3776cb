"""Where a value is above a threshold: whose points tell most of it, by one and the same model.

python -m benchmarks.boundaries --seeds 3 --page docs/boundaries.md

Runs are kept as JSON lines in `benchmarks/results/boundaries`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.aligned_table import aligned
from benchmarks.contenders.boundaries import CONTENDERS, LOG_OF_PLACES, PARTS, SHOWN, TOLD, Run, run
from benchmarks.contenders.searches import SearchJob, one_job
from benchmarks.functions.boundaries import BOUNDARIES
from benchmarks.kept.comparison import KeptComparison, MediansTable
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

RUNS = KeptRuns(run, SearchJob, Run, lambda found: ", ".join(f"{one.wrong:.4f}" for one in found.judged))
TABLE = MediansTable(
    BOUNDARIES,
    {"D": lambda function: function.dimension},
    Run.wrong,
    lambda median: f"{100.0 * median:.2g} %",
    lambda _: 0.0,
    SHOWN,
)


def page(runs: Sequence[Run]) -> str:
    """`docs/boundaries.md`."""
    shown = sorted(runs, key=lambda found: CONTENDERS.index(found.job.title))
    return page_of(
        "Where a value crosses a threshold",
        GUIDE,
        "## What it is worth",
        f"{measured('boundaries', runs)} {METHOD}",
        TABLE.of(shown),
        FOUND,
        covered(shown),
        in_seconds(shown),
        "The functions are in `benchmarks/functions/boundaries.py`:",
        "\n".join(f"- {name}: {function.about}" for name, function in BOUNDARIES.items()),
    )


def covered(runs: Sequence[Run]) -> str:
    """How often the bounds that are said of the share hold, after each part of the evaluations."""
    own = [found.judged for found in runs if found.job.title == TOLD]
    if not own:
        return ""
    rows = []
    for i, part in enumerate(PARTS):
        seen = [one[i] for one in own]
        within = sum(one.low <= one.truth <= one.high for one in seen)
        width, expected, wrong = (
            100.0 * sum(each) / len(seen)
            for each in zip(*((one.high - one.low, one.expected, one.wrong) for one in seen), strict=True)
        )
        name = {4: "a quarter", 2: "half", 1: "all"}[part]
        rows.append(
            [name, f"{within} of {len(seen)}", f"{width:.2g} %", f"{expected:.2g} %", f"{wrong:.2g} %"]
        )
    heads = ["evaluations", "bounds held", "their width", "expected wrong", "wrong"]
    return "\n\n".join([COVERED, aligned(heads, rows)])


GUIDE = (
    "Not the best point is wanted, but the boundary: where a structure fails, a reaction runs away, a"
    " solution separates, a margin falls below zero. Where the objective has a `threshold`"
    " ([spec.md](spec.md#where-the-value-crosses-a-threshold)), each trial is where its result is expected to"
    " take most of the doubt of which side of it values lie on, all over the domain"
    " ([how](algorithms.md#where-the-value-crosses-a-threshold))."
)
METHOD = (
    "Values are exact, and told to be; they are evaluated one at a time. Shown is which share of the domain"
    " the mixture of `auto` puts on the wrong side of the threshold once it is fitted to them, whoever chose"
    f" the points, at {2**LOG_OF_PLACES} other points that lie evenly: the median over the runs, whose number"
    " stands in brackets, at half of the evaluations and at all of them; the least in bold. `auto` looks for"
    " the highest value, and the others know of no threshold either."
)
COVERED = (
    "Of the share that lies above, bounds are said that are to hold nine times out of ten. How often they did"
    " in the searches that were told the threshold, how far they lay from each other on average, which share"
    " was expected to be classified wrongly, and which was:"
)
FOUND = (
    "These are runs of few seeds. After half of the evaluations, most of which are the start design still,"
    " little is gained. After all of them least is on the wrong side on five of the six functions, by half"
    " and more on two, and on Ishigami's a little more than after exploring the whole function."
)


COMPARISON = KeptComparison("boundaries", RUNS, CONTENDERS, list(BOUNDARIES), CONTENDERS, one_job, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
