"""Rounds whose trials share some parameters: what that costs, and what is gained by choosing them together.

python -m benchmarks.sharing --seeds 1 --page docs/sharing.md

Runs are kept as JSON lines in `benchmarks/results/sharing`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.contenders.in_rounds import Job, Manner, Run, run
from benchmarks.functions.in_rounds import AT_A_TIME, IN_ROUNDS, ROUNDS
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

ALGORITHMS = ("auto", "gp-ei", "random")
LEVEL = 1e-6
"""Regrets below are level."""

RUNS = KeptRuns(run, Job, Run, lambda found: f"{found.regret(len(found.values)):.3g}")
FOUND = MediansTable(
    IN_ROUNDS,
    {"D": lambda function: function.dimension, "shared": lambda function: function.shared},
    Run.regret,
    regret_in_words,
    lambda _: LEVEL,
)


def page(runs: Sequence[Run]) -> str:
    """`docs/sharing.md`."""
    return page_of(
        "Rounds that share parameters",
        INTRODUCTION,
        f"{measured('sharing', runs)} {METHOD}",
        FOUND.of(runs),
        TRIED,
        in_seconds(runs),
        "The functions are in `benchmarks/functions/in_rounds.py`.",
    )


INTRODUCTION = (
    "Samples that are made together may have to have something in common, as a temperature. With "
    "`mode: {synchronous: 8, sharing: [temperature]}` a round settles what that is, and its trials differ in "
    "the rest ([spec.md](spec.md#what-a-round-shares), "
    "[algorithms.md](algorithms.md#rounds-that-share-parameters))."
)
METHOD = (
    f"Functions shifted and permuted by the seed, of which the first parameters are shared; {ROUNDS} rounds "
    f"of {AT_A_TIME}, values exact, and told to be. `spread`: what a round shares follows a sequence that "
    "fills its space, as a plan that was made beforehand would have it, and the rest is chosen beside that. "
    "`nothing shared`: rounds of as many that are free, which no kiln allows, for what sharing costs. Regret "
    "is the best value less the least there is; shown is the median over the runs, whose number stands in "
    "brackets, at half of the rounds and after all, the least in bold."
)
TRIED = (
    "What was tried, on the same functions under up to four seeds, in runs that are not kept: that the "
    "others of a round are to be better than the best anywhere, and not than the best beside what is "
    "shared (12 of 26 runs of `auto` ended nearer by more than a tenth, 12 less near); that the region is "
    "searched as well, as far as the round cuts through it (6 of 18, and 9); and to settle on that of "
    "four places where all of a round together promised most, two more points of a free batch and the one "
    "believed best among them (6 of 21, and 15; of `gp-ei` 12 and 8)."
)


def jobs(algorithm: str, function: str, seed: int) -> list[Job]:
    """Of `auto` in the place of sharing as well."""
    manners: tuple[Manner, ...] = ("round shares", "spread", "nothing shared")
    return [Job(algorithm, function, seed, manner) for manner in manners[: 3 if algorithm == "auto" else 1]]


TITLES = ("auto", "auto, spread", "gp-ei", "random", "auto, nothing shared")
COMPARISON = KeptComparison("sharing", RUNS, ALGORITHMS, list(IN_ROUNDS), TITLES, jobs, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
