"""The hypervolume of the best front of each function of a comparison: the most there is, as far as is found.

python -m benchmarks.widest_front --functions truss,beam

By differential evolution of the undominated points themselves, which takes some hundred thousand evaluations
of a function that is a formula.

Notation: n points, D parameters, M objectives.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np

from benchmarks.functions.trade_offs import TRADED_OFF, TradeOff
from orchestrator.arrays import FloatArray
from orchestrator.numerics.pareto import hypervolume, non_dominated

GENERATIONS, BRED, HELD = 400, 1000, 600


def widest_front(function: TradeOff, rng: np.random.Generator) -> FloatArray:
    """(n, M) objectives of an undominated set, of at most `HELD` points."""
    points = rng.random((BRED, function.dimension))
    held, values = _front(function, points)
    for _ in range(GENERATIONS):
        parents = held[rng.integers(len(held), size=(3, BRED))]
        steps = rng.choice([0.1, 0.5, 0.9], size=(BRED, 1)) * (parents[1] - parents[2])
        steps += rng.choice([1e-4, 1e-2, 0.1], size=(BRED, 1)) * rng.standard_normal(steps.shape)
        changed = rng.random(steps.shape) < rng.choice([0.3, 1.0], size=(BRED, 1))
        bred = np.clip(parents[0] + np.where(changed, steps, 0.0), 0.0, 1.0)
        held, values = _front(function, np.vstack([held, bred]))
    return values


def _front(function: TradeOff, points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The undominated of (n, D) points that will do, and their objectives: the least crowded, if too many."""
    values, slacks = function.at(points)
    does = (slacks >= 0.0).all(axis=1)
    if not does.any():
        # Nothing will do yet: whatever lacks least.
        nearest = np.argsort(-np.minimum(slacks, 0.0).sum(axis=1))[:50]
        return points[nearest], values[nearest]
    points, values = points[does], values[does]
    kept = non_dominated(-values)
    points, values = points[kept], values[kept]
    while len(points) > HELD:
        spread = np.ptp(values, axis=0)
        scaled = values / np.where(spread > 0.0, spread, 1.0)
        apart = np.linalg.norm(scaled[:, None, :] - scaled, axis=2)
        np.fill_diagonal(apart, np.inf)
        to_nearest = np.sort(apart, axis=1)[:, 0]
        # Half of what is too much at a time, so that of two that crowd each other one stays.
        crowded = np.argsort(to_nearest)[: max(1, (len(points) - HELD) // 2)]
        points, values = np.delete(points, crowded, axis=0), np.delete(values, crowded, axis=0)
    return points, values


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the hypervolume of each function, and the corners of its front."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--functions", default=",".join(TRADED_OFF))
    for name in parser.parse_args(arguments).functions.split(","):
        function = TRADED_OFF[name]
        front = widest_front(function, np.random.default_rng(0))
        volume = hypervolume(-front, -np.array(function.reference))
        print(f"{name}: {volume:.8g}, from {front.min(axis=0)} to {front.max(axis=0)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
