"""What an evaluation is expected to add to the highest mean of each condition, against many draws."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.acquisition.profile_gain import profile_gains


def by_draws(behind: np.ndarray, moves: np.ndarray) -> float:
    """Of one condition: by how much the highest of the best one, at 0, and of the others grows."""
    z = np.random.default_rng(0).standard_normal(400_000)[:, None]
    return float(np.maximum(0.0, (moves * z - behind).max(axis=1)).mean())


def test_with_one_rival_on_either_side_it_is_all_that_is_to_be_gained() -> None:
    behind, moves = np.array([0.3, 0.5]), np.array([0.8, -0.6])
    (found,) = profile_gains(behind[None, None], moves[None, None])[0]
    assert found == pytest.approx(by_draws(behind, moves), rel=0.01)


def test_of_more_rivals_it_is_at_most_what_is_to_be_gained_and_most_of_it() -> None:
    rng = np.random.default_rng(1)
    for _ in range(5):
        behind, moves = rng.random(5), rng.standard_normal(5)
        (found,) = profile_gains(behind[None, None], moves[None, None])[0]
        exact = by_draws(behind, moves)
        assert 0.7 * exact < found < 1.01 * exact


def test_what_is_no_place_and_what_does_not_move_add_nothing() -> None:
    behind = np.array([[[np.inf, 0.1]], [[0.2, 0.0]]])
    assert not profile_gains(behind, np.array([[[5.0, 0.0]], [[0.0, 0.0]]])).any()


def test_conditions_and_points_are_apart() -> None:
    rng = np.random.default_rng(2)
    behind, moves = rng.random((3, 4, 2)), rng.standard_normal((3, 4, 2))
    found = profile_gains(behind, moves)
    assert found.shape == (3, 4)
    assert found[1, 2] == profile_gains(behind[1:2, 2:3], moves[1:2, 2:3])[0, 0]
