"""Searches of features that were drawn together end in no error of our own, and keep what they promise."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from drawn_features import FEATURES
from drawn_search import drafted, drawn, is_taken
from driven_search import DrivenSearch
from rough_fits import rough_fits
from searched_by_a_run import said_by_a_spec
from searched_seeds import SHORT, searched
from spec_of_a_draft import OF_PYTHON_ALONE

CHEAP = (1, 3, 22, 24, 26, 32, 37, 42, 48, 87, 243, 315)
"""Among them runs of a spec, which are killed and amended on their way, two whose journals are damaged, one
in rounds that share a parameter, and one that begins with parts of points.
"""
LONG, BLOCK = 200, 10
"""Up to which seed `make test-long` looks; `make whole-searches` looks further."""


@pytest.mark.parametrize("seed", CHEAP)
def test_a_search_of_features_drawn_together_ends_in_no_error_of_our_own(seed: int) -> None:
    ended = searched(seed, trials=SHORT, questions=0)
    assert ended.faults == [], ended.features


def test_nor_does_one_of_a_described_choice_of_which_nothing_is_told_of_noise(tmp_path: Path) -> None:
    draft = drafted(("a described choice", "two shares"), Random(29))
    assert draft is not None
    with rough_fits():
        ended = DrivenSearch(draft, SHORT, 0, tmp_path).run()
    assert ended.faults == []


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, LONG, BLOCK))
def test_nor_do_hundreds_or_the_questions_in_their_ends(first: int) -> None:
    faulty = {seed: ended for seed in range(first, first + BLOCK) if (ended := searched(seed)).faults}
    assert faulty == {}


def test_every_feature_is_taken_by_itself_and_there_are_enough_to_be_drawn_together() -> None:
    assert [name for name in FEATURES if not alone_is_taken(name)] == []
    assert {len(drawn(seed).features) for seed in range(20)} == {2, 3, 4}


@pytest.mark.long
def test_a_spec_says_all_of_them_but_what_only_loops_in_python_do(tmp_path: Path) -> None:
    drafts = [draft for name in FEATURES if (draft := drafted((name,), Random(name))) is not None]
    unsaid = [draft for draft in drafts if said_by_a_spec(draft, SHORT, tmp_path) is None]
    assert all(draft.manner.intersection(OF_PYTHON_ALONE) for draft in unsaid)


def alone_is_taken(name: str) -> bool:
    draft = drafted((name,), Random(name))
    return draft is not None and is_taken(draft)
