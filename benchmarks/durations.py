"""Evaluations that take longer in one place than in another: who finds the least value in the same time.

python -m benchmarks.durations --seeds 5 --page docs/durations.md

Runs are kept as JSON lines in `benchmarks/results/durations`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.contenders.durations import Job, Run, run
from benchmarks.functions.durations import PLACES, RANGE, TIMED
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of
from benchmarks.kept.trials_ended import trials_ended

ALGORITHMS = ("auto", "random")
WEIGHED = "auto, durations weighed"
LEVEL = 1e-6
"""Regrets below are level."""


RUNS = KeptRuns(run, Job, Run, lambda found: f"{found.regret(TIMED[found.job.function].evaluations):.3g}")
TABLE = MediansTable(
    TIMED,
    {"D": lambda function: function.dimension},
    Run.regret,
    regret_in_words,
    lambda _: LEVEL,
)


def page(runs: Sequence[Run]) -> str:
    """`docs/durations.md`."""
    return page_of(
        "Evaluations that take longer in one place than in another",
        INTRODUCTION,
        f"{measured('durations', runs)} {METHOD}",
        TABLE.of(runs),
        SEEN_BY_LOGARITHM,
        "How many trials ended within the budget (medians over the runs):",
        trials_ended(runs, TIMED),
        in_seconds(runs),
        "The functions are in `benchmarks/functions/durations.py`.",
        TRIED,
    )


INTRODUCTION = (
    "Where an evaluation takes minutes in one place and hours in another, `algorithm: {name: auto, options: "
    "{weigh_duration: true}}` learns how long it takes as well, and divides what it expects of a point by "
    "the time that it expects it to take "
    "([algorithms.md](algorithms.md#evaluations-that-take-longer-in-one-place-than-in-another)). That is of "
    "use where time is what a run has least of, and where long evaluations are not the good ones: the table "
    "says what it costs where they are."
)
METHOD = (
    f"Nothing is waited for: durations are numbers, which differ by a factor of {RANGE:g} from the quickest "
    "place to the slowest. `anyhow`: along a direction drawn by the seed, whatever the value; `good-slow` "
    "and `good-quick`: by the share of the domain that is better. A budget is the time that so many "
    f"evaluations take on average over {PLACES:,} places drawn uniformly. Values are exact, and told to be; "
    "trials come one at a time. Regret is the best value less the least there is; shown is the median over "
    "the runs, whose number stands in brackets, at half of the budget and at all of it, the least in bold."
)
SEEN_BY_LOGARITHM = (
    "In runs of 27 November `auto` alone was nearer on `rosenbrock-4-good-slow` (680 for 1,500), and in half "
    "of the budget on `rosenbrock-4-anyhow` (680 for 1,500), where it ends a little nearer now (12 for 15). "
    "Since 29 November it sees exact values that are all above zero and many times as large in one place as "
    "in another by their logarithm as well. One run of each function was held against the change before: it "
    "is that which makes the difference."
)

TRIED = """## What was tried and did not help

Seen on a few seeds while it was written, in runs that are not kept and that no command repeats.

- A power of the time that falls from 1 to 0 as the budget is spent (Lee et al. 2020): of five seeds each,
  where durations were of no sign of the value, it ended at 0.11, 1.2, 1.9 and 26 on four functions (0.017,
  1.3, 0.008 and 9 with the time itself; 0.09, 1.9, 2.1 and 12 without any), and where the good ones took
  long at 0.36, 6.1, 60 and 2,700 (1.5, 6.1, 73 and 3,300; 1.2, 3.7, 68 and 2,400).
"""


def jobs(algorithm: str, function: str, seed: int) -> list[Job]:
    """Ours with durations weighed as well."""
    kinds = (True, False) if algorithm == "auto" else (False,)
    return [Job(algorithm, function, seed, weighed) for weighed in kinds]


COMPARISON = KeptComparison("durations", RUNS, ALGORITHMS, list(TIMED), (WEIGHED, *ALGORITHMS), jobs, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
