"""Whoever writes decimals behind a comma is told of it: YAML makes two of such a number."""

from __future__ import annotations

import pytest
from spec_texts import refusal_with


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "objective: {name: drag, goal: minimise, noise: 0,25}",
            "`0,25` is one number, write it with a point: 0.25",
        ),
        ("budget: {trials: 1,000}", "`1,000` is one number, write it with a point: 1.000, or whole: 1000"),
        ("budget: {trials: 12, target: -1,5}", "`-1,5` is one number, write it with a point: -1.5"),
        ("budget: {trials: 12, time: 1,5 h}", "`1,5` is one number, write it with a point: 1.5"),
        ("constraints: [x <= 0,5]", "`0,5` is one number, write it with a point: 0.5"),
        (
            "parameters: {x: {type: float, bounds: [5,5, 60]}}",
            "`5,5` is one number, write it with a point: 5.5",
        ),
        (
            "parameters: {x: {type: float, bounds: [0, 60,5]}}",
            "`60,5` is one number, write it with a point: 60.5",
        ),
    ],
)
def test_a_number_torn_apart_at_its_comma_is_put_together(line: str, told: str) -> None:
    assert told in refusal_with(**{line.partition(":")[0]: line})


@pytest.mark.parametrize(
    "line",
    [
        "parameters: {x: {type: float, bounds: [5,5]}}",
        "parameters: {x: {type: float, bounds: [0,1,2]}}",
        "parameters: {x: {type: float, bounds: [0, 1, 2]}}",
        "budget: {trials: 8,patience: 0}",
        "seed: true",
    ],
)
def test_where_commas_are_between_things_nothing_is_said_of_decimals(line: str) -> None:
    assert "one number" not in refusal_with(**{line.partition(":")[0]: line})
