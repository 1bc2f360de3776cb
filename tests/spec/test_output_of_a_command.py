"""A pattern for each value of a command, and what it says where it failed, in a spec."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from spec_texts import refusal_with, spec_with, text_with, under_caret

from evaluators.programs.written_quantity import read_quantity
from orchestrator.spec.checks.units import TIMES
from orchestrator.spec.load import load_spec_text

OUTCOMES = {"outcomes": "outcomes: [lift]", "constraints": "constraints: [lift >= 1]", "algorithm": None}


def evaluation(output: object) -> str:
    return f"evaluation: {{command: [./wing, '{{x}}', '{{n}}'], output: {json.dumps(output)}}}"


def test_each_value_has_its_pattern_and_perhaps_its_file() -> None:
    forms = {
        "value": "drag (.*)",
        "lift": {"pattern": "(.*)", "file": "l.csv", "take": "largest"},
        "m": "m (.)",
    }
    told = {"patterns": forms, "file": "wing.log", "fails": "NOT CONVERGED"}
    assert spec_with(evaluation=evaluation(told), **OUTCOMES).evaluation.output == {
        "patterns": {
            "value": {"pattern": "drag (.*)", "file": "wing.log"},
            "lift": {"pattern": "(.*)", "file": "l.csv", "take": "largest"},
            "m": {"pattern": "m (.)", "file": "wing.log"},
        },
        "fails": "NOT CONVERGED",
    }


def test_a_value_may_be_in_a_column_of_a_table_or_under_a_key() -> None:
    forms = {"value": {"column": -1, "take": "all"}, "lift": {"file": "l.json", "key": "a.b", "take": "last"}}
    told = {"patterns": forms | {"m": {"key": "c"}}, "file": "wing.csv"}
    assert spec_with(evaluation=evaluation(told), **OUTCOMES).evaluation.output == {
        "patterns": {
            "value": {"column": -1, "file": "wing.csv", "take": "all"},
            "lift": {"key": "a.b", "file": "l.json", "take": "last"},
            "m": {"key": "c", "file": "wing.csv"},
        }
    }
    alone = spec_with(evaluation=evaluation({"file": "wing.csv", "column": "drag"})).evaluation.output
    assert alone == {"patterns": {"value": {"column": "drag", "file": "wing.csv"}}}
    below = {"file": "wing.log", "below": " FINAL  DRAG ", "pattern": "(.)", "take": "first"}
    assert spec_with(evaluation=evaluation(below)).evaluation.output == {
        "patterns": {"value": below | {"below": "FINAL  DRAG"}}
    }
    groups = below | {"pattern": "lift (?P<lift>.) drag (?P<value>.)"}
    del groups["take"]
    told = spec_with(evaluation=evaluation(groups), **OUTCOMES).evaluation.output
    assert told == groups | {"below": "FINAL  DRAG"}, "what its groups name counts as it does elsewhere"
    trips = {"file": "trips.xml", "key": "trip/@delay", "take": "mean"}
    assert spec_with(evaluation=evaluation(trips)).evaluation.output == {"patterns": {"value": trips}}
    within = {"file": "wing.json", "key": "results"}
    assert spec_with(evaluation=evaluation(within), **OUTCOMES).evaluation.output == within


def test_what_says_that_it_failed_may_stand_in_a_file_of_its_own() -> None:
    told = {"pattern": "(.)", "fails": {"file": "wing.err", "pattern": "Severe"}}
    assert spec_with(evaluation=evaluation(told)).evaluation.output == told
    alone = told | {"fails": {"pattern": "Severe"}}
    assert spec_with(evaluation=evaluation(alone)).evaluation.output == told | {"fails": "Severe"}


def test_a_value_may_end_above_a_heading_and_be_another_where_there_is_none() -> None:
    part = {"file": "wing.log", "below": "FLUTTER", "above": " DRAG ", "pattern": "(.)"}
    told = part | {"above": "DRAG"}
    assert spec_with(evaluation=evaluation(part)).evaluation.output == told
    assert spec_with(evaluation=evaluation(part | {"otherwise": 0})).evaluation.output == {
        "patterns": {"value": told | {"otherwise": 0}}
    }
    trips = {"file": "trips.xml", "key": "trip/@delay", "take": "sum", "otherwise": -1.5}
    assert spec_with(evaluation=evaluation(trips)).evaluation.output == {"patterns": {"value": trips}}


def test_the_unit_that_a_value_is_wanted_in_stands_beside_its_pattern() -> None:
    told = {"file": "a.gcode", "pattern": "(.)", "in": "min"}
    assert spec_with(evaluation=evaluation(told)).evaluation.output == {"patterns": {"value": told}}


@pytest.mark.parametrize(
    "output", [{"pattern": "(.*)"}, {"file": "r.json"}, {"file": "a.log", "pattern": "(.)"}, {}]
)
def test_what_a_program_says_where_it_failed_stands_beside_whatever_its_value_is_in(
    output: dict[str, str],
) -> None:
    told = output | {"fails": "diverged"}
    assert spec_with(evaluation=evaluation(told)).evaluation.output == told


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (
            {"patterns": {"lift": "(.)"}},
            "for the value among `patterns`, called `value` or `drag`, got `lift`",
        ),
        (
            {"patterns": {"drag": "(.)", "lft": "(.)"}},
            "for the outcome `lift` among `patterns`, got none (did you mean `lft`?)",
        ),
        ({"patterns": {"loss": "drag .*"}}, "a group (...) about the value, for `loss`, got `drag .*`"),
        ({"patterns": {"loss": "(.*"}}, "expected a regular expression, for `loss`, got `(.*`"),
        (
            {"patterns": {"loss": 3}},
            "or {pattern: ..., file: ..., take: ...}, {column: ...} or {key: ...}, for `loss`, got 3",
        ),
        ({"patterns": {}}, "expected `json` (stdout ends"),
        ({"patterns": {"loss": {"colum": "a"}}}, "for `loss`, got {`colum`} (did you mean `column`?)"),
        ({"patterns": {"loss": {"column": "a", "key": "a"}}}, "for `loss`, got {`column` and `key`}"),
        (
            {"patterns": {"loss": {"column": 0}}},
            "or its number from 1, or from -1 on the right, for `loss`, got 0",
        ),
        ({"file": "a.csv", "column": True}, "expected `column` as the name of one, or its number"),
        (
            {"file": "a.json", "key": 3},
            "`wing.drag` or `cases.0.drag`, or of XML `wing/@drag`, got 3; a number is written in quotation",
        ),
        (
            {"column": 1, "below": ""},
            "words of the line above, as in `below: INPUT PARAMETERS`, beside a `pattern` or a `column`, for"
            " `value`, got ``",
        ),
        ({"patterns": {"loss": {"key": "a", "below": "B"}}}, "for `loss`, got `B` beside a `key`"),
        (
            {"patterns": {"loss": {"column": 1, "above": "B"}}},
            "expected `above` beside `below`, as the end of what stands below that, for `loss`, got none",
        ),
        (
            {"patterns": {"loss": {"column": 1, "below": "A", "above": 3}}},
            "words of a line, as in `above: FINAL DRAG`, for `loss`, got 3",
        ),
        (
            {"patterns": {"loss": {"column": 1, "otherwise": "none"}}},
            "expected `otherwise` as the number that it is where nothing is found, for `loss`, got `none`",
        ),
        (
            {"patterns": {"loss": {"column": 1, "in": "min"}}},
            "`min` or `MB`, beside a `pattern`, for `loss`, got `min` without one",
        ),
        ({"pattern": "(.)", "in": 60}, "beside a `pattern`, for `value`, got 60"),
        (
            {"patterns": {"drag": "(.)", "variance": {"pattern": "(.)", "in": "ms"}}},
            "expected no `in` of the `variance`, whose unit is squared: have the `deviation`, got `ms`",
        ),
        ({"column": 1, "otherwise": True}, "where nothing is found, for `value`, got `true`"),
        (
            {"column": 1, "take": "all", "otherwise": 0},
            "expected no `otherwise` beside `take: all`, of which nothing is no curve, for `value`, got both",
        ),
        ({"column": 1, "belw": "A"}, "failed, got {`column` and `belw`} (did you mean `below`?)"),
        ({"file": "a.log", "pattrn": "(.)"}, "got {`file` and `pattrn`} (did you mean `pattern`?)"),
        (
            {"pattern": "(?P<lift>.)(?P<value>.)", "take": "first"},
            "expected one group beside `take`, or `patterns`, of which each value has its own, got"
            " `(?P<lift>.)(?P<value>.)`",
        ),
        (
            {"file": "a.log", "pattern": {"drag": "(.)", "lift": "l(.)"}},
            "got {`file` and `pattern`}; what each of several values is in stands under `patterns`",
        ),
        ({"patterns": {"loss": {"pattern": "(.)", "tak": "last"}}}, "got `tak` (did you mean `take`?)"),
        ({"patterns": {"loss": {"pattern": "(.)", "take": "max"}}}, "or `all`, for `loss`, got `max`"),
        ({"patterns": {"loss": {"pattern": "(.)", "file": "../a"}}}, "a file inside the trial's folder"),
        (
            {"pattern": "(.)", "fails": "(", "file": "a.log"},
            "expected a regular expression as `fails`, got `(`",
        ),
        ({"pattern": "(.)", "fails": 3}, "expected `fails` as a pattern, or {file: ..., pattern: ...}"),
        (
            {"fails": {"file": "a.err"}},
            "expected `fails` as a pattern, or {file: ..., pattern: ...} of a file beside, got {`file`}",
        ),
        ({"fails": {"pattern": "(", "file": "a.err"}}, "expected a regular expression as `fails`, got `(`"),
        ({"fails": {"pattern": "a", "file": "../a"}}, "a file inside the trial's folder"),
        ({"fails": {"pattern": "a", "fil": "b"}}, "{`pattern` and `fil`} (did you mean `file`?)"),
        ({"fails": "diverged|"}, "it matches where nothing is said, got `diverged|`"),
    ],
)
def test_what_is_wrong_with_one_is_said(output: object, said: str) -> None:
    assert said in refusal_with(evaluation=evaluation(output), **OUTCOMES)


def test_what_is_wrong_with_one_is_shown_where_it_stands() -> None:
    text = """evaluation:
  command: [./wing, '{x}', '{n}']
  output:
    file: wing.dat
    patterns:
      drag: {column: 2}
      lift: {below: forces (fx,fy) of all, column: 2}
"""
    said = refusal_with(evaluation=text, **OUTCOMES)
    assert "got `fy) of all`; a text with a comma or a brace in it is written in quotation marks" in said
    assert under_caret(said) == ["fy) of all, column: 2}"]
    key = evaluation({"patterns": {"drag": "(.)", "lift": "("}})
    assert under_caret(refusal_with(evaluation=key, **OUTCOMES)) == ['"("}}}']


@pytest.mark.parametrize(
    ("output", "place"),
    [
        ({"pattern": "took (.*)", "in": "minuts"}, '"minuts"}}'),
        ({"patterns": {"value": {"pattern": "took (.*)", "in": "minuts"}}}, '"minuts"}}}}'),
    ],
)
def test_a_slip_in_a_unit_of_time_is_remarked_on_before_any_trial(output: object, place: str) -> None:
    (said,) = load_spec_text(text_with(evaluation=evaluation(output)), "wing.yaml", Path()).remarks
    assert "`minuts` is no time, but a unit that numbers are printed with" in said
    assert "(did you mean `minutes`?)" in said
    assert under_caret(said) == [place]


def test_units_are_the_programs_own_where_they_are_near_no_time() -> None:
    for unit in ("picoseconds", "arcminutes", "Minutes", "rounds", "USD"):
        told = evaluation({"pattern": "took (.*)", "in": unit})
        assert load_spec_text(text_with(evaluation=told), "wing.yaml", Path()).remarks == ()


def test_every_time_that_a_slip_is_told_of_is_read_of_a_program() -> None:
    assert all(read_quantity("0.5 h", unit) for unit in TIMES)
