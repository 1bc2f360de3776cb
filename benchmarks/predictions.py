"""How near predictions come, and how often the truth lies in the interval that is told, from few results.

python -m benchmarks.predictions --seeds 3 --trials 40
python -m benchmarks.predictions --seeds 1 --trials 700 --choosers sobol

At points all over the domain, by models of results at points that lie evenly (`sobol`), and at those that
`auto` chose to find the minimum: the functions and runs of `benchmarks.sensitivity`.

Notation: D parameters, n results, m points asked about.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.aligned_table import aligned
from benchmarks.contenders.sensitivity import CHOOSERS, searches
from benchmarks.functions.sensitivity import MEASURABLE, Measurable
from benchmarks.measuring.machine import machine
from benchmarks.typed_seeds import typed_seeds
from orchestrator.algorithms.base import Noise, Problem
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

if TYPE_CHECKING:
    from orchestrator.sensitivity.prediction import Expected

ASKED = 1000


@dataclass(frozen=True, slots=True)
class Row:
    """A function, who chose the points, a seed; the root-mean-square ``error`` as a share of the values'
    deviation; and how the interval does that is ``told``, and that of the models ``alone``, which were not
    held against results that they have not seen.
    """

    function: str
    chooser: str
    seed: int
    error: float
    alone: Interval
    told: Interval


@dataclass(frozen=True, slots=True)
class Interval:
    """The share of the points whose truth lies ``within``, and the median ``width``, as a share of the
    deviation of the values.
    """

    within: float
    width: float

    @classmethod
    def of(cls, expected: Expected, truth: FloatArray) -> Interval:
        """By m values expected, and (m,) true ones."""
        within = (expected.low <= truth) & (truth <= expected.high)
        return cls(float(within.mean()), float(np.median(expected.high - expected.low) / truth.std()))


def judged(
    function: Measurable, points: FloatArray, values: FloatArray, seed: int
) -> tuple[float, Interval, Interval]:
    """The error, and the intervals alone and as told, at m points all over, by (n,) exact values at (n, D)
    points.
    """
    # SciPy's statistics take a second to import, and who asks for help measures nothing.
    from scipy.stats import qmc

    from orchestrator.sensitivity.held_out import checked
    from orchestrator.sensitivity.measured import Measured
    from orchestrator.sensitivity.prediction import Expected

    problem = Problem(Domain.continuous(function.dimension), seed, noise=Noise("known", 0.0))
    model = checked(problem, Measured(points, values, np.zeros(len(values)), -1.0))
    asked = qmc.Sobol(function.dimension, seed=np.random.default_rng(seed)).random(1 << 10)[:ASKED]
    told, truth = Expected.of(model.believed(asked)), function(asked)
    alone = Expected.of(replace(model, stretch=1.0).believed(asked))
    error = float(np.sqrt(((told.mean - truth) ** 2).mean()) / truth.std())
    return error, Interval.of(alone, truth), Interval.of(told, truth)


def rows(trials: int, seeds: int, choosers: Sequence[str], say: Callable[[str], None]) -> list[Row]:
    """One for each function, chooser and seed, in this order."""
    made = []
    for one in searches(trials, seeds, choosers):
        row = Row(one.name, one.chooser, one.seed, *judged(one.function, one.points, one.values, one.seed))
        say(f"{one.name} {one.chooser} {one.seed}: error {row.error:.3f}, {row.alone}, {row.told}")
        made.append(row)
    return made


def table(made: list[Row]) -> str:
    """In per cent: medians over the seeds, and of what lies within the least, too; first of models alone."""
    body = []
    for function, chooser in dict.fromkeys((row.function, row.chooser) for row in made):
        own = [row for row in made if (row.function, row.chooser) == (function, chooser)]
        error = statistics.median(row.error for row in own)
        shares = [error]
        for intervals in ([row.alone for row in own], [row.told for row in own]):
            within = [one.within for one in intervals]
            width = statistics.median(one.width for one in intervals)
            shares += [statistics.median(within), min(within), width]
        cells = [f"{100.0 * share:.1f}" for share in shares]
        body.append([function, str(MEASURABLE[function].dimension), chooser, *cells])
    alone = ["alone: within", "least", "width"]
    return aligned(["function", "D", "points by", "error", *alone, "told: within", "least", "width"], body)


def main(arguments: list[str] | None = None) -> int:
    """The process's exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.predictions", description=__doc__)
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
