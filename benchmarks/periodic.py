"""Angles and other parameters that come round: what it is worth that a search knows that they do.

python -m benchmarks.periodic --seeds 5 --page docs/periodic.md

Runs are kept as JSON lines in `benchmarks/results/periodic`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.contenders.periodic import Job, Run, run
from benchmarks.functions.periodic import AT_THE_SEAM, EVALUATIONS, PERIODIC
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

ALGORITHMS = ("auto",)
LEVEL = 1e-5
"""Regrets below are level."""

RUNS = KeptRuns(run, Job, Run, lambda found: f"{found.regret(len(found.values)):.3g}")
FOUND = MediansTable(
    PERIODIC, {"D": lambda function: function.dimension}, Run.regret, regret_in_words, lambda _: LEVEL
)


def page(runs: Sequence[Run]) -> str:
    """`docs/periodic.md`."""
    return page_of(
        "Parameters that come round",
        INTRODUCTION,
        f"{measured('periodic', runs)} {METHOD}",
        FOUND.of(runs),
        READING,
        in_seconds(runs),
        "The functions are in `benchmarks/functions/periodic.py`.",
    )


INTRODUCTION = (
    "An angle of 179 degrees is next to one of -179. With `periodic: true` a search knows"
    " ([spec.md](spec.md#what-comes-round), [algorithms.md](algorithms.md#parameters-that-come-round)); as on"
    " a line it sees two ends that have nothing to do with each other."
)
METHOD = (
    "Energies of torsions and sums of hills, of D angles; the best ones, drawn by the seed, lie anywhere, or"
    f" at the seam, within {360 * AT_THE_SEAM:.0f} degrees of it. {EVALUATIONS} evaluations, one after the"
    " other, values exact, and told to be. Regret is the best value less the least there is; shown is the"
    " median over the runs, whose number stands in brackets, at half of the evaluations and after all, the"
    f" least in bold; below {LEVEL:g} all count as equal."
)
READING = (
    "With the circle torsions of four angles at the seam and of six anywhere end nearer, by about ten times"
    " and more; those of two, and of four anywhere, both come to the best. After half of the evaluations it"
    " is the other way about where the best of four and six lie at the seam: as on a line that is next to the"
    " corners of a box, where a search goes early for want of knowing what lies beyond. The hills of four"
    " and six angles are too many for so few evaluations either way, and which is met first is luck: of"
    " six at the seam it met the better ones on the line."
)


def jobs(algorithm: str, function: str, seed: int) -> list[Job]:
    """Told, and not."""
    return [Job(algorithm, function, seed, periodic) for periodic in (True, False)]


COMPARISON = KeptComparison(
    "periodic", RUNS, ALGORITHMS, list(PERIODIC), ("auto", "auto, as on a line"), jobs, page
)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
