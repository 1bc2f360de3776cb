"""Evaluations that return derivatives: what it is worth that a search learns from them.

python -m benchmarks.derivatives --seeds 3 --page docs/derivatives.md

Runs are kept as JSON lines in `benchmarks/results/derivatives`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.contenders.derivatives import ALONE, GRADIENTS, WITH, Run, run
from benchmarks.contenders.searches import SearchJob, one_job
from benchmarks.functions.differentiable import DIFFERENTIABLE
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

CONTENDERS = (WITH, ALONE, GRADIENTS)
LEVEL = 1e-8
"""What is above the least by less is level."""

RUNS = KeptRuns(run, SearchJob, Run, lambda found: f"{found.least(len(found.values)):.2g}")
LEAST = MediansTable(
    DIFFERENTIABLE,
    {"D": lambda one: one.dimension},
    Run.least,
    regret_in_words,
    lambda _: LEVEL,
)


def page(runs: Sequence[Run]) -> str:
    """`docs/derivatives.md`."""
    return page_of(
        "Evaluations that return derivatives",
        GUIDE,
        "## What it is worth",
        f"{measured('derivatives', runs)} {METHOD}",
        LEAST.of(runs),
        FOUND,
        TRIED,
        in_seconds(runs),
        "The functions are in `benchmarks/functions/differentiable.py`: "
        + "; ".join(f"`{name}`, {one.about}" for name, one in DIFFERENTIABLE.items())
        + ".",
    )


GUIDE = """\
A simulator with an adjoint, a differentiable simulator or a function of JAX returns the derivatives of the
objective by all parameters for about the price of a second evaluation. With `derivatives: true` under
`objective` ([the spec](spec.md#derivatives-of-the-objective), [an example](../configs/labs/rod.yaml)) they
stand beside the value, and `auto` has one model of both
([how](algorithms.md#where-evaluations-return-derivatives)):

```json
{"drag": 1.2, "derivatives": {"span": 0.3, "sweep": -0.1}}
```

- **They are in the parameters' own units**, each the change of the objective with one parameter while all
  others stay. What a logarithmic scale makes of that is computed.
- **Some may be missing**, as of an adjoint that did not converge: leave them out, or return null or NaN. What
  is known is learned from, and the value always is.
- **They may be off.** How far is learned from the results, apart from the noise of values; and where they are
  wrong, as of the wrong sign, a model that does not believe them explains the values better, and has its way.
- **A few may be wrong** in an ordinary size, of one evaluation, by one parameter, or one alone: where all
  the rest contradicts them they are left out, and `explain` says which.
- **Whole numbers and choices** may stand beside: they have none.
- **A local optimiser may be all that is needed** where there is one valley, evaluations are exact and none
  fails: scipy's L-BFGS-B stands in the table. It takes one evaluation after the other, and finds the nearest
  least value."""
METHOD = (
    "Each seed has its best point elsewhere; the least value is 0. All evaluate one at a time, without noise."
    " `with derivatives` and `values alone` are `auto`; `L-BFGS-B` is scipy's with exact derivatives, from"
    " the first point of the others' designs, and begun anew at random where it ends before its evaluations"
    " do. D is the number of parameters. Shown is the least value: the median over the runs, whose number"
    " stands in brackets, at half of the evaluations and at all of them, the least in bold."
)
FOUND = (
    "Derivatives bring the search nearer than values alone on all four: by three orders of magnitude and"
    " more on the bowl and on waves, by ninety times in the bent valley, by thirteen on the rod. scipy's"
    " L-BFGS-B is ahead at half of the evaluations wherever there is one valley; at the end it is six times"
    " nearer on the bowl and on the rod, and farther off in the bent valley. On waves it stays in a wrong one"
    " with five of eight seeds, the search by derivatives with two."
)

TRIED = """\
What was tried and is not done, a few seeds each, in runs that no command repeats, 2026-11-29:

- Every second trial in the region about the best point, and not three of four: with four seeds each, after
  all evaluations of bowl, rod, valley and Zakharov's function in five parameters 2 of 16 runs were nearer and
  14 farther. On functions of many valleys it is even: of 20 runs on Hartmann's in six, Levy's in six,
  Styblinski-Tang's and Ackley's in four and Griewank's in three parameters, shifted by the seed, 6 were
  nearer, 8 farther and 6 level; on Levy's function three of four were nearer.
- In the region a hundredth of the deviation, so that it is a step to where the models expect most: in the
  valley it is farther with each of three seeds, and on waves it stays in the wrong one with two of three.
- Whether derivatives are right by how well each value is foretold beside its own derivatives, and not without
  them: with three seeds each it is nearer on the rod with all and in the valley and on the bowl with two, and
  on waves it stays in the wrong one with two of three, where nothing that does not believe them is left."""

COMPARISON = KeptComparison("derivatives", RUNS, CONTENDERS, list(DIFFERENTIABLE), CONTENDERS, one_job, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
