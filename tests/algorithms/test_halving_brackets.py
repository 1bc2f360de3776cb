"""How many settings each bracket begins with, and whose turn it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.algorithms.halving.brackets import Bracket, brackets_of, one_bracket, whose_turn


def test_brackets_are_as_large_as_in_the_table_of_the_paper() -> None:
    # Li et al. 2018, Table 1: R = 81, eta = 3.
    brackets = brackets_of(5, 3)
    assert [(one.begin, 3**one.first) for one in brackets] == [(81, 1), (27, 3), (9, 9), (6, 27), (5, 81)]


def test_the_one_bracket_of_asha_begins_lowest_whatever_has_begun() -> None:
    (bracket,) = brackets = one_bracket(4, 3)
    assert bracket == Bracket(0, 27)
    assert whose_turn(brackets, [1000]) == 0


@pytest.mark.parametrize(
    ("begun", "number"),
    [([0, 0, 0], 0), ([3, 0, 0], 0), ([4, 0, 0], 1), ([4, 2, 2], 2), ([4, 2, 3], 0), ([0, 2, 9], 0)],
)
def test_brackets_have_their_turns_one_after_another(begun: list[int], number: int) -> None:
    assert [one.begin for one in brackets_of(3, 2)] == [4, 2, 3]
    assert whose_turn(brackets_of(3, 2), begun) == number


@given(rungs=st.integers(1, 6), reduction=st.integers(2, 4), rounds=st.integers(1, 3))
def test_after_whole_rounds_each_has_begun_with_as_many_as_it_is_to(
    rungs: int, reduction: int, rounds: int
) -> None:
    brackets = brackets_of(rungs, reduction)
    begun = [0] * rungs
    for _ in range(rounds * sum(one.begin for one in brackets)):
        begun[whose_turn(brackets, begun)] += 1
    assert begun == [rounds * one.begin for one in brackets]
    # None costs more than the rungs there are times what one whole evaluation costs, by each of its rungs.
    for one in brackets:
        looks = range(rungs - one.first)
        cost = sum(one.begin // reduction**i * reduction ** (one.first + i - rungs + 1) for i in looks)
        assert cost <= rungs
