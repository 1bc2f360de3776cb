"""Whole numbers in the unit interval: of many positions at once the same is said as of each alone."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.unit_cube.whole_numbers import WholeNumbers


@pytest.mark.parametrize(
    "whole",
    [
        WholeNumbers(-7, 12),
        WholeNumbers(1, 50_000, logarithmic=True),
        WholeNumbers(-(10**12), 10**15),
        # No float is as exact as these are.
        WholeNumbers(2**52 - 3, 2**60),
        WholeNumbers(3, 2**60, logarithmic=True),
    ],
    ids=str,
)
def test_positions_are_snapped_together_as_each_alone_to_the_bit(whole: WholeNumbers) -> None:
    edges = [k / whole.count for k in range(7)]
    drawn = np.random.default_rng(0).random(189).tolist()
    positions = np.array([*drawn, *edges, -0.1, 0.0, 1.0, 1.2]).reshape(-1, 4)
    alone = [whole.position(whole.at(position)) for position in positions.ravel()]
    assert whole.snap(positions).ravel().tolist() == alone
    assert whole.snap(positions).shape == positions.shape


@pytest.mark.parametrize("value", [1, 700, 50_000])
def test_others_to_try_are_next_to_a_number_and_far_off_within_the_bounds(value: int) -> None:
    others = WholeNumbers(1, 50_000).alternatives(value)
    assert others == sorted({*others} - {value})
    assert {value - 1, value + 1} & {*range(1, 50_001)} <= {*others} <= {*range(1, 50_001)}
    assert max(abs(one - value) for one in others) >= 12_000
