"""A covariance of the errors of a fit, in a spec: a table of names, of numbers alone, or inline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.computed_objective import Misfit
from orchestrator.scheduler.rules.amended_values import AmendedValues, values_words
from orchestrator.spec.begun.amended_values import computed_by, with_values
from orchestrator.spec.build import build_wanted_outcomes
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec

AUTO = {"algorithm": None}
POINT = {"x": 0.5, "n": 2}
INLINE = "objective: {fit: {lift: 3.2, drag: 1}, covariance: [[0.04, 0.01], [0.01, 0.09]]}"
CAME = {"lift": 3.5, "drag": 1.2}
MISFIT = float(np.array([0.3, 0.2]) @ np.linalg.solve([[0.04, 0.01], [0.01, 0.09]], [0.3, 0.2]))
COLUMN = "expected a column of what is fitted (`lift` or `drag`), got"
CURVE = [[0.04, 0.01, 0.0], [0.01, 0.09, 0.02], [0.0, 0.02, 0.05]]


def refused(objective: str, folder: Path | None = None) -> tuple[str, str]:
    """The sentence, and what stands from its caret on."""
    refusal = refusal_with(folder, objective=f"objective: {objective}", **AUTO)
    (sentence,), (place,) = sentences(refusal), under_caret(refusal)
    return sentence, place


def misfit(spec: Spec, came: dict[str, object] = CAME) -> float | None:
    wanted = build_wanted_outcomes(spec)
    assert wanted is not None
    assert isinstance(wanted.computed, Misfit)
    assert not wanted.computed.without_errors
    return wanted.value(POINT, came)


@pytest.mark.parametrize(
    "table",
    [
        "0.04,0.01\n0.01,0.09\n",
        "4.0e-02 1.0e-02\n1.0e-02 9.0e-02\n",
        ",drag,lift\ndrag,0.09,0.01\nlift,0.01,0.04\n",
        "of,lift,drag\ndrag,0.01,0.09\nlift,0.04,0.01\n",
        "drag,lift\n0.09,0.01\n0.01,0.04\n",
        "drag;lift\n0,09;0,01\n0,01;0,04\n",
    ],
    ids=["numbers", "spaces", "names", "rows in another order", "a header alone", "decimal commas"],
)
def test_a_table_is_read_by_names_or_in_order_and_a_run_keeps_it(table: str, tmp_path: Path) -> None:
    (tmp_path / "errors.csv").write_text(table)
    (tmp_path / "target.csv").write_text("outcome,value\nlift,3.2\ndrag,1\n")
    text = text_with(objective="objective: {fit: target.csv, covariance: errors.csv}", **AUTO)
    loaded = load_spec_text(text, "wing.yaml", tmp_path)
    assert misfit(loaded.spec) == pytest.approx(MISFIT)
    assert load_spec_text(loaded.text, "wing.yaml", None).spec.objective == loaded.spec.objective
    assert loaded.spec.objective.covariance == spec_with(objective=INLINE, **AUTO).objective.covariance


def test_of_a_curve_each_point_has_a_row_and_a_column_under_its_name(tmp_path: Path) -> None:
    (tmp_path / "errors.csv").write_text(
        ",light,peak,light\nlight,0.04,0,0.01\nlight,0.01,0.02,0.09\npeak,0,0.05,0.02\n"
    )
    spec = load_spec_text(
        text_with(objective="objective: {fit: {light: [1, 2], peak: 3}, covariance: errors.csv}", **AUTO),
        "wing.yaml",
        tmp_path,
    ).spec
    assert spec.objective.covariance == tuple(map(tuple, CURVE))
    apart = np.array([0.5, -0.2, 0.1])
    expected = apart @ np.linalg.solve(CURVE, apart)
    assert misfit(spec, {"light": [1.5, 1.8], "peak": 3.1}) == pytest.approx(float(expected))


@pytest.mark.parametrize(
    ("covariance", "sentence", "place"),
    [
        ("[[1, 0.5]]", "expected as many rows, one for each number that is fitted, 2, of a curve for", "1, "),
        ("[[1, 0], [1]]", "expected as many columns, one for each number that is fitted, 2, of a", "1]]"),
        (
            "[[1, 0.5], [0.4, 1]]",
            "expected a symmetric matrix, got 0.4 of `drag` with `lift`, and 0.5",
            "0.4",
        ),
        ("[[1, 2], [2, 1]]", "expected a positive definite covariance, as all of errors are, got one", "[[1"),
        ("[[1, 0], [0, 0]]", "expected a variance above 0 of `drag`, got 0", "0]]"),
        ("[[1, a], [0, 1]]", "expected a finite number of `lift` with `drag`, got 'a'", "a]"),
        ("7", "expected a square of numbers, as [[0.04, 0.01], [0.01, 0.09]]", "7}"),
        ("{lift: 1}", "expected a square of numbers, as [[0.04, 0.01], [0.01, 0.09]]", "{lift: 1}"),
    ],
)
def test_what_is_no_covariance_is_refused_where_it_is_wrong(
    covariance: str, sentence: str, place: str
) -> None:
    told, there = refused(f"{{fit: {{lift: 3.2, drag: 1}}, covariance: {covariance}}}")
    assert told.startswith(sentence)
    assert there.startswith(place)


def test_of_one_that_is_not_positive_definite_the_eigenvalue_is_told() -> None:
    told, _ = refused("{fit: {lift: 3.2, drag: 1}, covariance: [[1, 20], [20, 100]]}")
    assert told.endswith("got one whose correlations have the eigenvalue -1, where each is to be above 0")
    told, _ = refused("{fit: {lift: 3.2, drag: 1}, covariance: [[1, 10], [10, 100]]}")
    assert "positive definite" in told


@pytest.mark.parametrize(
    ("table", "sentence", "place"),
    [
        (",lift,dragg\nlift,1,0\ndragg,0,1\n", COLUMN, "dragg"),
        (",lift,drag\nlift,1,0\nlift,0,1\n", "expected a row `lift` once, got 2 times", "lift,1,0"),
        (",lift,light\nlift,1,0\nlight,0,1\n", COLUMN, "light"),
        ("lift\n1\n", "expected a column `drag` once, got none", "lift"),
        ("1,0\n0.5,1\n", "expected a symmetric matrix, got 0.5 of `drag` with `lift`, and 0", "0.5,1"),
        (",lift,drag\nlift,1,0\ndrag,0,\n", "expected a finite number of `drag`, got", ""),
        ("total\n", COLUMN, "total"),
    ],
)
def test_what_is_wrong_in_a_table_is_shown_there(
    table: str, sentence: str, place: str, tmp_path: Path
) -> None:
    (tmp_path / "errors.csv").write_text(table)
    refusal = refusal_with(
        tmp_path, objective="objective: {fit: {lift: 3.2, drag: 1}, covariance: errors.csv}", **AUTO
    )
    said = [one.split(": ", 1)[1] for one in refusal.split("\n") if one.startswith("errors.csv:")]
    assert any(one.startswith(sentence) for one in said)
    assert any(one.startswith(place) for one in under_caret(refusal))


def test_an_error_beside_it_is_refused_and_so_is_one_without_a_fit() -> None:
    told, place = refused("{fit: {lift: 3.2, drag: {value: 1, error: 2}}, covariance: [[1, 0], [0, 1]]}")
    assert told.startswith("expected no `error` beside a `covariance`, on whose diagonal the errors are")
    assert place.startswith("error: 2")
    told, place = refused("{name: drag, goal: minimise, covariance: [[1]]}")
    assert told.startswith("expected `covariance` beside a `fit`")
    assert place.startswith("covariance")


def test_beside_the_objective_it_is_said_where_it_belongs() -> None:
    refusal = refusal_with(objective="objective: {fit: {lift: 3.2}}\ncovariance: [[0.04]]", **AUTO)
    assert "expected `covariance` in `objective`" in refusal


def test_a_run_that_has_begun_takes_another_one_and_goes_back_to_errors() -> None:
    before = spec_with(objective="objective: {fit: {lift: {value: 3.2, error: 1}, drag: 1}}", **AUTO)
    then = spec_with(objective=INLINE, **AUTO)
    objective = computed_by(then.objective)
    assert values_words(objective, None) == "fit of lift, drag, whose errors have a covariance"
    amended = with_values(before, AmendedValues(objective=objective))
    assert amended.objective == then.objective
    assert misfit(amended) == pytest.approx(MISFIT)
    again = with_values(amended, AmendedValues(objective=computed_by(before.objective)))
    assert again.objective == before.objective
