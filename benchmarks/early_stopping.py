"""Evaluations that say how they stand: what is reached by the steps that all of them take.

python -m benchmarks.early_stopping --seeds 5 --algorithms auto,optuna-tpe --page docs/early-stopping.md

Runs are kept as JSON lines in `benchmarks/results/early-stopping`, and beside the page; what is there is not
run again. Each has a process of its own with one thread. The page is written from all the runs there are:
with ``--seeds 0`` from those alone. Peers need the extra ``[compare]``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.aligned_table import aligned
from benchmarks.contenders.early_bench import NEVER, Job, Run
from benchmarks.contenders.early_runs import CHANCE, CHANCE_BELOW, QUARTER, run
from benchmarks.functions.early_stopping import EARLY
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

RULES = {
    "auto": (NEVER, CHANCE, QUARTER),
    "optuna-tpe": (NEVER, "median", "hyperband"),
    "optuna-gp": (NEVER, "median"),
    "random": (NEVER, "halving"),
}
LEVEL = 1e-9


RUNS = KeptRuns(run, Job, Run, lambda found: f"{found.reached(10**6):.3g}, {found.stopped} of {found.begun}")
TABLE = MediansTable(
    EARLY,
    {"D": lambda function: function.dimension, "steps": lambda function: function.steps},
    Run.reached,
    regret_in_words,
    lambda _: LEVEL,
)


def _stopped(runs: Sequence[Run]) -> str:
    """How many evaluations there were for the same steps, and what became of them."""
    stopping = [found for found in runs if found.job.rule != NEVER]
    titles = list(dict.fromkeys(found.job.title for found in stopping))
    body = []
    for name in EARLY:
        cells = []
        for title in titles:
            own = [r for r in stopping if (r.job.function, r.job.title) == (name, title)]
            begun, stopped, lost = (
                sum(getattr(r, what) for r in own) for what in ("begun", "stopped", "lost")
            )
            share = f", {lost / stopped:.1%} lost" if stopped else ""
            cells.append(f"{begun / len(own):.0f}, {stopped / begun:.0%} stopped{share}" if own else "")
        body.append((name, *cells))
    return aligned(("function", *titles), body)


def page(runs: Sequence[Run]) -> str:
    """`docs/early-stopping.md`."""
    return page_of(
        "Trials that are stopped early",
        INTRODUCTION,
        "## What it is worth",
        f"{measured('early_stopping', runs)} {METHOD}",
        TABLE.of(runs),
        "How many evaluations were begun on the same steps, on average over the runs, the share of them"
        " that was\nstopped, and the share of these that would have been the best so far, had they been let"
        " go on:",
        _stopped(runs),
        in_seconds(runs, "a choice, what refits take included"),
        "The functions are in `benchmarks/functions/early_stopping.py`.",
    )


INTRODUCTION = f"""An evaluation that takes long may say how it stands while it runs: a Python function with
`context.report(step=3, loss=0.7)`, a program with the lines that it prints, or writes to a file
(`evaluation.progress`, [evaluators.md](evaluators.md#what-a-program-says-while-it-runs)), a worker in any
language with a `progress` message; [a search from
Python](python.md#evaluations-that-are-stopped-early) does as much with the same function. With

```yaml
evaluation:
  stop_when: {{quantity: loss, chance_below: {CHANCE_BELOW}}}
```

it is stopped once it will hardly end among the best: when the chance that it ends in the better half of the
trials that have completed is less than {CHANCE_BELOW}. No limit has to be known beforehand, nor whether less
or more of the quantity is better, nor in which units it is: that is learned from how evaluations with such
curves ended.

**What is foreseen.** The values at the ends are regressed on what each curve told by the same step: its
level, or also how it had moved since half of the way; with values and levels as they are, or on scales that
spread out what is near the best, so that a training which diverged does not hide what sets the others apart.
These four regressions are mixed by how well each foretells every past end from all the others. What comes
out is a mean, a deviation and a chance (`orchestrator/curves/`). An end that is thirty times farther off
than three quarters of them, as a penalty is, teaches nothing. Nothing is foreseen before five trials have
completed (`completed`), nor where nothing sets curves or ends apart.

**What diverges.** A quantity that has become NaN or infinite is beyond any `above` and `below`. By its
chance it is stopped, too: that is the share of the completed trials of which something was NaN or infinite
that ended among the best, as if there had been one more that did not. So it is low where it never happened
before, and where reports begin with an infinity, and end well all the same, nothing follows from one.

**What is told.** The optimiser learns the mean with the forecast's variance, as a value known as well as it
says: it knows that the place is bad, and how surely. How bad it is where a training diverges, nobody can say:
that is told to be as bad as the worst end, as surely as its chance says. A value that was only foreseen is no
best, leads no search, and is not counted where noise is inferred from values that were told. A trial that is
stopped is settled as `stopped`, counts for the budget of `trials`, and `explain`, tables and the page say
where it was stopped and what it would have come to.

**What keeps it from doing harm.** The best *half*, and not the best trial: late in a search hardly any trial
becomes the best, and all would be stopped. It is looked at once more only after a fifth of the steps so far,
since each look is a chance to be wrong; what is found waits for a tenth of an evaluation (a second at most)
for a result on its heels. Only evaluations that came to their ends teach, whatever they reported: what is
stopped for its curve does not distort what curves say of ends. `among_best: 0.25` is for evaluations that
are very long: more are stopped, and more of what would have been good. `after: 10` waits for a step.
What a person has tried, by `orchestrator amend --try`, goes on to its end, but for limits.

**What not to expect.** Most trials of a good optimiser are good: where ends are without noise (`descents`,
`late`), a chance stops about one in seven of `auto`'s below, which buys a few more. It is worth most where
many trials are bad and their curves show it early: at the beginning, in large spaces, with `random` or
`sobol`. Where the value is a mean of noisy samples, what looks good early was partly lucky, and its luck is
in its value: of many that are begun, the best value seen may be luckier still, and farther from the best
point. On `averages` five runs of `auto` by a chance end so, 0.011 to 0.18 from the best for 0.0066 to 0.056
without, and five by a chance of a quarter, by which most are stopped, end nearer, at 0.0051 to 0.042, as
those of TPE by Hyperband and random ones by halving do. So few runs do not settle it.

Curves are kept in the journal with the results (64 readings each at most), so that a resumed run knows them.
It is for one objective without outcomes; `above` and `below` may be given beside it: a trial that
they stop has failed, for nothing is foreseen of it.

**Beside `fidelity`** a chance is refused, and `above` and `below` are taken. How a curve will end is
foreseen from the ends of others: of those that looked as closely there are few until late, and of the rest
ends and steps are other ones. Nor is a cheap look that ends among the worse half wasted: it was chosen for
what it tells of full fidelity, and tells that only at its end. What diverges does so at any fidelity;
stopped by a limit it has failed, has cost what it was chosen for, and says nothing of what a look costs."""
METHOD = f"""All evaluate one at a time, until their evaluations, stopped ones included, have taken as many
steps in all as so many whole ones would; half of that, and all of it, are the rows. Shown is the median
over the runs, whose number stands in brackets, of what the best completed point is worth: of `descents`
(curves that cross), `late` (the best look worst until half of the way) and `averages` (the mean of noisy
samples, worth being without the noise) by how much it is worse than the least there is, of `digits` and
`tumours` the loss of a network after 27 epochs. `{CHANCE}` is the rule above,
`{QUARTER}` has `among_best: 0.25`; the others are Optuna's pruners with their own settings.
On `descents`, `late` and `averages`, `auto` was run again after all else, on 2026-11-30: its seconds are not
to be held against the others'."""


def jobs(algorithm: str, function: str, seed: int) -> list[Job]:
    """With each rule that it is compared under."""
    return [Job(algorithm, function, seed, rule) for rule in RULES[algorithm]]


TITLES = [Job(algorithm, "", 0, rule).title for algorithm, rules in RULES.items() for rule in rules]
COMPARISON = KeptComparison("early-stopping", RUNS, list(RULES), list(EARLY), TITLES, jobs, page)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
