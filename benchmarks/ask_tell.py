"""EGP-TS: seconds of `ask` and `tell` at 2,000 observations against 100, in one process.

python -m benchmarks.ask_tell
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, AskKey, Observation, Problem
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain

DIMENSION = 6
REPEATS = 30


def _told(observations: int) -> Algorithm:
    algorithm = registry.build("egp-ts", Problem(Domain.continuous(DIMENSION), seed=0), {})
    rng = stream(0, "benchmark", observations)
    points = rng.random((observations, DIMENSION))
    values = -np.sum((points - 0.3) ** 2, axis=1)
    algorithm.tell(
        [
            Observation(k + 1, point, float(value))
            for k, (point, value) in enumerate(zip(points, values, strict=True))
        ]
    )
    bring_up_to_date(algorithm)
    return algorithm


def _seconds(observations: int) -> tuple[float, float]:
    """Median seconds of an ask of one point, and of telling one value."""
    algorithm = _told(observations)
    rng = stream(0, "benchmark extra", observations)
    asks, tells = [], []
    for k in range(REPEATS):
        begun = time.perf_counter()
        suggestion = algorithm.ask(1, [], AskKey(ask=k, first_trial=observations + k + 1))[0]
        asks.append(time.perf_counter() - begun)
        observation = Observation(observations + k + 1, suggestion.point, float(rng.standard_normal()))
        begun = time.perf_counter()
        algorithm.tell([observation])
        tells.append(time.perf_counter() - begun)
    return statistics.median(asks), statistics.median(tells)


def main() -> None:
    """Measure and print."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    few, many = _seconds(100), _seconds(2_000)
    for name, at_100, at_2000 in zip(("ask", "tell"), few, many, strict=True):
        ratio = at_2000 / at_100
        print(
            f"{name:5s} {1e3 * at_100:7.2f} ms at 100   {1e3 * at_2000:7.2f} ms at 2,000   ratio {ratio:.2f}"
        )


if __name__ == "__main__":
    main()
