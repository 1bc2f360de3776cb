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
"""


INTRODUCTION = """\
`orchestrator sensitivity RUN` fits `auto`'s mixture of models to a run's results, whichever algorithm chose
the points, and says of each parameter, by the Sobol indices of what the mixture expects: the share of the
variance over all settings that goes once the parameter is known (`alone`); the share that stays while only
it is unknown (`in all`); and the least and the most that is expected along it while the others stay as in
the best point. How far to believe that stands below it: what each result would have been predicted to be
from all others. Of more than 500 results the mixture takes 500, drawn whatever their values, and says so.
`--of NAME` asks the same of anything else that evaluations returned as a number, and
`orchestrator report --sensitivity` draws it, with bands about what is expected.

Shares, and the least and the most, are of what the mixture expects: how unsure it is does not enter them.
Where evaluations failed, they are of what would have come of them. The bands are two deviations wide either
side, as far as results that the models have not seen ask for, which is told of
[predictions](predictions.md), too.

It says nothing of causes, where known results were not varied independently, and little of settings like
which nothing was tried: a search that stays about its best point tells less of the whole domain than points
that lie evenly. Constraints between parameters are not kept to, as shares are defined where each varies by
itself."""
METHOD = (
    "of {trials} results each, without noise, which lie evenly (`sobol`) or were chosen by `auto` as it "
    "looked for the minimum. Shown is how much of the variance is ascribed to the wrong parameters, in "
    "per cent, once shares are made to sum to 1: the median over {seeds} seeds, the least in bold. "
    "Shares alone are held against true first-order indices, those in all against true total ones, and "
    "those of Optuna, which are not said to be either, against those of the two that are nearer."
)


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
