"""Best settings for each condition: who finds them, in how many evaluations.

python -m benchmarks.for_each --seeds 2 --page docs/for-each.md

Runs are kept as JSON lines in `benchmarks/results/for-each`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from benchmarks.aligned_table import aligned
from benchmarks.contenders.for_each import CONTENDERS, PARTS, Run, run
from benchmarks.contenders.searches import SearchJob, one_job
from benchmarks.functions.for_each import FOR_EACH
from benchmarks.kept.comparison import KeptComparison, MediansTable
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

LEVEL = 0.0005
"""Parts that were missed below are level."""
LEAST = 0.0001
"""And below these nothing is missed."""

RUNS = KeptRuns(run, SearchJob, Run, lambda found: ", ".join(f"{value:.4f}" for value in found.values))
MISSED = MediansTable(
    FOR_EACH,
    {
        "settings": lambda function: function.dimension - len(function.in_use.coordinates),
        "conditions": lambda function: len(function.in_use.coordinates),
    },
    Run.missed,
    lambda median: f"{100.0 * median:.2g} %" if median >= LEAST else "0.0 %",
    lambda _: LEVEL,
)


def page(runs: Sequence[Run]) -> str:
    """`docs/for-each.md`."""
    there = {found.job.function for found in runs}
    shown = sorted(runs, key=lambda found: CONTENDERS.index(found.job.title))
    return page_of(
        "The best settings for each condition",
        GUIDE,
        "## What it is worth",
        f"{measured('for_each', runs)} {METHOD}",
        MISSED.of(shown),
        FOUND,
        in_seconds(shown),
        AGAIN,
        "The functions are in `benchmarks/functions/for_each.py`:",
        "\n".join(f"- {name}: {one.about}" for name, one in FOR_EACH.items() if name in there),
        *_how_sure(shown),
    )


def _how_sure(runs: Sequence[Run]) -> tuple[str, ...]:
    """A section, of the runs that say so."""
    body = list[tuple[str, ...]]()
    for name, function in FOR_EACH.items():
        own = [found for found in runs if found.sure and found.job.function == name]
        for number, part in enumerate(PARTS if own else ()):
            sure = [found.sure[number] for found in own]
            foreseen = [one for _, one in sure if one is not None]
            body.append(
                (
                    f"{name} ({function.evaluations // part})",
                    f"{100.0 * np.mean([within for within, _ in sure]):.0f} % ({len(own)})",
                    f"{MISSED.written(float(np.median(foreseen)))} ({len(foreseen)})" if foreseen else "",
                    MISSED.written(float(np.median([found.values[number] for found in own]))),
                )
            )
    if not body:
        return ()
    head = ("function (evaluations)", "within two deviations", "expected to be missed", "missed")
    return "## How sure it is", SURE, aligned(head, body), FOUND_SURE


GUIDE = (
    "A controller is tuned for every load, a recipe for every batch. Where it is said of conditions how they"
    " come up in use, and `over: each` ([spec.md](spec.md#the-best-settings-for-each-condition)), `auto`"
    " looks for the settings that are best in each of them"
    " ([how](algorithms.md#the-best-settings-for-each-condition))."
    " Each evaluation is of settings in one condition, and says something of the conditions beside it."
)
METHOD = (
    "One is evaluated at a time; values are exact, and all are told so, but where the list below says"
    " noise, of which nobody is told. `told of each` is `auto` that is told of the conditions, and"
    " recommends what it believes best in each. `3 searches` and `6 searches` are as many of `auto`,"
    " each in one condition, which share the evaluations; between these, settings are interpolated where"
    " the condition is one number, and else they are those of the nearest. `spread points` are as many"
    " points that fill the cube evenly, with the models and recommendations of the first. `one for all`"
    " is the design that is best on average over the conditions, of `auto` as well. Shown is what part"
    " of what the best settings are above average ones the recommended ones miss, on average over 16"
    " conditions, or all where fewer are listed: the median over the runs, whose number stands in"
    " brackets, at half of the evaluations and at all of them, the least in bold."
)
FOUND = (
    "Runs are few: three seeds. At the full budget one search over settings and conditions comes nearest"
    " on bend, or as near as evenly spread points with the same models, which are level with it on branin"
    " and solver: there so many points tell what there is to know. On hartmann it is ahead at half of"
    " the budget and gains little after that, and three searches in conditions of their own come nearer:"
    " its best settings hardly hang on the condition, so that one design for all comes about as near."
    " Nor is it ahead of three searches in the noise of controller. Elsewhere these miss several times"
    " as much: each has too few evaluations, and what lies between the conditions is interpolated. Six"
    " searches do no better than three anywhere."
)
AGAIN = (
    "`told of each` was run again after the others, on another machine: its seconds are not to be held"
    " against theirs."
)
SURE = (
    "Of `told of each`: in what share of the conditions the value of the settings that `best` shows lies"
    " within two deviations, twice what stands behind `±`, of what it expects, on average over the runs;"
    " and what part the models expect to be missed, by which `budget: {expected_gain: ...}` ends a run,"
    " beside what was missed: medians over the runs, of what is expected over those in which they"
    " [can tell](stopping.md), whose number stands in brackets."
)
FOUND_SURE = (
    "Two deviations are meant to hold nineteen times of twenty, and nearly do: less often half-way on"
    " hartmann, in the noise of controller, and after 12 evaluations of branin, where one run of three is far"
    " too sure; of what is left that one says nothing. What is left is foreseen about as it is"
    " on branin and bend. In the noise of controller it is taken for three times as"
    " much or more, so that a run goes on for longer than it need; on hartmann in the end, and"
    " early on solver, for a seventh, so that it might end too soon: a better place that no model knows of"
    " is not missed by any."
)


COMPARISON = KeptComparison("for-each", RUNS, CONTENDERS, list(FOR_EACH), CONTENDERS, one_job, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
