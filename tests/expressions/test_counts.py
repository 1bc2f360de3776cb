"""How many of some parameters are not 0: what a constraint says of it, and what it may not say."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.constraints import Constraint, counted_by
from orchestrator.expressions.counts import CountLimit, SmallestAmount, in_words, smallest_amount
from orchestrator.expressions.values import hold_at


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("count(a, b, c) <= 2", (CountLimit(("a", "b", "c"), 0, 2),)),
        ("count(a, b, c) < 2", (CountLimit(("a", "b", "c"), 0, 1),)),
        ("2.5 > count(a, b, c)", (CountLimit(("a", "b", "c"), 0, 2),)),
        ("1 <= count(a, b, c) <= 2", (CountLimit(("a", "b", "c"), 1, 3), CountLimit(("a", "b", "c"), 0, 2))),
        ("count(`a b`) >= 1", (CountLimit(("a b",), 1, 1),)),
        (smallest_amount("a b", 2.5), (SmallestAmount("a b", 2.5),)),
        ("a + b <= 1", ()),
    ],
)
def test_what_constraints_say_of_counts(text: str, meant: tuple[object, ...]) -> None:
    assert Constraint.of(text).counts == meant


@pytest.mark.parametrize(
    "text",
    [
        "count(a, b) <= c",
        "2 * count(a, b) <= 3",
        "count(a, 2 * b) <= 1",
        "count(a, a) <= 1",
        "2 * count(a) < a",
    ],
)
def test_nothing_else_may_be_said_of_them(text: str) -> None:
    with pytest.raises(ArithmeticMistake, match=r"as `count\(a, b, c\) <= 2`"):
        _ = Constraint.of(text).counts


def test_who_is_counted_is_known_whatever_else_cannot_be_read() -> None:
    assert counted_by(["count(a, b) <= 1", "count(", 7, "x <= 1", "2 * count(c) <= c"]) == {"a", "b", "c"}


def test_only_what_is_0_is_not_counted() -> None:
    known = {"a": np.array([0.0, -0.0, 1e-17, -3.0]), "b": np.array([0.0, 5.0, 5.0, np.nan])}
    assert hold_at(Constraint.of("count(a, b) <= 1"), known, 4).tolist() == [True, True, False, False]
    assert hold_at(Constraint.of("2 * count(a) <= a"), known, 4).tolist() == [True, True, False, False]


def test_a_least_amount_is_told_as_nobody_had_to_write_it() -> None:
    assert in_words(smallest_amount("a b", 2.5)) == "`a b` = 0 or `a b` >= 2.5"
    assert in_words("count(a, b) <= 1") == "count(a, b) <= 1"
