"""One thing or another as people write it elsewhere: refused with what to write here."""

from __future__ import annotations

import pytest

from orchestrator.errors import SpecError
from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.constraints import Constraint
from orchestrator.parameters.space import Space

DENIED = '; write `solver != "direct" or size <= 20`'
PLANT = {
    "grade": {"type": "ordered", "values": ["low", "mid", "high"]},
    "size": {"type": "int", "bounds": [1, 100]},
}


@pytest.mark.parametrize(
    ("text", "at", "advice"),
    [
        ('if solver == "direct" then size <= 20', 0, DENIED),
        ('IF solver == "direct" THEN size <= 20', 0, DENIED),
        ('if solver == "direct": size <= 20', 0, DENIED),
        ('solver == "direct" => size <= 20', 19, DENIED),
        ('solver == "direct" -> size <= 20', 19, DENIED),
        (
            'IF solver == "direct" THEN size <= 20 AND x < 3 ELSE x > 3',
            0,
            f'{DENIED} and `solver != "direct" or x < 3` and `solver == "direct" or x > 3`',
        ),
        ('size <= 20 and x < 3 if solver == "direct"', 21, f'{DENIED} and `solver != "direct" or x < 3`'),
        ('if grade == "mid or so" then x < 3', 0, '; write `grade != "mid or so" or x < 3`'),
        ('solver == "a then b" implies size <= 20', 21, '; write `solver != "a then b" or size <= 20`'),
        ('solver != "OR" OR size <= 20', 15, "; it is written in small letters, as in"),
        ("x <= 0.5 AND y <= 0.5", 9, "; write each condition as a constraint of its own"),
        ("NOT x <= 0.5", 0, "; the opposite of `==` is `!=`, and that of `<=` is `>`"),
        ("not x <= 0.5", 0, "; the opposite of `==` is `!=`, and that of `<=` is `>`"),
        ('grade >= "mid"', 9, 'those are listed that are meant, as `grade in ("mid", "high")`'),
        ("grade in (mid, high)", 9, "; a value that is text is put in quotes"),
        ('size <= 3 or "mid" < grade', 13, "; a number has no quotes"),
    ],
)
def test_it_is_said_where_and_what_to_write(text: str, at: int, advice: str) -> None:
    with pytest.raises(ArithmeticMistake) as caught:
        Constraint.of(text)
    assert (advice in str(caught.value), caught.value.offset) == (True, at)


def test_what_is_no_condition_is_not_said_to_be_one() -> None:
    with pytest.raises(ArithmeticMistake, match="expected an inequality"):
        Constraint.of("x => 0.5")


@pytest.mark.parametrize("text", ["grade >= mid", "grade <= 2"])
def test_values_in_an_order_are_listed(text: str) -> None:
    with pytest.raises(SpecError, match=r'are listed, as `grade in \("low", "mid"\)`'):
        Space.from_description(PLANT, (text,))
    Space.from_description(PLANT, ('grade in ("mid", "high")',))
