"""What may be typed of an uncertain parameter is said whole, evenly too, which no prior of a fit is."""

from __future__ import annotations

from argparse import ArgumentTypeError

import pytest

from orchestrator.values.typed_priors import typed_prior, typed_uncertain


def test_evenly_is_offered_where_it_may_be_said_alone() -> None:
    with pytest.raises(
        ArgumentTypeError, match=r"h0=evenly \(between its bounds\), a CSV file of draws, or h0"
    ):
        typed_uncertain("load=12")
    with pytest.raises(ArgumentTypeError, match=r"\(chances\), a CSV file of draws, or h0=none, got load=12"):
        typed_prior("load=12")


def test_chances_are_typed_one_after_the_other() -> None:
    assert typed_prior("kind=0.2,0.8") == typed_uncertain("kind=0.2,0.8") == ("kind", {"chances": [0.2, 0.8]})
