"""What the results of a related experiment are worth to a search, and what they cost where they mislead.

python -m benchmarks.related --seeds 5 --page docs/related.md

Runs are kept as JSON lines in `benchmarks/results/related`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.contenders.related import NOTHING, Job, Run, run
from benchmarks.functions.related import BENT, GATHERED_WITHIN, OTHERS, RELATED, SHIFT, SPREAD
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

ALGORITHMS = ("auto",)
RUNS = KeptRuns(run, Job, Run, lambda found: f"{found.regret(len(found.values)):.3g}")
# A sixth, a third, half and all of the trials.
PARTS = (6, 3, 2, 1)
LEAST = 1e-6
REGRETS = MediansTable(RELATED, {}, Run.regret, regret_in_words, lambda _: LEAST, PARTS)


def page(runs: Sequence[Run]) -> str:
    """`docs/related.md`."""
    return page_of(
        "Knowledge of a related experiment",
        INTRODUCTION,
        f"{measured('related', runs)} {METHOD}",
        "Regret of the best trial, by what is told of the other experiment:",
        REGRETS.of(runs),
        READING,
        in_seconds(runs),
        TRIED,
        "The functions are in `benchmarks/functions/related.py`.",
    )


INTRODUCTION = (
    "Results of last month's campaign, on another robot or with another catalyst, are no results of this"
    " one, and yet say where its hills may be. With `initial: {related: old.csv}` in a spec, or `related=`"
    " from Python, they make further hypotheses, which are believed as far as this experiment's results show"
    " them right ([spec.md](spec.md#what-a-related-experiment-found))."
)
METHOD = (
    f"`auto` is told one value after the other, without noise. The other experiment has {2 * SPREAD} results,"
    f" of which {SPREAD} are spread and as many lie about its best point, {100.0 * GATHERED_WITHIN:.0f} % of"
    " the ranges away in each parameter. It is the same function in other units and with another level"
    f" (scaled); that with its hills {100.0 * SHIFT:.0f} % of the ranges away in each parameter (shifted);"
    f" the same with a slope of its own, {BENT:g} times as much as its values vary (bent); its opposite, in"
    " other units (flipped); or the same function with its hills somewhere else (unrelated). Shown are the"
    f" medians over the runs, whose number stands in brackets, the least in bold; below {LEAST:g} all count"
    " as equal."
)
READING = (
    "The first trial of a search that is told of another experiment is at the best point of that, and the"
    " third at the best one far from there, so that what misleads costs these two. Five more are spread,"
    " where ten are without."
)

TRIED = (
    "What was tried: five points before there is a model, those where the other experiment was best among"
    " them. Where it misled, three were left that told anything: of two runs on Hartmann-6 one ended at 1.4"
    " beside flipped results and one at 0.92 beside unrelated ones, where seven points lead to 0.0087 and"
    " 0.015."
)


def jobs(algorithm: str, function: str, seed: int) -> list[Job]:
    """Each other experiment, and none."""
    return [Job(algorithm, function, seed, told) for told in (NOTHING, *OTHERS)]


TITLES = tuple(job.title for job in jobs("auto", "", 0))
COMPARISON = KeptComparison("related", RUNS, ALGORITHMS, list(RELATED), TITLES, jobs, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
