"""What is at odds in a spec: each pair has a sentence, and the page of specs names it."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from orchestrator.spec.checks.at_odds import WHY, Said, at_odds

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "spec.md").read_text(encoding="utf-8")
KEPT: Said = "limits kept in every trial"
COMPUTED: Said = "an objective that is computed"
WORDS = {
    COMPUTED: COMPUTED,
    "constraints on outcomes": "constraints on outcomes",
    "further objectives": "several objectives",
    KEPT: "limits that no trial may break",
    "parts of points": "parts of points",
}
ORDER: list[Said] = [
    "candidates",
    "blocks",
    "tolerance",
    "in_use",
    "over: each",
    KEPT,
    COMPUTED,
    "derivatives",
    "told: by comparison",
]


def test_of_what_is_kept_and_what_is_new_each_pair_that_is_there_is_said_once() -> None:
    found = list(at_odds(["held", "clock"], ["clock", "target", "expected_gain"]))
    assert [refused for refused, _ in found] == ["expected_gain", "target", "expected_gain"]
    assert found[1][1] == (
        "expected no `target` beside `clock`: no trial is the best, for its value may be another by now; say"
        " `trials` or `time`"
    )


def test_what_has_no_key_of_its_own_is_refused_in_english() -> None:
    ((_, sentence),) = at_odds(["in_use"], [COMPUTED])
    assert sentence.startswith("expected no objective that is computed beside `in_use`: ")


def test_what_may_stand_together_is_not_spoken_of() -> None:
    assert not list(at_odds(["travel", "held", "outcomes"], ["travel", "held", "outcomes", "target"]))


@pytest.mark.parametrize("kept", ORDER)
def test_the_page_of_specs_names_all_that_is_refused_beside_what_has_a_list_of_it(kept: Said) -> None:
    lists = [text.partition("\n\n")[0] for text in PAGE.split("**Refused beside it**")[1:]]
    told = lists[ORDER.index(kept)]
    refused = {*WHY[kept], *(one for one, others in WHY.items() if kept in others)}
    assert not [one for one in refused if WORDS.get(one, f"`{one}`") not in told]


def test_nothing_is_at_odds_with_itself_nor_said_of_a_pair_twice() -> None:
    pairs = [frozenset((one, other)) for one, others in WHY.items() for other in others]
    assert all(len(pair) == 2 for pair in pairs)
    assert len(set(pairs)) == len(pairs)
    assert {one for pair in pairs for one in pair} == set(get_args(Said))
