"""What happens again and again is said at 1, 10, 100 and so on."""

from __future__ import annotations

import pytest

from orchestrator.runtime.said_seldom import next_said_at


@pytest.mark.parametrize(
    ("said_at", "next_at"), [(0, 1), (1, 10), (9, 10), (10, 100), (99, 100), (100, 1000), (12345, 100000)]
)
def test_each_time_ten_times_as_seldom(said_at: int, next_at: int) -> None:
    assert next_said_at(said_at) == next_at
