"""Parameters that do not always count: who finds the least value in few evaluations.

python -m benchmarks.conditions --seeds 5 --algorithms auto,optuna-tpe --page docs/conditions.md

Runs are kept as JSON lines in `benchmarks/results/conditions`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone. Peers need the extra ``[compare]``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.contenders.conditional import Job, Run, run
from benchmarks.functions.conditional import CONDITIONAL
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

ALGORITHMS = ("auto", "optuna-tpe", "optuna-gp", "smac", "random")
LEVEL = 1e-9
"""Regrets below are level: the digits to which the least value is known."""


RUNS = KeptRuns(run, Job, Run, lambda found: f"{found.regret(len(found.values)):.3g}")
TABLE = MediansTable(
    CONDITIONAL,
    {"D": lambda function: function.dimension, "conditional": lambda function: function.conditional},
    Run.regret,
    regret_in_words,
    lambda _: LEVEL,
)


def page(runs: Sequence[Run]) -> str:
    """`docs/conditions.md`."""
    return page_of(
        "Parameters that do not always count",
        INTRODUCTION,
        f"{measured('conditions', runs)} {METHOD}",
        TABLE.of(runs),
        ROUNDING,
        in_seconds(runs),
        "The functions are in `benchmarks/functions/conditional.py`.",
    )


INTRODUCTION = (
    "A parameter may count only where others have some values (`when` of a spec, "
    "[spec.md](spec.md#parameters-that-do-not-always-count)): the restart length of one solver is no "
    "parameter of another. Where it does not count it rests in the middle of its range, so that points "
    "which differ in nothing else are one point to every model, and no search moves along it; climbs begin "
    "in every branch that there is."
)
METHOD = (
    "Values are exact, and all that can be are told so. All but `random` begin with the same points, and "
    "all evaluate one at a time. Regret is the best value less the least there is; shown is the median "
    "over the runs, whose number stands in brackets, at half of the evaluations and at all of them, the "
    "least in bold. Optuna's are told of each trial what counts there, as their users' functions tell "
    "them, and SMAC is told the conditions. `auto, untold` is `auto` that takes all parameters to count."
)
ROUNDING = (
    "On branches the last digits decide, which another processor rounds otherwise ([what rounding "
    "does](comparison.md#what-rounding-does)): on an AMD EPYC the code of 30 November ended under these five "
    "seeds at 6.5e-8, 0.05, 0.05, 1.4e-5 and 0.15 after 80 evaluations, behind Optuna's TPE in the median, "
    "and that of 26 November under the first four at 7.4e-8, 0.05, 0.05 and 1.3e-5, in runs that are not "
    "kept. 0.05 is the least value of the second best of its three branches.\n\n"
    "So do they on the tree where nothing is told. On the AMD EPYC the code of 26 November ended under these "
    "five seeds at 0.2, 0.08, 0.2, 3e-12 and 0.04 after 60 evaluations, a median of 0.08 in the place of "
    "0.018, and that of 30 November at 0.2, 0.2, 0.2, 6e-11 and 0.1. Between these two it is no rounding: "
    "they agree to the bit until 21 evaluations and more, and part as `auto` has, since the evening of 26 "
    "November, every other trial doubt its models once next to nothing is expected anywhere. Of ten seeds, "
    "the next five as well, the same five end within 1e-8 with either; two of the others had come upon the "
    "best leaf at last without doubt, and none with it. These runs are not kept."
)


def jobs(algorithm: str, function: str, seed: int) -> list[Job]:
    """Ours without knowing what counts as well."""
    kinds = (False, True) if algorithm == "auto" else (False,)
    return [Job(algorithm, function, seed, untold) for untold in kinds]


COMPARISON = KeptComparison(
    "conditions", RUNS, ALGORITHMS, list(CONDITIONAL), ("auto", "auto, untold", *ALGORITHMS[1:]), jobs, page
)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
