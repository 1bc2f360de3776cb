"""Linear equalities: as many parameters as there are of them are computed from the others."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from orchestrator.expressions import equalities
from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.equalities import Equality, mistakes, solve


def solved(*texts: str, constants: dict[str, float] | None = None, **ranges: float) -> dict[str, str]:
    read = [Equality.of(text) for text in texts]
    found = solve([one for one in read if one is not None], constants or {}, ranges)
    return {one.name: one.formula for one in found}


def test_the_one_with_the_widest_range_is_computed_and_of_equals_the_first_by_name() -> None:
    assert solved("a + b + c == 100", a=100, b=60, c=100) == {"a": "100 - b - c"}
    assert solved("a + b + c == 100", b=60, c=100) == {"c": "100 - a - b"}
    assert solved("1 == 0.5 * a + 2 * b", a=1, b=1) == {"b": "0.5 - 0.25 * a"}


def test_the_order_in_which_things_are_written_says_nothing() -> None:
    texts = ("a + b + c + d == 1", "a == 3 * b", "c - 2 * d == 0.1")
    ranges = {"a": 1.0, "b": 1.0, "c": 2.0, "d": 1.0}
    every = [solved(*order, **ranges) for order in permutations(texts)]
    assert every == [every[0]] * len(every)
    assert solved("c + a + b == 1", c=1, b=1, a=1) == solved("a + b + c == 1", a=1, b=1, c=1)


def test_twice_as_many_take_four_times_as_many_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is looked at once, beside those before it, and not all of them anew for every one."""
    sums = 0

    def counted(*terms: Any) -> dict[str, Fraction]:
        nonlocal sums
        sums += 1
        return of_two(*terms)

    def sums_of(count: int) -> int:
        nonlocal sums
        sums, texts = 0, [f"2 * own{i} + shared{i} - shared{i + 1} == {i}" for i in range(count)]
        ranges = {f"{of}{i}": 1.0 for of in ("own", "shared") for i in range(count + 1)}
        assert solved(*texts, **ranges).keys() == {f"own{i}" for i in range(count)}
        return sums

    of_two = equalities._sum
    monkeypatch.setattr(equalities, "_sum", counted)
    assert sums_of(20) < 5 * sums_of(10)


def test_numbers_that_are_no_decimals_stay_exact() -> None:
    assert solved("3 * a + b == 1", a=1.0) == {"a": "(1 - b) / 3"}
    assert solved("-a == b", a=1.0) == {"a": "-b"}


def test_what_is_fixed_is_a_number() -> None:
    assert solved("k * a + b == total", constants={"k": 2.0, "total": 10.0}, b=20) == {"b": "10 - 2 * a"}


def test_a_name_with_other_characters_is_put_in_backquotes() -> None:
    assert solved("`part a` + b == 1", b=1) == {"b": "1 - `part a`"}


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (("a * b == 1",), "linear in the parameters"),
        (("1 / a == b",), "linear in the parameters"),
        (("abs(a) == b",), "linear in the parameters"),
        (("a + b == 1", "2 * a + 2 * b == 2"), "says nothing beside the other equalities"),
        (("a + b == 1", "2 * a + 2 * b == 3"), "holds never beside the other equalities"),
        (("a - a == 0",), "says nothing"),
        (("2 * a == 3",), "which leaves `a` one value; what has one is `a: {type: fixed, value: 1.5}`"),
        (("3 * a == 1",), "`a: {type: fixed, value: 0.3333333333333333}`"),
        (("7e-300 * a == 1e300",), "`a: {type: fixed, value: 142857142857"),
        (("a + b == 1", "a - b == 0"), "one value beside the other equalities; what has one is `b: {type: "),
        (("n + m == 8",), 'write `m: {type: computed, value: "8 - n"}` and leave the equality out'),
    ],
)
def test_what_cannot_be_solved_is_refused(texts: tuple[str, ...], said: str) -> None:
    with pytest.raises(ArithmeticMistake) as refusal:
        solved(*texts, a=1, b=1)
    assert said in str(refusal.value)


def test_each_that_is_wrong_is_told_beside_the_right_ones() -> None:
    texts = ("a + b == 1", "a * c == 1", "c + d == 1", "2 * a + 2 * b == 3", "n + m == 8", "d + c == 1")
    read = [one for text in texts if (one := Equality.of(text)) is not None]
    told = list(mistakes(read, {}, {"a": 1, "b": 1, "c": 1, "d": 1}))
    assert [one.at for one in told] == [1, 3, 4, 5]
    assert "linear" in told[0].sentence
    assert "holds never beside" in told[1].sentence
    assert told[2].sentence.startswith("expected in `n + m == 8` a float that can be computed")
    assert "says nothing beside" in told[3].sentence


def test_one_that_leaves_none_to_compute_is_told_with_those_that_it_is_tied_to() -> None:
    texts = ("a + b == 1", "c + n == 8", "n + m == 3", "m + k == 2")
    read = [one for text in texts if (one := Equality.of(text)) is not None]
    (told,) = mistakes(read, {}, {"a": 1, "c": 1, "k": 1})
    assert told.at == 2
    assert told.sentence.startswith("expected in `c + n == 8` and `n + m == 3` a float")


@pytest.mark.parametrize("text", ["a < b", "a == b == c", "a == b < c", "a = b", "a +", 3])
def test_what_is_no_equality_is_none(text: object) -> None:
    assert Equality.of(text) is None
