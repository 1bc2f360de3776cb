"""What people compare and nobody can measure: how near a search by comparisons comes, beside one by values.

python -m benchmarks.preferences --seeds 4 --page docs/preferences.md

Runs are kept as JSON lines in `benchmarks/results/preferences`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.contenders.preferences import COMPARED, COMPARISONS, ERROR, FOUR, SPREAD, VALUES, Run, run
from benchmarks.contenders.searches import SearchJob, one_job
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

LEVEL = 1e-6
"""Regrets below are level."""

CONTENDERS = (COMPARISONS, FOUR, SPREAD, VALUES)
RUNS = KeptRuns(run, SearchJob, Run, lambda found: f"{found.values[-1]:.3g}")
REGRETS = MediansTable(
    COMPARED, {"D": lambda function: function.dimension}, Run.regret, regret_in_words, lambda _: LEVEL
)


def page(runs: Sequence[Run]) -> str:
    """`docs/preferences.md`."""
    return page_of(
        "What is compared and not measured",
        GUIDE,
        "## How near it comes",
        f"{measured('preferences', runs)} {METHOD}",
        REGRETS.of(runs),
        FOUND,
        in_seconds(runs, "an ask, with the model that it is asked of"),
        "The runs are in `benchmarks/contenders/preferences.py`.",
    )


GUIDE = """\
The gait of an exoskeleton, a coffee, a picture, a grasp: nobody can say how good it is, but a person can
say which of two is better. With `objective: {name: taste, told: by comparison}` the search goes where
more is preferred ([an example](../configs/labs/preferences.yaml), [the
spec](spec.md#an-objective-that-is-compared)).

```sh
orchestrator status                       # what is to be made, and which trial to compare it with
orchestrator record 1                     # the first is made: there is nothing to compare it with
orchestrator prefer 2 --over 1            # the second is made, and better
orchestrator prefer 3 --like 2 --by Ada   # Ada cannot tell
orchestrator prefer 3 --take-back 2       # that was the wrong cup
orchestrator best                         # what is believed best, and how surely it is better than the next
```

- **Each trial** is compared with the one that is believed best, which `status` names. The next is chosen
  once it is. Who compares it has made it, so that `record` is only for the first one, and for what
  failed (`record 4 --failed spilled`).
- **Any two trials** may be compared, as often as you like, by whomever: the more, the surer. Who
  contradicts another, or themselves, is believed half. Who said what is kept (`--by`, in `explain` and
  `watch`); all are believed alike.
- **While nobody works on the run**, what is told waits in its folder, as what is recorded does.
- **After the run's end** what is told, or taken back, still says which trial is the best: `orchestrator
  prefer`, then `orchestrator resume`, which makes no trial more.
- **No trial has a value.** `best`, `status` and the page name the trial that is believed best, and with
  what chance it is better than the next best; `trials` and `export` say what each was found better than,
  like and worse than.
- **A trial forgotten** (`amend --forget`) takes with it how it compares; what was compared with that
  alone is to be compared again.
- **What breaks a constraint** that was added since (`amend --constraint`) is learned from, and is not
  believed best.
- **Behind it** is a Gaussian process of a utility that nobody sees
  ([how](algorithms.md#where-trials-are-compared)).

## Where a robot or a program makes the trials

The exoskeleton walks, the oven bakes, a program renders the picture; a person says which was better. Any
[evaluator](evaluators.md) or `command` may make them, on any worker:

```yaml
objective: {name: comfort, told: by comparison}
evaluation: {evaluator: "exoskeleton:walk", attempts: 2}
```

- **It returns nothing**, or a mapping, all of which is kept beside the trial and shown by `trials`: a
  number alone is passed over. A program need not print anything; what a
  [pattern](evaluators.md#a-program) of it names is kept, and where it is not found, the trial failed.
  Files are kept as ever, in `logs/<run>/trials/NNNN`.
- **What fails** is tried again, and is never to be compared. Nothing follows for points near it, which may be
  chosen next: where much is known to fail, narrow the bounds or add a constraint (`orchestrator amend`).
- **Once it is made**, a trial waits to be compared, and the run with it, for days if need be: it is said
  where the run was started, `status` and `watch` list the first that wait and what to compare each with, and
  `status --format json` has all in pairs, `to_compare`. A run is over when the last is compared, or
  when its time is.

## Several at a time

With `workers: {local: 4}`, or `mode: {synchronous: 4}`, four are made side by side. Each keeps its place
until it is compared, with any other: no more than four are ever under way or waiting, and in rounds the
next four are chosen once all of the last are compared. What nobody has compared yet is heeded where
others are chosen, so that they lie apart ([how](algorithms.md#where-trials-are-compared)).

From Python there is [an object of its own](python.md#where-nobody-can-measure)."""
METHOD = (
    "A simulated person compares each trial with the one that is believed best, and mistakes the difference "
    f"by {ERROR:g} of the function's standard deviation; or compares four, that were chosen together, with "
    "the one that was believed best before them; or tells each value, of which two together are mistaken as "
    "much. Each function lies elsewhere under each seed. Regret is how much more the function "
    "is, at what is believed best after so many trials, than the least there is; shown is the median over "
    "the runs, whose number stands in brackets, the least in bold."
)
FOUND = (
    "A comparison says less than a value does: which is more, and not by how much. So a search by "
    "comparisons mostly needs more trials to come as near, and at the end is nearer than comparisons "
    "of points that nobody chose. Four that are chosen together take a fourth of the rounds, and end, "
    "trial for trial, at 1.4 to 1.6 times the regret of one after the other; of few trials in two "
    "parameters they waste some. Camel rises so high at its edges that a tenth of its deviation hides "
    "most of what there is to find at its bottom, be it compared or measured. The priors of the "
    "utility's variance and lengths were chosen while this was measured, on functions of this table, so that "
    "it is no test of them."
)


COMPARISON = KeptComparison("preferences", RUNS, CONTENDERS, list(COMPARED), CONTENDERS, one_job, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
