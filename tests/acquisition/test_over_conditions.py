"""What values in many conditions are worth together: by its definition, and its gradient."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.acquisition.over_conditions import counted_weights, over_conditions
from orchestrator.values.over import Over

KINDS = [Over(), Over(0.35), Over(0.1), Over(0.0), Over(0.3, quantile=True)]


def drawn() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    weights = rng.random(9)
    return rng.standard_normal((6, 9)), weights / weights.sum()


def by_definition(values: np.ndarray, weights: np.ndarray, over: Over) -> float:
    """Of very many conditions that come as often as their weights."""
    copies = np.repeat(values, np.round(weights * 200_000).astype(int))
    copies.sort()
    if over.quantile:
        return float(copies[int(over.share * len(copies))])
    return float(copies[: max(1, int(over.share * len(copies)))].mean())


@pytest.mark.parametrize("over", KINDS)
def test_each_is_what_its_definition_says(over: Over) -> None:
    values, weights = drawn()
    found = over_conditions(values, weights, over)
    expected = [by_definition(row, weights, over) for row in values]
    assert found == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("over", KINDS)
def test_what_counts_of_each_condition_is_the_slope_by_its_value(over: Over) -> None:
    values, weights = drawn()
    counted = counted_weights(values, weights, over)
    assert counted.sum(axis=1) == pytest.approx(1.0)
    for j in range(values.shape[1]):
        moved = values.copy()
        moved[:, j] += 1e-6
        slope = (over_conditions(moved, weights, over) - over_conditions(values, weights, over)) / 1e-6
        assert slope == pytest.approx(counted[:, j], abs=1e-4)


def test_the_worst_share_goes_from_the_worst_to_the_average() -> None:
    values, weights = drawn()
    worst, tenth, half, all_of_them = (
        over_conditions(values, weights, Over(share)) for share in (0.0, 0.1, 0.5, 1.0)
    )
    assert (worst == values.min(axis=1)).all()
    assert (worst <= tenth + 1e-12).all()
    assert (tenth < half).all()
    assert (half < all_of_them).all()
    assert all_of_them == pytest.approx(values @ weights)
