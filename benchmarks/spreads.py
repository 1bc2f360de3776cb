"""How near it comes what is told of how values are spread, and how often the truth lies in the bounds told.

python -m benchmarks.spreads --seeds 3 --trials 40

Each parameter is normally distributed about the middle of its range, with a tenth of that as its deviation.
By models of results at points that lie evenly all over the domain (`sobol`), or that `auto` chose to find the
minimum: the functions and runs of `benchmarks.sensitivity`. A limit is that which the truth exceeds once in a
hundred times.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.aligned_table import aligned
from benchmarks.contenders.sensitivity import CHOOSERS, names_of, searches
from benchmarks.functions.sensitivity import MEASURABLE, Measurable
from benchmarks.measuring.machine import machine
from benchmarks.typed_seeds import typed_seeds
from orchestrator.algorithms.base import Noise, Problem
from orchestrator.arrays import FloatArray
from orchestrator.expressions.constraints import Constraint
from orchestrator.parameters.space import Space

if TYPE_CHECKING:
    from orchestrator.sensitivity.spread import Figure

KNOWN = {"type": "float", "bounds": [0.0, 1.0], "prior": {"mean": 0.5, "deviation": 0.1}}
TRUE_SETTINGS = 1 << 18
SELDOM = 0.01


@dataclass(frozen=True, slots=True)
class Row:
    """A function, who chose the points, a seed; how far off the ``mean``, the ``deviation`` and what 95 % lie
    below are, as shares of the true deviation; the ``chance`` told of what happens once in a hundred times;
    and the share of all figures told that have the truth ``within`` their bounds.
    """

    function: str
    chooser: str
    seed: int
    mean: float
    deviation: float
    high: float
    chance: float
    within: float


def true_values(function: Measurable) -> FloatArray:
    """At settings as they come up."""
    from scipy.stats import qmc, truncnorm

    uniform = qmc.Sobol(function.dimension, seed=np.random.default_rng(0)).random(TRUE_SETTINGS)
    return function(truncnorm.ppf(uniform, -5.0, 5.0, loc=0.5, scale=0.1))


def judged(function: Measurable, points: FloatArray, values: FloatArray, seed: int) -> tuple[float, ...]:
    """What a row has behind its seed, by (n,) exact values at (n, D) points."""
    # SciPy's statistics take a second to import, and who asks for help measures nothing.
    from orchestrator.parameters.uncertain import Uncertain
    from orchestrator.sensitivity.held_out import checked
    from orchestrator.sensitivity.measured import Measured
    from orchestrator.sensitivity.spread import SHARES
    from orchestrator.sensitivity.spread_models import SpreadModels

    names = names_of(function)
    space = Space.from_description(dict.fromkeys(names, KNOWN))
    problem = Problem(space.domain, seed, noise=Noise("known", 0.0))
    model = checked(problem, Measured(points, values, np.zeros(len(values)), -1.0))
    models = SpreadModels(problem, {"y": model})
    truth = true_values(function)
    limit = Constraint.of(f"y <= {float(np.quantile(truth, 1.0 - SELDOM))!r}")
    settings = models.about(Uncertain.of(space, {}).about(dict.fromkeys(names, 0.5)))
    found = models.spread(space, settings, [limit])
    (chance,) = found.broken.values()
    figures = found.quantities["y"].figures
    true = {"mean": truth.mean(), "deviation": truth.std()}
    true |= {name: np.quantile(truth, share) for name, share in SHARES.items()}
    held = [_holds(figures[name], float(own)) for name, own in true.items()]
    held.append(_holds(chance, SELDOM))
    off = {name: abs(figures[name].expected - own) / truth.std() for name, own in true.items()}
    told = off["mean"], off["deviation"], off["95 %"], chance.expected, statistics.mean(held)
    return tuple(float(one) for one in told)


def _holds(figure: Figure, truth: float) -> bool:
    """Whether the bounds do, but for luck."""
    return figure.low - 2.0 * figure.luck <= truth <= figure.high + 2.0 * figure.luck


def rows(trials: int, seeds: int, choosers: Sequence[str], say: Callable[[str], None]) -> list[Row]:
    """One for each function, chooser and seed, in this order."""
    made = []
    for one in searches(trials, seeds, choosers):
        own = judged(one.function, one.points, one.values, one.seed)
        made.append(Row(one.name, one.chooser, one.seed, *own))
        say(str(made[-1]))
    return made


def table(made: list[Row]) -> str:
    """In per cent: medians over the seeds, of chances the least and the most, too."""
    body = []
    for function, chooser in dict.fromkeys((row.function, row.chooser) for row in made):
        own = [row for row in made if (row.function, row.chooser) == (function, chooser)]
        parts = [[row.mean for row in own], [row.deviation for row in own], [row.high for row in own]]
        cells = [f"{100.0 * statistics.median(part):.1f}" for part in parts]
        chances = [row.chance for row in own]
        shown = (statistics.median(chances), min(chances), max(chances))
        cells += [f"{100.0 * one:.2f}" for one in shown]
        within = statistics.mean(row.within for row in own)
        body.append([function, str(MEASURABLE[function].dimension), chooser, *cells, f"{100.0 * within:.0f}"])
    heads = ["function", "D", "points by", "mean", "deviation", "95 %", "chance", "least", "most", "within"]
    return aligned(heads, body)


def main(arguments: list[str] | None = None) -> int:
    """The process's exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spreads", description=__doc__)
    parser.add_argument("--seeds", type=typed_seeds, default=3)
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--choosers", nargs="+", choices=CHOOSERS, default=CHOOSERS)
    parsed = parser.parse_args(arguments)
    made = rows(
        parsed.trials, parsed.seeds, parsed.choosers, lambda line: print(line, file=sys.stderr, flush=True)
    )
    print(f"{machine()}\n{table(made)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
