"""Searches of features that were drawn together end in no error of our own, and keep what they promise."""

from __future__ import annotations

import pytest
from searched_seeds import searched

CHEAP = (1, 2, 3)
LONG, BLOCK = 300, 10
"""Up to which seed `make test-long` looks; `python -m tests.whole_searches` looks further."""


@pytest.mark.parametrize("seed", CHEAP)
def test_a_search_of_features_drawn_together_ends_in_no_error_of_our_own(seed: int) -> None:
    ended = searched(seed, trials=13, questions=0)
    assert ended.faults == [], ended.features


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, LONG, BLOCK))
def test_nor_do_hundreds(first: int) -> None:
    faults = {seed: ended for seed in range(first, first + BLOCK) if (ended := searched(seed)).faults}
    assert faults == {}
