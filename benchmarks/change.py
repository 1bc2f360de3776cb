"""Settings that take time to change: who finds the least value in the same time.

python -m benchmarks.change --seeds 3 --page docs/change.md

Runs are kept as JSON lines in `benchmarks/results/change`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from benchmarks.aligned_table import aligned
from benchmarks.contenders.slow_to_change import IN_A_ROUND, Job, Manner, Run, run
from benchmarks.functions.slow_to_change import BUDGET, SLOW
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

ALGORITHMS = ("auto", "gp-ei")
LEVEL = 1e-6
"""Regrets below are level."""

RUNS = KeptRuns(run, Job, Run, lambda found: f"{found.regret(SLOW[found.job.function].evaluations):.3g}")
TABLE = MediansTable(
    SLOW,
    {"D": lambda function: function.dimension},
    Run.regret,
    regret_in_words,
    lambda _: LEVEL,
)


def page(runs: Sequence[Run]) -> str:
    """`docs/change.md`."""
    return page_of(
        "Settings that take time to change",
        INTRODUCTION,
        f"{measured('change', runs)} {METHOD}",
        TABLE.of(runs),
        "How many trials ended within the budget (medians over the runs):",
        _trials(runs),
        in_seconds(runs),
        "The functions are in `benchmarks/functions/slow_to_change.py`.",
        TRIED,
    )


def _trials(runs: Sequence[Run]) -> str:
    titles = list(dict.fromkeys(found.job.title for found in runs))
    body = []
    for name in SLOW:
        own = [[r.trials for r in runs if (r.job.function, r.job.title) == (name, t)] for t in titles]
        body.append((name, *(f"{np.median(counts):g}" if counts else "" for counts in own)))
    return aligned(("function", *titles), body)


INTRODUCTION = (
    "Where some settings of a machine are slow to change, as an oven that has to warm, parameters say what "
    "their `change` takes, and what points promise is weighed against that "
    "([spec.md](spec.md#settings-that-take-time-to-change), "
    "[algorithms.md](algorithms.md#settings-that-take-time-to-change))."
)
METHOD = (
    "Functions shifted and permuted by the seed, of which the first parameters are slow: names say how many "
    "evaluations it takes to change each, whatever it changes by, or, `evenly`, from one end of its range "
    f"to the other, and less for less. A budget is the time of {BUDGET} evaluations that change nothing; "
    "nothing is waited for. Values are exact, and told to be. `not told`: the same algorithm, which knows "
    f"nothing of changes. `rounds of {IN_A_ROUND}`: `mode: {{synchronous: {IN_A_ROUND}, sharing: [...]}}`, "
    "so that all of a round have in common what is slow. Regret is the best value less the least there is; "
    "shown is the median over the runs, whose number stands in brackets, at half of the time and at all of "
    "it, the least in bold."
)
TRIED = """## What was tried

"""


def jobs(algorithm: str, function: str, seed: int) -> list[Job]:
    """Ours also without being told, and `auto` in rounds."""
    manners: tuple[Manner, ...] = ("told", "not told", "rounds")
    return [Job(algorithm, function, seed, manner) for manner in manners[: 3 if algorithm == "auto" else 2]]


TITLES = ("auto", f"auto, rounds of {IN_A_ROUND}", "auto, not told", "gp-ei", "gp-ei, not told")
COMPARISON = KeptComparison("change", RUNS, ALGORITHMS, list(SLOW), TITLES, jobs, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
