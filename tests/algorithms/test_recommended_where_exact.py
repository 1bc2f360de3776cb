"""What is recommended where values are exact is no worse than what was measured, as far as can be known."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator import Optimiser


def up_to_an_edge(x: float, y: float) -> float:
    """Ever better towards an edge, beyond which it is worst."""
    return x - (y - 0.4) ** 2 if x + 0.3 * y < 0.7 else -1.0


def told(seed: int, noise: float = 0.0) -> Optimiser:
    optimiser = Optimiser({"x": (0.0, 1.0), "y": (0.0, 1.0)}, noise=noise, seed=seed)
    for x, y in np.random.default_rng(seed).random((16, 2)).tolist():
        optimiser.learn({"x": x, "y": y}, up_to_an_edge(x, y))
    return optimiser


def test_what_may_lie_over_an_edge_gives_way_to_the_best_that_was_measured() -> None:
    optimiser = told(seed=0)
    best, found = optimiser.best(), optimiser.recommend()
    assert best is not None
    assert found.parameters == pytest.approx(best.parameters)
    assert (found.predicted.mean, found.predicted.deviation) == (best.value, 0.0)


def test_what_is_surely_better_is_recommended_though_nobody_tried_it() -> None:
    optimiser = told(seed=1)
    best, found = optimiser.best(), optimiser.recommend()
    assert best is not None
    assert up_to_an_edge(**found.parameters) > best.value + 0.01


def test_beside_noise_the_best_that_was_measured_may_be_lucky() -> None:
    found = told(seed=0, noise=0.1).recommend()
    assert found.predicted.deviation > 0.0
    assert found.predicted.mean == pytest.approx(0.3, abs=0.3)
