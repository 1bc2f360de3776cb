"""An option that stands beside `options:` instead of under it: the commonest slip, said as what it is."""

from __future__ import annotations

import pytest
from spec_texts import refusal_with, sentences, under_caret


@pytest.mark.parametrize(
    ("line", "said", "at"),
    [
        (
            "algorithm: {name: boo, parts: 2}",
            ["expected `parts` among the options of `boo`, as in `options: {parts: 2}`, got it beside them"],
            ["parts: 2}"],
        ),
        (
            "optimizer: {name: boo, options: {parts: 2}, sidez: 2}",
            [
                "expected `sides` among the options of `boo`, as in `options: {sides: 2}`, got `sidez` beside"
                " them"
            ],
            ["sidez: 2}"],
        ),
        (
            "algorithm: {name: egp-ts, kernels: [rbf], features: 50}",
            [
                "expected `kernels` among the options of `egp-ts`, as in `options: {kernels: ...}`, got it"
                " beside them",
                "expected `features` among the options of `egp-ts`, as in `options: {features: 50}`, got it"
                " beside them",
            ],
            ["kernels: [rbf], features: 50}", "features: 50}"],
        ),
        (
            "algorithm: {name: boo, eta: 2, parts: few}",
            [
                "expected `eta` among the options of `boo`, as in `options: {eta: 2}`, got it beside them",
                "expected a number below 1, got 2",
                "expected `parts` among the options of `boo`, as in `options: {parts: few}`, got it beside"
                " them",
                "expected a whole number, got `few`",
            ],
            ["eta: 2, parts: few}", "2, parts: few}", "parts: few}", "few}"],
        ),
        (
            "evaluation: {evaluator: 'evaluators.learning:network', dataset: wine}",
            [
                "expected `dataset` among the options of `evaluators.learning:network`, as in"
                " `options: {dataset: wine}`, got it beside them",
            ],
            ["dataset: wine}"],
        ),
    ],
)
def test_it_is_shown_where_it_belongs_and_said_once(line: str, said: list[str], at: list[str]) -> None:
    section = line.split(":")[0]
    lines = {"algorithm": None, section: line} if section == "optimizer" else {section: line}
    refusal = refusal_with(**lines)
    assert sentences(refusal) == said
    assert under_caret(refusal) == at


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("algorithm: {name: boo, colour: red}", "expected one of the keys `name` or `options`, got `colour`"),
        ("algorithm: {name: bo, parts: 2}", "expected one of the keys `name` or `options`, got `parts`"),
        ("algorithm: {name: boo, option: {parts: 2}}", "got `option` (did you mean `options`?)"),
        ("algorithm: {parts: {a: 1}, name: [boo]}", "got `parts`"),
        ("evaluation: {evaluator: 'json:dumps', dataset: wine}", "got `dataset`"),
        (
            "evaluation: {evaluator: 'evaluators.learning:network', options: {dataset: wine}, retries: 2}",
            "got `retries` (did you mean `attempts`?)",
        ),
    ],
)
def test_what_is_no_option_is_a_wrong_key_as_ever(line: str, said: str) -> None:
    assert said in refusal_with(**{line.split(":")[0]: line})
