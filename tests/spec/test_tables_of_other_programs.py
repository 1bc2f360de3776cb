"""CSV files whose columns are called otherwise than the spec's names, or nearly as these."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_of, refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.spec.begun.added_results import read_added_results
from orchestrator.spec.begun.asked_points import points_in_file
from orchestrator.spec.load import load_spec_text

LINES = {
    "objective": "objective: {name: drag, goal: minimise, unit: N}",
    "parameters": "parameters: {temperature: {type: float, bounds: [0, 99]},"
    " span: {type: float, bounds: [1, 20], unit: m}, débit: {type: int, bounds: [1, 9], unit: l/s}}",
    "outcomes": "outcomes: [heat]",
    "constraints": "constraints: [heat <= 80]",
    "columns": 'columns: {"Temp (°C)": temperature}',
}
POINT = {"temperature": 21.5, "span": 3.0, "débit": 4}


def said_of(folder: Path, table: str, **changes: str | None) -> tuple[str, ...]:
    (folder / "known.csv").write_text(table, encoding="utf-8")
    text = text_with(**{**LINES, "initial": "initial: {results: known.csv}", **changes})
    return load_spec_text(text, "wing.yaml", folder).remarks


def test_columns_are_called_by_the_spec_or_as_a_name_with_its_unit(tmp_path: Path) -> None:
    spec = spec_with(**LINES)
    table = tmp_path / "lab.csv"
    # As a spreadsheet on macOS writes it: with a byte order mark, and é as an e and an accent.
    table.write_text(
        "\ufeffTemp (°C);span [m];de\u0301bit (l/s);drag (N);heat;note\n21,5;3;4;0,2;70;x\n", encoding="utf-8"
    )
    (known,), said = read_added_results(spec, [table], [])
    assert (known.parameters, known.value, known.outcomes, said) == (POINT, 0.2, {"heat": 70.0}, [])
    assert points_in_file(spec, table, {}) == ([POINT], [])
    text = text_with(**LINES, initial="initial: {results: lab.csv}")
    assert load_spec_text(text, "wing.yaml", tmp_path).spec.initial.results == [known]


def test_a_column_that_is_called_so_itself_is_the_one_and_another_unit_is_none(tmp_path: Path) -> None:
    both = "Temp (°C),temperature,span,débit,drag,heat\n50,21.5,3,4,0.2,70\n"
    (tmp_path / "both.csv").write_text(both, encoding="utf-8")
    (known,), _ = read_added_results(spec_with(**LINES), [tmp_path / "both.csv"], [])
    assert known.parameters == POINT
    (tmp_path / "known.csv").write_text("temperature,span (cm),débit,drag\n21.5,300,4,1\n", encoding="utf-8")
    refusal = refusal_of(text_with(**LINES, initial="initial: {results: known.csv}"), tmp_path)
    said = "expected a column for the parameter `span`, in m, got `span (cm)`; convert it if need be, and"
    assert said in refusal


def test_capitals_do_not_matter_unless_two_names_differ_in_nothing_else(tmp_path: Path) -> None:
    table = tmp_path / "lab.csv"
    table.write_text("TEMPERATURE,Span (M),Débit,Drag,Heat\n21.5,3,4,0.2,70\n", encoding="utf-8")
    (known,), _ = read_added_results(spec_with(**LINES), [table], [])
    assert (known.parameters, known.value, known.outcomes) == (POINT, 0.2, {"heat": 70.0})
    table.write_text("Ab,aB,value\n0.5,0.25,1\n")
    parameters = "parameters: {Ab: {type: float, bounds: [0, 1]}, aB: {type: float, bounds: [0, 1]}}"
    (known,), _ = read_added_results(spec_with(parameters=parameters), [table], [])
    assert known.parameters == {"Ab": 0.5, "aB": 0.25}
    table.write_text("AB,aB,value\n0.5,0.25,1\n")
    with pytest.raises(SpecError, match="expected a column for the parameter `Ab`, got none"):
        read_added_results(spec_with(parameters=parameters), [table], [])


def test_the_trials_of_an_optuna_study_are_read_as_it_writes_them(tmp_path: Path) -> None:
    table = tmp_path / "old.csv"
    head = ",number,value,datetime_start,duration,params_n,params_x,user_attrs_seed,state"
    rows = [
        "0,0,0.5,2026-01-01,1,3,0.25,7,COMPLETE",
        "1,1,0.4,2026-01-01,1,4,0.5,7,PRUNED",
        "2,2,,,1,5,1,7,FAIL",
    ]
    table.write_text("\n".join([head, *rows]) + "\n")
    known, _ = read_added_results(spec_with(), [table], [])
    assert [(one.parameters, one.value) for one in known] == [
        ({"x": 0.25, "n": 3}, 0.5),
        ({"x": 1.0, "n": 5}, None),
    ]


def test_what_is_no_name_of_the_spec_cannot_stand_for_a_column() -> None:
    refusal = refusal_with(**{**LINES, "columns": "columns: {T: temprature, D: value, F: failed}"})
    (said,) = sentences(refusal)
    assert said.endswith("got `temprature` (did you mean `temperature`?)")
    assert under_caret(refusal)[0].startswith("temprature")


@pytest.mark.parametrize(
    ("column", "meant"),
    [("Variance", "variance"), ("varience", "variance"), ("heta", None), ("heat_", "heat")],
)
def test_a_misspelt_column_that_need_not_be_there_is_said(
    tmp_path: Path, column: str, meant: str | None
) -> None:
    said = said_of(tmp_path, f"temperature,span,débit,drag,{column}\n21.5,3,4,0.2,70\n")
    told = [one for one in said if "is left alone" in one]
    assert len(told) == (meant is not None)
    assert all(f"the column `{column}` is left alone; if it is `{meant}`" in one for one in told)


def test_columns_that_are_there_on_purpose_are_passed_over_in_silence(tmp_path: Path) -> None:
    header = (
        "trial,state,drag,temperature,span,débit,heat,heat_2,cost,seconds,attempts,worker,started_s,settled_s"
    )
    row = "1,completed,0.2,21.5,3,4,70,71,1,2.5,1,a,0,3"
    assert not any("is left alone" in one for one in said_of(tmp_path, f"{header},message\n{row},\n"))


@pytest.mark.parametrize("name", ["lab.csv", "LAB.CSV"])
def test_a_table_that_excel_saved_otherwise_is_refused_with_what_excel_calls_utf_8(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text("Temp (°C);span;débit;drag\n21,5;3;4;0,2\n", encoding="cp1252")
    with pytest.raises(
        SpecError, match="got the byte 0xb0 on line 1; save it as UTF-8, in Excel as `CSV UTF-8`"
    ):
        read_added_results(spec_with(**LINES), [tmp_path / name], [])


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Plate 1;May", "3:1: expected 2 cells, as in the header on line 2, got 4"),
        ("Plate 1", "4:1: expected 1 cell, as in the header on line 2, got 3"),
    ],
)
def test_a_title_above_the_header_is_named_as_what_was_taken_for_it(
    tmp_path: Path, title: str, said: str
) -> None:
    (tmp_path / "lab.csv").write_text(f"\n{title}\ntemperature;span;débit;drag\n21,5;3;4;0,2\n")
    with pytest.raises(SpecError, match=rf"lab\.csv:{said}"):
        read_added_results(spec_with(**LINES), [tmp_path / "lab.csv"], [])
