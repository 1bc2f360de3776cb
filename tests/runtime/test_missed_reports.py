"""Evaluations that do not report what the spec goes by: once that is clear it is said, and once only."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator.runtime.evaluations.missed_reports import MissedReports
from orchestrator.spec.sections.evaluation import Evaluation

PROGRAM = {"command": ["./train"], "progress": r"epoch (?P<step>\d+) loss (?P<loss>\S+)"}
RULE = {"stop_when": {"quantity": "loss", "chance_below": 0.1}}
FUNCTION = {"evaluator": "train:train"}


def missed(told: dict[str, Any], *inherited: str) -> MissedReports:
    return MissedReports(Evaluation.model_validate(told), inherited)


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (
            PROGRAM | RULE,
            "`stop_when` goes by `loss`, but 2 evaluations have ended and reported nothing: "
            "does a line that they print match `progress`?",
        ),
        (
            PROGRAM,
            "2 evaluations have ended and reported nothing: does a line that they print match `progress`?",
        ),
        (
            {"command": ["./train"], "progress": {"file": "log.jsonl"}},
            "2 evaluations have ended and reported nothing: does a line of `log.jsonl` in {directory} match "
            "`progress`?",
        ),
        (FUNCTION | RULE, "`stop_when` goes by `loss`, but 2 evaluations have ended and reported nothing"),
        (FUNCTION, ""),
    ],
)
def test_where_none_reports_anything_it_is_said_after_two(told: dict[str, Any], sentence: str) -> None:
    reports = missed(told)
    assert [reports.ended(lease) for lease in ("1.1", "2.1", "3.1", "4.1")] == ["", sentence, "", ""]


def test_what_is_reported_in_its_place_is_named() -> None:
    reports = missed(FUNCTION | RULE)
    for step in range(3):
        reports.reported({"losses": 0.1 * step, "rate": 1.0})
    reports.ended("1.1")
    assert reports.ended("2.1").endswith("have ended and reported `losses` and `rate` alone")


def test_where_one_of_many_reports_it_nothing_is_missed() -> None:
    reports = missed(FUNCTION | RULE)
    reports.ended("1.1")
    reports.reported({"loss": 0.3})
    assert [reports.ended(lease) for lease in ("2.1", "3.1", "4.1")] == ["", "", ""]


def test_what_an_earlier_life_began_may_have_reported_to_that() -> None:
    reports = missed(FUNCTION | RULE, "1.1", "2.1")
    assert [reports.ended(lease) for lease in ("1.1", "2.1", "3.1")] == ["", "", ""]
    assert reports.ended("4.1")
