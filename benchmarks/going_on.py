"""Evaluations that go on from what fewer of their steps left: what that buys for the same cost.

python -m benchmarks.going_on --seeds 5 --page docs/going-on.md

Runs are kept as JSON lines in `benchmarks/results/going-on`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from benchmarks.aligned_table import aligned
from benchmarks.contenders.going_on import ASHA, HYPERBAND, WAYS, Job, Run, run
from benchmarks.functions.trainings import TRAININGS
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

TITLES = WAYS
LEVEL = 1e-6
"""Regrets below are level."""

RUNS = KeptRuns(run, Job, Run, lambda found: f"{found.regret(TRAININGS[found.job.function].evaluations):.3g}")
TABLE = MediansTable(
    TRAININGS,
    {"D": lambda function: function.dimension, "steps": lambda function: function.whole.steps},
    Run.regret,
    regret_in_words,
    lambda _: LEVEL,
)


def page(runs: Sequence[Run]) -> str:
    """`docs/going-on.md`."""
    return page_of(
        "Evaluations that go on from less close ones",
        INTRODUCTION,
        f"{measured('going_on', runs)} {METHOD}",
        TABLE.of(runs),
        "How many trials there were, and of these how many came to all steps and how many went on from"
        " another (medians over the runs):",
        _trials(runs),
        in_seconds(runs),
        "The functions are in `benchmarks/functions/trainings.py`.",
    )


def _trials(runs: Sequence[Run]) -> str:
    body = []
    for name in TRAININGS:
        cells = []
        for title in TITLES[1:]:
            own = [found for found in runs if (found.job.function, found.job.title) == (name, title)]
            if own:
                counts = [(len(found.values), found.whole, found.taken_up) for found in own]
                trials, whole, taken_up = np.median(counts, axis=0)
                cells.append(f"{trials:g}, {whole:g} whole, {taken_up:g} went on")
        if len(cells) == len(TITLES) - 1:
            body.append((name, *cells))
    return aligned(("function", *TITLES[1:]), body)


INTRODUCTION = (
    "Where an evaluation can go on from what one of fewer steps left "
    "([how](evaluators.md#going-on-from-a-less-close-look)), `fidelity: {parameter: steps, cost: steps, "
    "continues: true}` has `auto` take up again what it has begun, and pay the difference alone: what a point"
    " promises at full fidelity, times what an evaluation tells of that, is weighed against what is left to "
    "pay for it ([algorithms.md](algorithms.md#how-closely-an-evaluation-looks)). With `asha` and `hyperband`"
    " the best third at each [rung](algorithms.md#halving-by-rungs) goes on to the next, without a model."
)
METHOD = (
    "There are five ways to spend as many steps as so many whole evaluations have: on all steps each time "
    "(`auto`), on fewer where that tells more for its cost, each evaluation from its first step on (`auto, "
    "fidelity chosen`), with what was begun taken up again (`auto, going on`), and by rungs of a tenth, about"
    " a third and all of the steps (`asha`, and with brackets `hyperband`), where it is taken up again, too. "
    "Trials come one at a time, values are told to be exact, and a tenth of all steps are the fewest. An "
    "evaluation that is not whole comes to what it would report at that step: of `descents` curves cross, of "
    "`late` what is best looks worst until half of the way, of `digits` and `tumours` it is the loss of a "
    "network after so many epochs, under the seed of the run. Shown is the least value of all steps, less the"
    " least there is (of the networks the loss itself): the median over the runs, whose number stands in "
    "brackets, at half of the budget and at all of it, the least in bold."
)


def jobs(algorithm: str, function: str, seed: int) -> list[Job]:
    """All ways of an algorithm: those of rungs have one each."""
    hows = [how for how in WAYS if (how if how in (ASHA, HYPERBAND) else "auto") == algorithm]
    return [Job(algorithm, function, seed, how) for how in hows]


COMPARISON = KeptComparison("going-on", RUNS, ("auto", ASHA, HYPERBAND), list(TRAININGS), TITLES, jobs, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
