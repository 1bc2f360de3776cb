"""Which parameters matter: how much of the variance is ascribed to the wrong ones, from few results.

python -m benchmarks.sensitivity --seeds 5 --trials 40 --page docs/sensitivity.md

Of points spread evenly (`sobol`), and of those that `auto` chose to find the minimum. Beside it, on the same
results, what Optuna's importance evaluators say, where the extra ``[compare]`` is installed.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

from benchmarks.aligned_table import aligned
from benchmarks.contenders.sensitivity import OURS, Row, rows
from benchmarks.functions.sensitivity import MEASURABLE
from benchmarks.measuring.machine import machine
from benchmarks.typed_seeds import typed_seeds


def table(made: list[Row]) -> str:
    """Medians over the seeds, in per cent; the least in bold."""
    evaluators = list(made[0].wrong)
    body = []
    for function, chooser in dict.fromkeys((row.function, row.chooser) for row in made):
        own = [row for row in made if (row.function, row.chooser) == (function, chooser)]
        medians = [statistics.median(row.wrong[evaluator] for row in own) for evaluator in evaluators]
        cells = [f"{100.0 * median:.1f}" for median in medians]
        least = min(medians)
        body.append(
            [
                function,
                str(MEASURABLE[function].dimension),
                chooser,
                *(f"**{c}**" if m == least else c for c, m in zip(cells, medians, strict=True)),
            ]
        )
    return aligned(["function", "D", "points by", *evaluators], body)


def page(made: list[Row], trials: int) -> str:
    """`docs/sensitivity.md`."""
    seeds = 1 + max(row.seed for row in made)
    seconds = {name: statistics.median(row.seconds[name] for row in made) for name in made[0].seconds}
    taken = ", ".join(f"{name} {value:.2g}" for name, value in seconds.items() if name != OURS[1])
    return f"""# Which parameters matter

{INTRODUCTION}

Measured on {machine()}, with `python -m benchmarks.sensitivity --seeds {seeds} --trials {trials}`: \
{METHOD.format(trials=trials, seeds=seeds)}

{table(made)}

Seconds of the processor for an analysis, the median: {taken} (both of ours come from one).

{OFF}
"""


INTRODUCTION = """\
`orchestrator sensitivity RUN` fits `auto`'s mixture of models to a run's results, whichever algorithm chose
the points, and says of each parameter, by the Sobol indices of what the mixture expects: the share of the
variance over all settings that goes once the parameter is known (`alone`); the share that stays while only it
is unknown (`in all`); and the least and the most that is expected along it while the others stay as in the
best point. How far to believe that stands below it: what each result would have been predicted to be from all
others. Of more than 500 results the mixture takes 500, drawn whatever their values, and says so. `--of NAME`
asks the same of anything else that evaluations returned as a number, and `orchestrator report --sensitivity`
draws it, with bands about what is expected, and what is expected over two parameters together: the two that
matter most, of those that count whatever the other one is.

Shares, and the least and the most, are of what the mixture expects: how unsure it is does not enter them.
Where evaluations failed, they are of what would have come of them. The bands are two deviations wide either
side, as far as results that the models have not seen ask for, which is told of [predictions](predictions.md),
too.

It says nothing of causes, where known results were not varied independently, and little of settings like
which nothing was tried: a search that stays about its best point tells less of the whole domain than points
that lie evenly. Constraints between parameters are not kept to, as shares are defined where each varies by
itself."""
METHOD = (
    "of {trials} results each, without noise, as ours is told, which lie evenly (`sobol`) or were chosen by "
    "`auto` as it looked for the minimum. Shown is how much of the variance is ascribed to the wrong "
    "parameters, in per cent, once shares are made to sum to 1: the median over {seeds} seeds, the least in "
    "bold. Shares alone are held against true first-order indices, those in all against true total ones, "
    "and those of Optuna, which are not said to be either, against those of the two that are nearer."
)


OFF = """\
## Settings that are a little off

Workshops, actuators and mixers do not meet a setting exactly, and a best point that lies on a narrow hill, or
at the edge of a constraint, is then none. `orchestrator tolerance --off span=0.5 --off sweep=2 RUN` asks the
same mixture of models how good points are where each of these parameters is off by up to so much, in its own
units, up or down: evenly, independently of the others, and never beyond its bounds. Of the best trial, of the
trial that is best so, and of the point that the models hold best anywhere, tried or not, it tells

- the value that is expected as set, on average, and the one that one in twenty is poorer than;
- how likely the constraints on outcomes are to be satisfied, if there are any: each outcome has such a
  mixture of its own, and both what is off and what its models do not know are left to chance, the latter by
  as much as results that the models have not seen ask for ([predictions](predictions.md)). Of points that
  reach 95 % the one that is best on average is shown, else the likeliest;
- how likely an evaluation is to succeed there, if any failed, by what `auto` learns of that. A point that is
  three quarters as likely to, or more, as the likeliest of those tried is as set counts as one that does: by
  chance some fail wherever they are. Of others the likeliest is shown.

From Python, `optimiser.tolerance({"span": 0.5, "sweep": 2})` says the same, and `optimiser.tolerance()` by
the parameters' own tolerances.

Averages and the poor value are of what the models expect, without noise: what they do not know of the
objective is no part of them, and [`predict`](predictions.md) tells how unsure they are at one point. How far
to believe them stands below it, and a point that was not tried is best tried (`amend --try`, or `attach` from
Python). Points that failed are not shown.

The search itself is for the best point as set, unless the spec says by how much settings are off
([`tolerance`](spec.md#settings-that-are-not-met-exactly)): then it is for what is best on average, and the
command without `--off` goes by what the spec says. [robust.md](robust.md) measures both.

Parameters that are steps or listed numbers may be off between their values; whole numbers and choices are not
off, and what is [left out](spec.md#how-many-of-some-parameters-are-used) is 0 exactly. Constraints between
parameters are about what is asked for, and not about what comes out; whether a parameter counts (`when`) goes
by what comes out."""
"""What the page says of tolerances, which are by the same models."""


def main(arguments: list[str] | None = None) -> int:
    """The process's exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sensitivity", description=__doc__)
    parser.add_argument("--seeds", type=typed_seeds, default=3)
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the table there, with what it means")
    parsed = parser.parse_args(arguments)
    made = rows(parsed.trials, parsed.seeds, lambda line: print(line, file=sys.stderr, flush=True))
    if parsed.page is not None:
        parsed.page.write_text(page(made, parsed.trials))
    print(table(made))
    return 0


if __name__ == "__main__":
    sys.exit(main())
