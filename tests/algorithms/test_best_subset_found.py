"""Of ten components three are in the mixture, and the best three are not those that are best alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

import numpy as np
import pytest

from orchestrator.algorithms.ask_and_tell.start_design import StartDesign
from orchestrator.parameters.space import Space
from orchestrator.python_interface.optimiser import Optimiser

NAMES = tuple("abcdefghij")
MIXED = [" + ".join(NAMES) + " == 100", f"count({', '.join(NAMES)}) <= 3"]
TRIALS = 40
Valued = Callable[[Mapping[str, float]], float]


def blended(mixture: Mapping[str, float]) -> float:
    """A quadratic in the shares: most pairs of components spoil one another or help a little, three help each
    other much. At most 17.2.
    """
    rng = np.random.default_rng(2)
    alone, together = rng.uniform(0, 10, 10), np.triu(rng.normal(0, 15, (10, 10)), 1)
    spoil_one_another(together, np.argsort(-alone)[:3])
    help_each_other(together, np.argsort(-alone)[[4, 6, 8]], 45.0)
    shares = np.array([mixture[name] / 100 for name in NAMES])
    return float(alone @ shares + shares @ together @ shares)


def dosed(mixture: Mapping[str, float]) -> float:
    """Each component has an amount beyond which it harms, and works the better with some others. At most
    44.2.
    """
    rng = np.random.default_rng(101)
    amounts, alone = rng.uniform(15, 50, 10), rng.uniform(2, 8, 10)
    together = np.triu(rng.normal(0, 3, (10, 10)), 1)
    help_each_other(together, np.argsort(-alone)[[3, 5, 8]], 10.0)
    doses = np.array([mixture[name] for name in NAMES]) / amounts
    effects = doses * np.exp(1.0 - doses)
    return float(alone @ effects + effects @ together @ effects)


def spoil_one_another(together: np.ndarray, three: np.ndarray) -> None:
    for i, j in combinations(sorted(three), 2):
        together[i, j] = -abs(together[i, j]) - 10.0


def help_each_other(together: np.ndarray, three: np.ndarray, much: float) -> None:
    for i, j in combinations(sorted(three), 2):
        together[i, j] = much


def best_of(optimiser: Optimiser, value: Valued) -> float:
    values = []
    for _ in range(TRIALS):
        (suggestion,) = optimiser.ask()
        values.append(value(suggestion.parameters))
        optimiser.tell(suggestion.trial, values[-1])
    return float(max(values))


def test_no_component_is_met_late() -> None:
    space = Space.from_description(dict.fromkeys(NAMES, (0.0, 100.0)), MIXED)
    for seed in range(20):
        design = StartDesign(space.domain, seed)
        mixtures = [space.suggested(design.point(trial)) for trial in range(20)]
        times = [[sum(m[name] != 0 for m in mixtures[:n]) for name in NAMES] for n in (10, 20)]
        assert min(times[0]) >= 1
        assert min(times[1]) >= 2


@pytest.mark.searches
@pytest.mark.parametrize(
    ("value", "enough", "seed"),
    [(blended, 17.1, 1), (blended, 17.1, 3), (blended, 17.1, 6), (dosed, 44.0, 0), (dosed, 44.0, 6)],
)
def test_the_best_three_are_found(value: Valued, enough: float, seed: int) -> None:
    # Of as many at random the best is 12.3 and 24.5 on average.
    optimiser = Optimiser(
        dict.fromkeys(NAMES, (0.0, 100.0)), constraints=MIXED, algorithm="auto", noise=0.0, seed=seed
    )
    assert best_of(optimiser, value) > enough
