"""Objectives that are computed from outcomes: what it is worth that a search knows how.

python -m benchmarks.composite --seeds 3 --page docs/composite.md

Runs are kept as JSON lines in `benchmarks/results/composite`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.contenders.composite import BY_OUTCOMES, BY_VALUE, RANDOM, Run, run
from benchmarks.contenders.searches import SearchJob, one_job
from benchmarks.functions.calibrations import CALIBRATIONS
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

CONTENDERS = (BY_OUTCOMES, BY_VALUE, RANDOM)
LEVEL = 1e-8
"""What is missed by less is level."""

RUNS = KeptRuns(run, SearchJob, Run, lambda found: f"{found.missed(len(found.values)):.2g} missed")
MISSED = MediansTable(
    CALIBRATIONS,
    {"D": lambda one: one.dimension, "m": lambda one: one.outcomes},
    Run.missed,
    regret_in_words,
    lambda _: LEVEL,
)


def page(runs: Sequence[Run]) -> str:
    """`docs/composite.md`."""
    return page_of(
        "Objectives that are computed",
        GUIDE,
        "## What it is worth",
        f"{measured('composite', runs)} {METHOD}",
        MISSED.of(runs),
        FOUND,
        in_seconds(runs),
        "The functions are in `benchmarks/functions/calibrations.py`.",
    )


GUIDE = """\
Where a simulation is fitted to what was measured, or a design is weighed by a formula of what an evaluation
returns, the formula is known, and only the outcomes are not. With `objective: {fit: target.csv}` or
`objective: {value: ...}` ([the spec](spec.md#an-objective-that-is-computed),
[an example](../configs/labs/computed.yaml)) `auto` has a model of each outcome, and applies the formula to
what it believes of them ([how](algorithms.md#where-the-objective-is-computed)).

- **A misfit** is a valley with steep walls, or several, even where each outcome hardly bends: a model of the
  value has to learn the walls, a model of the outcomes knows them.
- **Many outcomes** cost one model, which also knows how they vary together; a curve costs a few, however many
  points it has.
- **It is worth nothing** where the formula does next to nothing, as where the value is an outcome itself."""
METHOD = (
    "Each seed has a truth of its own, at which the targets of a fit are met exactly. All evaluate one at a"
    " time, without noise. `by outcomes` is `auto`, and `by the value` is `auto` that is told the same"
    " values, and not what they come of. D is the number of parameters, m that of outcomes. Shown is by how"
    " much the best value is worse than the best there is, of a fit its misfit: the median over the runs,"
    " whose number stands in brackets, at half of the evaluations and at all of them, the least in bold."
)
FOUND = (
    "All four fits are met to a few millionths by outcomes, and at half of the evaluations they are nearer"
    " by two orders of magnitude and more than by the value at the end. Of a ratio of two smooth outcomes"
    " half of the evaluations say as much; in the end both have it. Where the value is an outcome itself"
    " there is nothing to know: the many hypotheses that `auto` weighs of a value are ahead at half of the"
    " evaluations."
)


COMPARISON = KeptComparison("composite", RUNS, CONTENDERS, list(CALIBRATIONS), CONTENDERS, one_job, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
