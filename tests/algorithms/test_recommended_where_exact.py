"""What is recommended where values are exact is no worse than what was measured, as far as can be known."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from orchestrator import Optimiser


def up_to_an_edge(x: float, y: float) -> float:
    """Ever better towards an edge, beyond which it is worst."""
    return x - (y - 0.4) ** 2 if x + 0.3 * y < 0.7 else -1.0


def told(seed: int, noise: float | Literal["unknown"] = 0.0) -> Optimiser:
    optimiser = Optimiser({"x": (0.0, 1.0), "y": (0.0, 1.0)}, noise=noise, seed=seed)
    for x, y in np.random.default_rng(seed).random((16, 2)).tolist():
        optimiser.learn({"x": x, "y": y}, up_to_an_edge(x, y))
    return optimiser


def test_what_may_lie_over_an_edge_gives_way_to_the_best_that_was_measured() -> None:
    optimiser = told(seed=4)
    best, found = optimiser.best(), optimiser.recommend()
    assert best is not None
    assert found.parameters == pytest.approx(best.parameters)
    assert (found.predicted.mean, found.predicted.deviation) == (best.value, 0.0)


def test_of_values_that_nobody_said_to_be_exact_what_is_believed_is_told() -> None:
    optimiser = told(seed=4, noise="unknown")
    best, found = optimiser.best(), optimiser.recommend()
    assert best is not None
    assert found.parameters == pytest.approx(best.parameters)
    assert found.predicted.mean == pytest.approx(best.value, abs=0.2)
    assert found.predicted.deviation > 0.0


def test_what_is_surely_better_is_recommended_though_nobody_tried_it() -> None:
    optimiser = told(seed=1)
    best, found = optimiser.best(), optimiser.recommend()
    assert best is not None
    assert up_to_an_edge(**found.parameters) > best.value + 0.01


def test_beside_noise_the_best_that_was_measured_may_be_lucky() -> None:
    found = told(seed=0, noise=0.1).recommend()
    assert found.predicted.deviation > 0.0
    assert found.predicted.mean == pytest.approx(0.3, abs=0.3)


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_beside_derivatives_it_is_likewise(noise: float) -> None:
    box = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
    optimiser = Optimiser(box, goal="minimise", derivatives=["x", "y"], noise=noise, seed=0)
    for i, (x, y) in enumerate(np.random.default_rng(0).random((7, 2)).tolist()):
        wrong = -1.0 if i in (2, 3) else 1.0
        slopes = {"x": wrong * 2 * (x - 0.3), "y": wrong * 4 * (y - 0.6)}
        optimiser.learn({"x": x, "y": y}, (x - 0.3) ** 2 + 2 * (y - 0.6) ** 2, derivatives=slopes)
    best, found = optimiser.best(), optimiser.recommend()
    assert best is not None
    assert (found.parameters == pytest.approx(best.parameters)) == (noise == 0.0)


@pytest.mark.parametrize("noise", [0.0, "unknown"])
def test_where_the_value_is_computed_it_is_likewise(noise: float | str) -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, outcomes=["a"], value="2 * a", noise=noise, seed=0)
    for x in (0.1, 0.35, 0.5, 0.7):
        optimiser.learn({"x": x}, outcomes={"a": x if x < 0.6 else -1.0})
    best, found = optimiser.best(), optimiser.recommend()
    assert best is not None
    assert (found.parameters == pytest.approx(best.parameters)) == (noise == 0.0)
