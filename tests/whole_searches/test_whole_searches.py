"""Searches of features that were drawn together end in no error of our own, and keep what they promise."""

from __future__ import annotations

from random import Random

import pytest
from drawn_features import FEATURES
from drawn_search import drafted, drawn, is_taken
from searched_seeds import SHORT, searched

CHEAP = (1, 23, 24, 27, 28, 32, 37, 39, 42, 49, 50, 57)
"""39 notices an error that a described choice once led to where nothing was told of noise."""
LONG, BLOCK = 200, 10
"""Up to which seed `make test-long` looks; `make whole-searches` looks further."""


@pytest.mark.parametrize("seed", CHEAP)
def test_a_search_of_features_drawn_together_ends_in_no_error_of_our_own(seed: int) -> None:
    ended = searched(seed, trials=SHORT, questions=0)
    assert ended.faults == [], ended.features


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, LONG, BLOCK))
def test_nor_do_hundreds_or_the_questions_in_their_ends(first: int) -> None:
    faulty = {seed: ended for seed in range(first, first + BLOCK) if (ended := searched(seed)).faults}
    assert faulty == {}


def test_every_feature_is_taken_by_itself_and_there_are_enough_to_be_drawn_together() -> None:
    assert [name for name in FEATURES if not alone_is_taken(name)] == []
    assert {len(drawn(seed).features) for seed in range(20)} == {2, 3, 4}


def alone_is_taken(name: str) -> bool:
    draft = drafted((name,), Random(name))
    return draft is not None and is_taken(draft)
