"""What each factor gave, as it is known with a result: inline, and in columns of CSV files."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, under_caret

from orchestrator.spec.sections.initial import KnownResult

UNIT = "{type: float, bounds: [0, 1]}"
IN_PARTS = {"parameters": f"parameters: {{x: {UNIT}, y: {UNIT}, z: {UNIT}}}\nfactors: [[x, y], [y, z]]"}


def in_parts(*factors: float) -> list[KnownResult]:
    at = {"x": 0.5, "y": 0.0, "z": 1.0}
    return [KnownResult(parameters=at, value=3.0, factors=list(factors) or None)]


@pytest.mark.parametrize(
    "result",
    [
        "{x: 0.5, y: 0, z: 1, drag: 3, factors: [1, 2]}",
        "{x: 0.5, y: 0, z: 1, drag: 3, factor_2: 2, factor_1: 1}",
        "{parameters: {x: 0.5, y: 0, z: 1}, value: 3, factors: [1, 2]}",
    ],
)
def test_what_each_factor_gave_is_known_with_a_result(result: str) -> None:
    assert spec_with(**IN_PARTS, initial=f"initial: {{results: [{result}]}}").initial.results == in_parts(
        1, 2
    )


def test_a_csv_file_has_a_column_for_each_factor_as_an_export_names_them(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text("x,y,z,factor_2,factor_1,drag\n0.5,0,1,2,1,3\n0.5,0,1,,,3\n")
    spec = spec_with(tmp_path, **IN_PARTS, initial="initial: {results: known.csv}")
    assert spec.initial.results == [*in_parts(1, 2), *in_parts()]


@pytest.mark.parametrize(
    ("table", "at"),
    [
        ("x,y,z,drag,factor_1\n0.5,0,1,3,7\n", "2:11"),
        ("x,y,z,factor_1,drag,factor_2\n0.5,0,1,,3,7\n", "2:12"),
    ],
)
def test_a_part_of_the_factors_is_refused(tmp_path: Path, table: str, at: str) -> None:
    (tmp_path / "known.csv").write_text(table)
    refusal = refusal_with(tmp_path, **IN_PARTS, initial="initial: {results: known.csv}")
    said = "expected 2 factor values, as the spec has factors, or none, got 1"
    assert refusal.startswith(f"known.csv:{at}: {said}")
    inline = "initial: {results: [{x: 0.5, y: 0, z: 1, drag: 3, factors: [1]}]}"
    refusal = refusal_with(**IN_PARTS, initial=inline)
    assert sentences(refusal) == [said]
    assert under_caret(refusal) == ["[1]}]}"]


def test_what_is_told_twice_in_a_row_is_refused_where_the_second_word_was_taken() -> None:
    twice = "{x: 0.5, y: 0, z: 1, drag: 3, factors: [1, 2], factor_1: 7, factor_2: 8}"
    refusal = refusal_with(**IN_PARTS, initial=f"initial: {{results: [{twice}]}}")
    said = "expected what the factors gave once, as `factors` or as `factor_1`, `factor_2` …, got both"
    assert sentences(refusal) == [said]
    assert under_caret(refusal) == ["factor_1: 7, factor_2: 8}]}"]
    twice = "{x: 0.5, y: 0, z: 1, value: 3, drag: 4}"
    refusal = refusal_with(**IN_PARTS, initial=f"initial: {{results: [{twice}]}}")
    assert sentences(refusal) == ["expected the value once, got both `value` and `drag`"]
    assert under_caret(refusal) == ["drag: 4}]}"]


def test_a_result_that_names_its_parts_may_call_the_value_as_the_objective() -> None:
    told = "{parameters: {x: 0.5, y: 0, z: 1}, drag: 3, factors: [1, 2]}"
    spec = spec_with(**IN_PARTS, initial=f"initial: {{results: [{told}]}}")
    assert spec.initial.results == in_parts(1, 2)
    twice = told.replace("drag: 3", "value: 3, drag: 3")
    refusal = refusal_with(**IN_PARTS, initial=f"initial: {{results: [{twice}]}}")
    assert sentences(refusal) == ["expected the value once, got both `value` and `drag`"]


def test_columns_of_more_factors_than_the_spec_has_are_of_another_structure(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text("x,y,z,drag,factor_1,factor_2,factor_3\n0.5,0,1,3,1,1,1\n")
    refusal = refusal_with(tmp_path, **IN_PARTS, initial="initial: {results: known.csv}")
    assert "known.csv:1:1: expected 2 columns of factors, as the spec has factors, got `factor_3`" in refusal


def test_parameters_may_be_called_as_factors_are(tmp_path: Path) -> None:
    parameters = f"parameters: {{factors: {UNIT}, factor_1: {UNIT}}}\nfactors: [[factors], [factor_1]]"
    (tmp_path / "known.csv").write_text("factors,factor_1,run.factor_1,factor_2,drag\n0.5,0.25,1,2,3\n")
    expected = [KnownResult(parameters={"factors": 0.5, "factor_1": 0.25}, value=3.0, factors=[1.0, 2.0])]
    spec = spec_with(tmp_path, parameters=parameters, initial="initial: {results: known.csv}")
    assert spec.initial.results == expected
    inline = "{factors: 0.5, factor_1: 0.25, drag: 3, run.factor_1: 1, factor_2: 2}"
    spec = spec_with(parameters=parameters, initial=f"initial: {{results: [{inline}]}}")
    assert spec.initial.results == expected


def test_nor_is_one_that_is_called_as_a_factor_too_many_would_be_taken_for_that(tmp_path: Path) -> None:
    parameters = f"parameters: {{x: {UNIT}, factor_2: {UNIT}}}\nfactors: [[x, factor_2]]"
    (tmp_path / "known.csv").write_text("x,factor_2,factor_1,drag\n0.5,0.25,3,3\n")
    spec = spec_with(tmp_path, parameters=parameters, initial="initial: {results: known.csv}")
    expected = [KnownResult(parameters={"x": 0.5, "factor_2": 0.25}, value=3.0, factors=[3.0])]
    assert spec.initial.results == expected


def test_of_many_factors_the_tenth_comes_after_the_ninth(tmp_path: Path) -> None:
    names = [f"x{i}" for i in range(1, 12)]
    parameters = f"parameters: {{{', '.join(f'{name}: {UNIT}' for name in names)}}}"
    parts = {"parameters": f"{parameters}\nfactors: [{', '.join(f'[{name}]' for name in names)}]"}
    gave = [float(i) for i in range(1, 12)]
    header = [*names, "drag", *(f"factor_{i}" for i in range(1, 12))]
    row = [*("0.5" for _ in names), "66", *(f"{value:g}" for value in gave)]
    (tmp_path / "known.csv").write_text(f"{','.join(header)}\n{','.join(row)}\n")
    (known,) = spec_with(tmp_path, **parts, initial="initial: {results: known.csv}").initial.results
    assert known.factors == gave
