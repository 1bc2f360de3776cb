"""Whose points tell how plausible all parameters of a fit are: how far one and the same model is off.

python -m benchmarks.posterior --seeds 3 --page docs/posterior-search.md

Runs are kept as JSON lines in `benchmarks/results/posterior-search`, and beside the page; what is there is
not run again. Each has a process of its own with one thread. The page is written from all the runs there
are: with ``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.aligned_table import aligned
from benchmarks.contenders.posteriors import PARTS, TRUTH, Run, run
from benchmarks.contenders.searches import SearchJob, one_job
from benchmarks.functions.posteriors import FITS, FitWithPosterior
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

ALGORITHMS = ("posterior", "auto", "sobol", TRUTH)

RUNS = KeptRuns(run, SearchJob, Run, lambda found: ", ".join(f"{off:.2g}" for off in found.values))


def _table(off: Callable[[Run, int], float]) -> MediansTable[FitWithPosterior, Run]:
    sizes = {"D": lambda fit: fit.dimension, "m": lambda fit: fit.outcomes}
    return MediansTable(FITS, sizes, off, regret_in_words, lambda _: 0.0, PARTS)


MARGINS, ENDS = _table(Run.off), _table(Run.ends_off)


def _held(runs: Sequence[Run]) -> str:
    """What intervals hold of the true posterior, on average over all runs."""
    titles = list(dict.fromkeys(found.job.title for found in runs))
    body = []
    for part, evaluations in zip(PARTS, ("a quarter", "half", "all"), strict=True):
        each = (
            np.mean([found.held(part) for found in runs if found.job.title == title], axis=0)
            for title in titles
        )
        body.append(
            (evaluations, *(" and ".join(f"{share:.0%}"[:-1] + " %" for share in one) for one in each))
        )
    return aligned(("evaluations", *titles), body)


def page(runs: Sequence[Run]) -> str:
    """`docs/posterior-search.md`."""
    searches = [found for found in runs if found.job.algorithm != TRUTH]
    drawn = [found for found in runs if found.job.algorithm == TRUTH]
    return page_of(
        "Searching for the posterior of a fit",
        GUIDE,
        "## What it is worth",
        f"{measured('posterior', runs)} {METHOD}",
        MARGINS.of(searches),
        BY_ENDS,
        ENDS.of(searches),
        BY_HELD,
        _held(searches),
        BY_TRUTH,
        MARGINS.of(drawn),
        FOUND,
        in_seconds(searches),
        "The functions are in `benchmarks/functions/posteriors.py` and `calibrations.py`.",
    )


GUIDE = """\
Where a model is [fitted](spec.md#an-objective-that-is-computed) to what was measured, `orchestrator
posterior` says which parameters are plausible, by models of the outcomes. How well these know that depends on
where the evaluations were: `auto` seeks the best fit, and may leave the rest of what is plausible to its
models, and points that lie evenly miss what is narrow. `algorithm: {name: posterior}`
([how](algorithms.md#which-parameters-are-plausible), [an example](../configs/labs/posterior.yaml)) evaluates
where that tells most of the likelihood.

- **Take it** where error bars of the parameters are wanted, or all of several fits that are as good.
- **Take `auto`** where the best fit alone is, which it finds sooner, and comes nearer to."""
METHOD = (
    "Each seed has a truth of its own, at which the targets are met exactly, with errors of 2 % of the"
    " largest outcome, or 5 % of `spill` and `valley`. All evaluate one at a time, without noise. D is the"
    " number of parameters, m that of outcomes. Whoever chose the points is judged by what the models of"
    " `orchestrator posterior` make of them: 1,000 draws are held against the true posterior, which is"
    " known by 131,072 evaluations all over the domain, or where these are dear by 1,000 about the truth."
    " Shown is how far margins are off: the 1-Wasserstein distance in units of the parameter's true"
    " deviation, on average over the parameters, the median over the runs, whose number stands in"
    " brackets, at a quarter of the evaluations, at half and at all of them, the least in bold."
)
BY_ENDS = "The same of the ends of intervals that hold 68 %, by how much both are off on average:"
BY_HELD = (
    "What intervals of 68 % and of 95 % hold of the true posterior, on average over the parameters and all"
    " runs:"
)
BY_TRUTH = (
    "As many draws from the true posterior itself, walked to alike, have margins that are off by this; so"
    " much of the above is of the draws:"
)
FOUND = (
    "In the end margins by points of `posterior` are off by 0.05 to 0.08 on all but `valley`, of which 0.03"
    " to 0.08 is of the draws. Those by points of `auto` are off more than twice as much there, and points"
    " that lie evenly miss `outbreak` and `prey`, whose posteriors are narrow. Of `valley`, whose two modes"
    " weigh differently, draws are off by as much as contenders differ by: nothing is told there. After a"
    " quarter of the evaluations, two or three more than the start design has, margins are off by about a"
    " deviation or by several, whoever chose the points, and most of all by those of `posterior` on `prey`;"
    " intervals are as wide as that by then, and hold nearly what they say. They hold less of it by points of"
    " `auto`. Runs with noise were not measured."
)

COMPARISON = KeptComparison("posterior-search", RUNS, ALGORITHMS, list(FITS), ALGORITHMS, one_job, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
