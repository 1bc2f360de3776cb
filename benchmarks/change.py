"""Settings that take time to change: who finds the least value in the same time.

python -m benchmarks.change --seeds 1 --page docs/change.md

Runs are kept as JSON lines in `benchmarks/results/change`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.aligned_table import aligned
from benchmarks.contenders.slow_to_change import IN_A_ROUND, Job, Manner, Run, run
from benchmarks.functions.slow_to_change import BUDGET, SLOW
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of
from benchmarks.kept.trials_ended import trials_ended

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
        trials_ended(runs, SLOW),
        in_seconds(runs),
        "The functions are in `benchmarks/functions/slow_to_change.py`.",
        TRIED,
    )


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
STAYED = aligned(
    (
        "a setting stays for at least",
        "hartmann-6-10",
        "ackley-5-24-4",
        "styblinski-tang-5-24-4",
        "rosenbrock-4-…",
    ),
    [
        ("nothing", "1.2e-03, 5.7e-04", "0.73, 0.39", "0.031, 0.041", "10, 0.92"),
        ("a quarter of its change", "3.1e-05, 2.9e-05", "0.12, 0.72", "1.7, 0.0042", "2.8, 4.7"),
        ("half of it", "4.3e-06, 6.8e-06", "0.34, 0.039", "38, 7.3", "7.2, 0.76"),
        ("nothing, a change counts four times", "1.2e-03, 1.6e-05", "0.019, 0.13", "0.0058, 0.26", "5, 55"),
        ("all of it, whatever is promised", "1.1e-07, 1.5e-05", "0.18, 0.87", "2.9, -", "29, 34"),
    ],
)
TRIED = f"""## What was tried

With `auto`, on functions of this page in the same time, under seeds 1 and 2, in runs that are not kept and
that no command repeats; settings stayed from the slowest on, and not in every combination. Regrets at the
end:

{STAYED}

None is best throughout: one slow setting that is to be met closely wants to stay, and many hills want to be
changed between. A quarter was taken by these very runs. The last line needs no model: it is what algorithms
do that predict nothing.

What made changes cheaper was no better under seed 0: the square root of the time in its place (6.5e-04 on
hartmann-6-10, for 2.2e-04 with the time itself), a change that is spread over as many trials as a place has
had on average (1.6e-03), and one that costs nothing once evaluations took as long, or as much less as they
took by then (4.3e-04 and 2.5e-04; 6.2 and 48 on styblinski-tang-5-24-4, for 0.83). Every combination of
settings that may stay came to 0.75 on ackley-5-24-4, where from the slowest on it was 0.07, of one run
each.
"""


def jobs(algorithm: str, function: str, seed: int) -> list[Job]:
    """Ours also without being told, and `auto` in rounds."""
    manners: tuple[Manner, ...] = ("told", "not told", "rounds")
    return [Job(algorithm, function, seed, manner) for manner in manners[: 3 if algorithm == "auto" else 2]]


TITLES = ("auto", f"auto, rounds of {IN_A_ROUND}", "auto, not told", "gp-ei", "gp-ei, not told")
COMPARISON = KeptComparison("change", RUNS, ALGORITHMS, list(SLOW), TITLES, jobs, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
