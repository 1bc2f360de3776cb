"""Parameters read as quantities: numbers in their order, or a sentence that names what is wrong."""

from typing import Any

import numpy as np
import pytest

from evaluators.errors import EvaluationError
from evaluators.quantities import Quantity, read_quantities, whole_option

TAKEN = {"speed": Quantity(0.0, 5.0, "m/s"), "turns": Quantity(1, 9, whole=True)}


def test_numbers_come_in_the_order_of_the_quantities_whatever_their_type() -> None:
    given = read_quantities("drill", TAKEN, {"turns": np.int64(3), "speed": np.float64(2.5)})

    assert list(given.items()) == [("speed", 2.5), ("turns", 3.0)]


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"speed": 1.0}, "drill: expected the parameters speed, turns; they came without turns"),
        ({"speed": 1.0, "turn": 2}, "they came without turns and with turn"),
        ({"speed": 5.1, "turns": 2}, "expected a number from 0 to 5 m/s as speed, got 5.1"),
        ({"speed": 1.0, "turns": 2.5}, "expected a whole number from 1 to 9 as turns, got 2.5"),
        ({"speed": True, "turns": 2}, "as speed, got True"),
        ({"speed": "fast", "turns": 2}, "as speed, got 'fast'"),
        ({"speed": None, "turns": 2}, "as speed, got None"),
        ({"speed": float("nan"), "turns": 2}, "as speed, got nan"),
    ],
)
def test_what_cannot_be_is_refused_in_words(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(EvaluationError, match=sentence) as refused:
        read_quantities("drill", TAKEN, parameters)

    assert refused.value.kind == "invalid"


def test_hundreds_of_missing_names_are_counted_and_not_listed() -> None:
    many = {f"x{i}": Quantity(0.0, 1.0) for i in range(1811)}

    with pytest.raises(EvaluationError, match=r"x5, … \(1811 in all\)") as refused:
        read_quantities("pic", many, {})
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("value", [0, 2.0, "3", True, None])
def test_options_that_count_are_whole(value: object) -> None:
    with pytest.raises(EvaluationError, match="whole number of at least 1 as option `epochs`"):
        whole_option("drill", "epochs", value)
