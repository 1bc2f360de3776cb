"""Constraints on outcomes: who finds the best point that satisfies them in few evaluations.

python -m benchmarks.outcomes --seeds 5 --algorithms auto,optuna-gp --page docs/outcomes.md

Runs are kept as JSON lines in `benchmarks/results/outcomes`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone. Peers need the extra ``[compare]``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.contenders.outcomes import Job, Run, run
from benchmarks.functions.outcomes import CONSTRAINED
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

ALGORITHMS = ("auto", "optuna-gp", "optuna-tpe", "ax", "random")
LEVEL = 1e-9
"""Regrets below so large a part of the least value, or of 1, are level: the digits that it is known to."""


RUNS = KeptRuns(run, Job, Run, lambda found: f"{found.regret(len(found.values)):.3g}")


TABLE = MediansTable(
    CONSTRAINED,
    {"D": lambda function: function.dimension, "C": lambda function: function.slacks},
    Run.regret,
    regret_in_words,
    lambda function: LEVEL * max(1.0, abs(function.least)),
)


def page(runs: Sequence[Run]) -> str:
    """`docs/outcomes.md`."""
    return page_of(
        "Constraints on outcomes",
        INTRODUCTION,
        f"{measured('outcomes', runs)} {METHOD}",
        TABLE.of(runs),
        CHANGED,
        in_seconds(runs),
        "The functions are in `benchmarks/functions/outcomes.py`, with their sources.",
    )


INTRODUCTION = (
    "What an evaluator returns beside the value may have to satisfy inequalities (`outcomes` and "
    "`constraints` of a spec, [spec.md](spec.md#outcomes)). `auto` learns a Gaussian process of "
    "each slack, which is by how much one is satisfied, and weighs the improvement that it expects by "
    "the probability that all are; while nothing is known that satisfies them, it looks where "
    "something is likeliest to. An algorithm without a model of outcomes is told that what does not "
    "satisfy them has failed. A limit that is "
    "[relative to today's settings](spec.md#limits-relative-to-todays-settings) is as any other once "
    "these are measured."
)
METHOD = (
    "Values are exact, and all that can be are told so. All but `random` begin with the same ten points, "
    "and all evaluate one at a time. Regret is the best value that satisfies the constraints less the "
    "least there is; shown is the median over the runs, whose number stands in brackets, at half of the "
    "evaluations and at all of them, the least in bold. A dash: half of the runs or more found nothing "
    "that satisfies them. `auto, failures` is `auto` without its model of outcomes."
)
CHANGED = (
    "The runs of `auto`, `auto, failures` and `random` are of 30 November, those of the others of 27 "
    "November; seconds of the one and of the other are of different processors. In runs of 27 November "
    "medians of `auto` were about the same in the end, and nearer at half of the evaluations on vessel (0.86 "
    "for 1.2) and himmelblau (0.0016 for 0.024). The latter is the processor's: two of its three runs, made "
    "on today's with the code of that day, come there to 0.025 and 0.16, where they had come to 0.015 and "
    "0.0016. One run on vessel ends farther off, at 0.24 for 0.07, since exact values above zero may be seen "
    "by their logarithm, as of 29 November."
)


def jobs(algorithm: str, function: str, seed: int) -> list[Job]:
    """Ours without its model of outcomes as well."""
    kinds = (False, True) if algorithm == "auto" else (False,)
    return [Job(algorithm, function, seed, as_failures) for as_failures in kinds]


COMPARISON = KeptComparison(
    "outcomes", RUNS, ALGORITHMS, list(CONSTRAINED), ("auto", "auto, failures", *ALGORITHMS[1:]), jobs, page
)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
