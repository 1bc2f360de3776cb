"""Limits that are kept in every trial: how many trials break one all the same, and what keeping it costs.

python -m benchmarks.safety --seeds 6 --page docs/safety.md

Runs are kept as JSON lines in `benchmarks/results/safety`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.aligned_table import aligned
from benchmarks.contenders.safety import KEPT, ORDINARY, RANDOM, Run, run
from benchmarks.contenders.searches import SearchJob, one_job
from benchmarks.functions.guarded import GUARDED
from benchmarks.kept.comparison import KeptComparison, MediansTable
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

CONTENDERS = (*KEPT, ORDINARY, RANDOM)
LEVEL = 0.01
"""Parts that were missed below are level."""


RUNS = KeptRuns(run, SearchJob, Run, lambda found: f"{found.broken} of {len(found.values)} broken")
MISSED = MediansTable(
    GUARDED,
    {"D": lambda function: function.dimension},
    Run.missed,
    lambda median: f"{max(0.0, 100.0 * median):.1f} %",
    lambda _: LEVEL,
)


def broken_table(runs: Sequence[Run]) -> str:
    """How many trials broke the limit, of how many, on each function."""
    titles = list(dict.fromkeys(found.job.title for found in runs))
    there = {found.job.function for found in runs}
    rows = []
    for name, function in GUARDED.items():
        if name in there:
            own = [[r for r in runs if r.job.title == title and r.job.function == name] for title in titles]
            rows.append((f"{name}: {function.about}", *map(_broken, own)))
    overall = [[r for r in runs if r.job.title == title] for title in titles]
    return aligned(("function", *titles), [*rows, ("all", *map(_broken, overall))])


def _broken(runs: Sequence[Run]) -> str:
    trials, broken = sum(len(r.values) for r in runs), sum(r.broken for r in runs)
    return f"{broken} of {trials} ({100.0 * broken / trials:.1f} %)" if trials else ""


def page(runs: Sequence[Run]) -> str:
    """`docs/safety.md`."""
    return page_of(
        "Limits that no trial may break",
        GUIDE,
        "## How often one is broken all the same",
        f"{measured('safety', runs)} {METHOD}",
        broken_table(runs),
        FOUND,
        "## How near the best it comes",
        MISSED_METHOD,
        MISSED.of(runs),
        in_seconds(runs),
        "The functions are in `benchmarks/functions/guarded.py`.",
    )


GUIDE = """\
On a robot, an accelerator or a reactor a broken limit destroys something. With
`constraints: ["probability(heat <= 80) >= 0.99"]` no trial is asked for unless the model holds it to be
that sure that it keeps the limit ([an example](../configs/labs/kept-limit.yaml),
[the spec](spec.md#limits-that-no-trial-may-break)).

- **What is promised** is what the model says, and no more: a Gaussian process of the slack, under draws of
  hyperparameters that the results leave possible. It takes the slack to change as fast anywhere as where it
  was measured. Where a limit is broken all at once, without a warning in what was measured before, the model
  does not foresee that, and nothing here does: keep what guards the machine itself.
- **Before anything is known** it expects the slack to change within about a quarter of each parameter's
  range, and to be as likely broken as not where nothing is near. So the first steps from the beginning are
  small, the smaller the nearer to the limit that lies; they grow as results say how smooth the slack is.
- **What probability to say**: of trials at the edge of what is held safe about as many break the limit as it
  allows, 1 in 100 at 0.99. Where one is too many, say `0.9999`, or a limit below the one that destroys: both
  cost what lies near the edge.
- **The noise** of what is measured counts: a trial is to be safe as it comes out, not on average.
- **What runs** is not counted on: what is held safe is so by results alone.
- **Choices** are safe once they were tried, by a point or a result that you gave: others are never tried.
- **A failure** may be that of a limit that was broken: what lies nearer to it than to all trials that kept
  the limits is left alone, until others come nearer from a side that keeps them.
- **Each trial** is where improvement is expected most on safe ground; or, where more is promised beyond,
  where it tells most of whether that is safe ([how](algorithms.md#limits-that-no-trial-may-break))."""
METHOD = (
    "All start from one result that keeps the limit, and evaluate one at a time. `kept at 0.99` is `auto`"
    " with `probability(…) >= 0.99`, and `an ordinary constraint` is `auto` with the same limit as one that"
    " only the best trial has to keep. Of drawn functions each seed has others. Counted are the evaluations"
    " whose measured slack was below 0."
)
FOUND = (
    "Of trials at 0.99 about as many break the limit as that allows where the slack is as smooth in one"
    " place as in another, and none at 0.9999 did; an ordinary constraint is broken by a third of them. The"
    " cliff is there to show what is not foreseen: its slack hardly changes, which is taken for smoothness,"
    " until it has fallen, and a higher probability is of little help. What breaks it is learned from, so"
    " that few follow."
)
MISSED_METHOD = (
    "Shown is what part of what could be gained over the start was not, the best that keeps the limit being"
    " that of 20,000 points anywhere, be they to be reached on safe ground or not: the median over the runs,"
    " whose number stands in brackets, at half of the evaluations and at all of them, the least in bold."
)


COMPARISON = KeptComparison("safety", RUNS, CONTENDERS, list(GUARDED), CONTENDERS, one_job, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
