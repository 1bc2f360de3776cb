"""Conditions that vary in use: who finds a design that is best over them, in how many evaluations.

python -m benchmarks.in_use --seeds 3 --page docs/in-use.md

Runs are kept as JSON lines in `benchmarks/results/in-use`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.contenders.in_use import CONTENDERS, Run, run
from benchmarks.contenders.searches import SearchJob, one_job
from benchmarks.functions.in_use import IN_USE
from benchmarks.kept.comparison import KeptComparison, MediansTable
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

LEVEL = 0.001
"""Parts that were missed below are level."""

RUNS = KeptRuns(run, SearchJob, Run, lambda found: ", ".join(f"{value:.4f}" for value in found.values))
MISSED = MediansTable(
    IN_USE,
    {
        "design": lambda function: function.dimension - len(function.in_use.coordinates),
        "conditions": lambda function: len(function.in_use.coordinates),
    },
    Run.missed,
    lambda median: f"{max(0.0, 100.0 * median):.1f} %",
    lambda _: LEVEL,
)


def page(runs: Sequence[Run]) -> str:
    """`docs/in-use.md`."""
    shown = sorted(runs, key=lambda found: CONTENDERS.index(found.job.title))
    return page_of(
        "Conditions that vary in use",
        GUIDE,
        "## What it is worth",
        f"{measured('in_use', runs)} {METHOD}",
        MISSED.of(shown),
        FOUND,
        in_seconds(shown),
        "The functions are in `benchmarks/functions/in_use.py`:",
        "\n".join(f"- {name}: {function.about}" for name, function in IN_USE.items()),
    )


GUIDE = (
    "A simulation is told the wind, the load or the demand; in use nobody sets them, and they vary. Where"
    " parameters are `in_use` ([spec.md](spec.md#conditions-that-vary-in-use)), `auto` looks for the design"
    " of the others that is best on average over that, or in the worst part of it"
    " ([how](algorithms.md#conditions-that-vary-in-use)). Each evaluation is of a design in one condition,"
    " and says something of that design in others, and of other designs there."
)
METHOD = (
    "Values are exact, and all are told so; one is evaluated at a time. `told of use` is `auto` that knows"
    " how conditions vary, and recommends what it believes best. The others know of designs alone: of each"
    " they are told what its values in 4 or 8 conditions come to, each of which is an evaluation, or its"
    " value in the usual condition; they recommend the design of which they were told most. `random` tries"
    " designs by chance, in 4 conditions each. Shown is what part of what the best design is above an average"
    " one the recommended one misses, over 8 times as many conditions as the search knows where these are not"
    " listed: the median over the runs, whose number stands in brackets, at half of the evaluations and at"
    " all of them, the least in bold."
)
FOUND = (
    "Where the usual condition misleads, as on ridge, it is worth all of the difference. Where it does not,"
    " as on branin-williams, evaluating each design in it alone comes nearer sooner: values there span orders"
    " of magnitude, of which a model whose values are not warped, as averages ask for, learns slowly. Several"
    " conditions for each design are too dear for so few evaluations."
)


COMPARISON = KeptComparison("in-use", RUNS, CONTENDERS, list(IN_USE), CONTENDERS, one_job, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
