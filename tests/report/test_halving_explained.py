"""`explain` says of searches by successive halving how settings stood, and at which rung they are."""

from __future__ import annotations

import pytest
import recorded_runs
from recorded_runs import RecordedRun, always, explained


def test_of_settings_that_are_looked_at_more_closely_it_is_said_how_they_stood(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stood = {"trial": 4, "rank": 2, "of": 9, "rung": 3, "rungs": 5, "bracket": 2, "brackets": 5}
    monkeypatch.setattr(recorded_runs, "WHY", {"source": "halving", "halving": stood})
    words = explained(RecordedRun().begin().settle(1, always(5.0)), 1)
    assert "Its settings were among the best of those looked at as closely" in words
    assert (
        "Trial 4, of the same settings, was number 2 of the 9 that had come to its rung by then, in bracket 2"
        " of 5; this is at rung 3 of 5, of which the last is full fidelity."
    ) in words
    assert "halving:" not in words


def test_of_settings_that_are_new_it_is_said_why_none_went_on_and_where_they_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begins = {"source": "start design", "halving": {"rung": 1, "rungs": 5}}
    monkeypatch.setattr(recorded_runs, "WHY", begins)
    words = explained(RecordedRun().begin().settle(1, always(5.0)), 1)
    assert "of those looked at by then none that waited was good enough" in words
    assert "It is at rung 1 of 5, of which the last is full fidelity." in words
    assert "until there is a model" not in words


def test_what_was_known_beforehand_is_no_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    stood = {"trial": -2, "rank": 1, "of": 3, "rung": 2, "rungs": 3}
    monkeypatch.setattr(recorded_runs, "WHY", {"source": "halving", "halving": stood})
    words = explained(RecordedRun().begin().settle(1, always(5.0)), 1)
    assert "A result known beforehand, of the same settings, was number 1 of the 3" in words
