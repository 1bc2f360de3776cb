"""Points and results to start from, inline and in CSV files."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.spec.load import load_spec_text
from orchestrator.spec.sections.initial import KnownResult

PARAMETERS = (
    "parameters: {x: {type: float, bounds: [0, 1]}, n: {type: int, bounds: [1, 9]},"
    " on: {type: choice, values: [true, false, '1']}, c: 3}"
)


def results_of(folder: Path, table: str) -> list[KnownResult]:
    (folder / "known.csv").write_text(table)
    return spec_with(folder, parameters=PARAMETERS, initial="initial: {results: known.csv}").initial.results


def refusal_of_table(folder: Path, table: str) -> str:
    (folder / "known.csv").write_text(table)
    return refusal_with(folder, parameters=PARAMETERS, initial="initial: {results: known.csv}")


def test_points_are_completed_with_what_is_fixed() -> None:
    initial = "initial: {count: 3, points: [{x: 1, n: 2.0, on: true}, {x: 0, n: 9, on: '1', c: 3}]}"
    spec = spec_with(parameters=PARAMETERS, initial=initial)
    assert spec.initial.count == 3
    assert spec.initial.points == [
        {"x": 1.0, "n": 2, "on": True, "c": 3},
        {"x": 0.0, "n": 9, "on": "1", "c": 3},
    ]
    assert isinstance(spec.initial.points[0]["n"], int)


def test_results_inline_flat_or_nested() -> None:
    nested = "{parameters: {x: 0, n: 3}, value: 4, variance: 0.1}"
    results = f"[{{x: 1, n: 2, drag: 0.5}}, {nested}, {{x: 0, n: 1, value: 2}}]"
    spec = spec_with(initial=f"initial: {{results: {results}}}")
    assert spec.initial.results == [
        KnownResult(parameters={"x": 1.0, "n": 2}, value=0.5),
        KnownResult(parameters={"x": 0.0, "n": 3}, value=4.0, variance=0.1),
        KnownResult(parameters={"x": 0.0, "n": 1}, value=2.0),
    ]


@pytest.mark.parametrize(
    ("initial", "said", "at"),
    [
        ("{points: [{x: 2, n: 3}]}", ["expected a number in [0, 1] for `x`, got 2"], ["2, n: 3}]}"]),
        ("{points: [{x: 1, n: 3.5}]}", ["expected a whole number in [1, 9] for `n`, got 3.5"], ["3.5}]}"]),
        ("{points: [{x: one, n: 3}]}", ["expected a number in [0, 1] for `x`, got `one`"], ["one, n: 3}]}"]),
        (
            "{points: [{}]}",
            [f"expected a value for `{name}`, but it is missing" for name in ("x", "n")],
            ["{}]}", "{}]}"],
        ),
        (
            "{points: [{x: 1, n: 1, N: 2}]}",
            ["expected the parameters `x` and `n`, got `N` (did you mean `n`?)"],
            ["N: 2}]}"],
        ),
        ("{results: [{x: 1, n: 1}]}", ["expected the key `value`, but it is missing"], ["{x: 1, n: 1}]}"]),
        ("{results: [{x: 1, n: 1, value: .nan}]}", ["expected a finite number, got nan"], [".nan}]}"]),
        (
            "{results: [{x: 1, n: 1, value: 1, variance: -1}]}",
            ["expected a number of at least 0, got -1"],
            ["-1}]}"],
        ),
    ],
)
def test_wrong_points_and_results(initial: str, said: list[str], at: list[str]) -> None:
    refusal = refusal_with(initial=f"initial: {initial}")
    assert sentences(refusal) == said
    assert under_caret(refusal) == at


def test_a_csv_file_with_columns_in_any_order_and_others_beside(tmp_path: Path) -> None:
    table = "trial,drag,n,on,x,variance\n1, 0.25 ,2,true,1e-1,0.01\n2,,2,true,0.5,\n3,7,9.0,1,1,\n"
    assert results_of(tmp_path, table) == [
        KnownResult(parameters={"x": 0.1, "n": 2, "on": True, "c": 3}, value=0.25, variance=0.01),
        KnownResult(parameters={"x": 1.0, "n": 9, "on": "1", "c": 3}, value=7.0),
    ]


def test_errors_in_a_csv_file_are_at_their_place_in_it(tmp_path: Path) -> None:
    refusal = refusal_of_table(tmp_path, "x,n,on,drag\n0.5,2,true,1\n0.5,12,maybe,1\n0.5,2,true,high\n")
    assert refusal == (
        "known.csv:3:5: expected a whole number in [1, 9] for `n`, got 12\n"
        "  0.5,12,maybe,1\n"
        "      ^\n"
        "known.csv:3:8: expected `true`, `false` or `1` for `on`, got `maybe`\n"
        "  0.5,12,maybe,1\n"
        "         ^\n"
        "known.csv:4:12: expected a number, got `high`\n"
        "  0.5,2,true,high\n"
        "             ^"
    )


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("x,on,drag\n", "known.csv:1:1: expected a column for the parameter `n`, got none; if it is called"),
        (
            "x,on,drag\n",
            "if it was the same in all rows, say so, as `{file: known.csv, where: {n: …}}`",
        ),
        ("x,n,on,cost\n", "known.csv:1:1: expected a column named `drag` or `value`, got none; if it"),
        ("x,n,on,Drg\n", "expected a column named `drag` or `value`, got none (is it `Drg`?)"),
        ("x,n,on,Value\n", "expected a column named `drag` or `value`, got none (is it `Value`?)"),
        ("x,n,on,x,drag\n", "known.csv:1:1: expected each column once, got `x` 2 times"),
        ("", "known.csv:1:1: expected a first line with the names of the columns, got an empty file"),
    ],
)
def test_a_csv_file_without_the_columns(tmp_path: Path, table: str, said: str) -> None:
    assert said in refusal_of_table(tmp_path, table)


def test_a_csv_file_that_is_not_there_is_shown_where_the_spec_names_it(tmp_path: Path) -> None:
    refusal = refusal_with(tmp_path, initial="initial: {results: none.csv}")
    assert sentences(refusal) == [f"expected a file at {tmp_path / 'none.csv'}, got nothing there"]
    assert under_caret(refusal) == ["none.csv}"]


def test_errors_of_the_csv_file_and_of_the_spec_are_said_together(tmp_path: Path) -> None:
    refusal = refusal_with(
        tmp_path, initial="initial: {results: none.csv}", seed="seed: x", budget="budget: {}"
    )
    assert len(sentences(refusal)) == 3


@pytest.mark.parametrize(
    ("table", "at", "said"),
    [
        ('x,n,on,drag\n0.5,2,"true,1\n0.5,3,true,2\n', "2:7", 'to end with the `"` that closes it, got none'),
        ('x,n,on,drag,note\n0.5,2,true,1,"ok\n0.5,3,true,2,"bad"\n', "2:14", "that closes it, got none"),
        ('x,n,on,drag\n0.5,2,"true"!,1\n', "2:7", 'double a `"` inside'),
        (
            "x,n,on,drag\n0.5,2,true,1\n0.5,2,1\n",
            "3:1",
            "expected 4 cells, as in the header on line 1, got 3",
        ),
        ("x,n,on,drag\n0.5,2,true,1,7\n", "2:1", "expected 4 cells, as in the header on line 1, got 5"),
        ("x\tn\ton\tdrag\n0,5\t2\ttrue\t1\n", "2:1", "got `0,5`; decimals come after a point, as in 3.2"),
        ('x,n,on,drag\n0.5,2,true,"1,5"\n', "2:12", "got `1,5`; decimals come after a point, as in 3.2"),
        ("x,n,on,drag\n", "1:1", "expected a row with a value of `drag`, got no row"),
        ("x,n,on,drag\n\n0.5,2,true,\n", "1:1", "expected a row with a value of `drag`, got 1 without"),
    ],
)
def test_rows_that_would_be_lost_or_read_askew_are_refused(
    tmp_path: Path, table: str, at: str, said: str
) -> None:
    refusal = refusal_of_table(tmp_path, table)
    assert refusal.startswith(f"known.csv:{at}: ")
    assert said in refusal


def test_where_semicolons_separate_columns_commas_are_those_of_decimals(tmp_path: Path) -> None:
    (only,) = results_of(tmp_path, "x;n;on;drag;note\n0,25;2;true;-1,5e-3;1,2\n")
    assert (only.parameters["x"], only.value) == (0.25, -0.0015)


def test_rows_without_a_value_are_skipped_and_counted(tmp_path: Path) -> None:
    rows = [f"0.5,{n},true,{'' if n % 2 else n}\n" for n in range(1, 10)]
    (tmp_path / "known.csv").write_text("x,n,on,drag\n" + "".join(rows))
    text = text_with(parameters=PARAMETERS, initial="initial: {results: known.csv}")
    loaded = load_spec_text(text, "wing.yaml", tmp_path)
    assert [result.value for result in loaded.spec.initial.results] == [2.0, 4.0, 6.0, 8.0]
    (said,) = loaded.remarks
    assert "9 rows read from known.csv, of which 5 skipped for want of a value of `drag`" in said
    assert "lines 2, 4, 6, 8, 10" in said


def test_rows_without_a_value_whose_state_says_that_they_failed_are_failures(tmp_path: Path) -> None:
    """As `orchestrator export` writes trials that failed, beside those that wait or were forgotten."""
    rows = [
        ("failed", ""),
        ("completed", "1"),
        ("completed", ""),
        ("queued", ""),
        ("FAIL", "nan"),
        ("PRUNED", "7"),
    ]
    lines = [f"0.5,{n},true,{state},{value}\n" for n, (state, value) in enumerate(rows, 1)]
    (tmp_path / "known.csv").write_text("x,n,on,state,drag\n" + "".join(lines))
    text = text_with(parameters=PARAMETERS, initial="initial: {results: known.csv}")
    loaded = load_spec_text(text, "wing.yaml", tmp_path)
    assert [(one.parameters["n"], one.value) for one in loaded.spec.initial.results] == [
        (1, None),
        (2, 1.0),
        (5, None),
    ]
    assert "6 rows read from known.csv, of which 3 skipped" in loaded.remarks[0]


def test_results_may_lie_in_several_files_and_beside_them(tmp_path: Path) -> None:
    (tmp_path / "monday.csv").write_text("x,n,on,drag\n0.5,1,true,1\n0.5,2,true,\n")
    (tmp_path / "tuesday.csv").write_text("drag;on;n;x\n3;true;3;0,25\n")
    written = "initial: {results: [monday.csv, {x: 0.5, n: 2, on: true, drag: 2}, tuesday.csv]}"
    loaded = load_spec_text(text_with(parameters=PARAMETERS, initial=written), "wing.yaml", tmp_path)
    assert [result.value for result in loaded.spec.initial.results] == [1.0, 2.0, 3.0]
    assert "2 rows read from monday.csv, of which 1 skipped" in loaded.remarks[0]


def test_what_is_wrong_in_each_of_several_files_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "monday.csv").write_text("x,n,drag\n0.5,1,1\n")
    (tmp_path / "tuesday.csv").write_text("x,n,on,drag\n7,3,true,3\n")
    written = "initial: {results: [monday.csv, tuesday.csv, wednesday.csv, tuesday.csv]}"
    said = refusal_with(tmp_path, parameters=PARAMETERS, initial=written)
    assert "monday.csv:1:1: expected a column for the parameter `on`" in said
    assert "tuesday.csv:2:1: " in said
    assert "wednesday.csv" in said
    assert "expected each file once, got `tuesday.csv` again" in said


def test_a_table_of_failures_alone_is_one_of_results(tmp_path: Path) -> None:
    (only,) = results_of(tmp_path, "x,n,on,state,drag\n0.5,1,true,failed,\n")
    assert only.value is None


def test_where_a_parameter_is_called_state_ours_is_called_as_an_export_calls_it(tmp_path: Path) -> None:
    parameters = "parameters: {state: {type: choice, values: [failed, solid]}}"
    (tmp_path / "known.csv").write_text("state,run.state,drag\nfailed,completed,\nsolid,failed,\n")
    spec = spec_with(tmp_path, parameters=parameters, initial="initial: {results: known.csv}")
    assert [(one.parameters, one.value) for one in spec.initial.results] == [({"state": "solid"}, None)]


def test_a_failure_is_written_inline_with_its_state_in_the_place_of_a_value() -> None:
    written = "[{x: 1, n: 2, state: failed}, {parameters: {x: 0, n: 3}, state: failed}]"
    spec = spec_with(initial=f"initial: {{results: {written}}}")
    assert [(one.parameters["n"], one.value) for one in spec.initial.results] == [(2, None), (3, None)]


@pytest.mark.parametrize("forgotten", ["{x: 1, n: 2, drag: }", "{parameters: {x: 1, n: 2}, value: }"])
def test_a_value_that_was_left_out_inline_is_none_of_a_failure(forgotten: str) -> None:
    said = "expected a number, got nothing; of what failed, say `state: failed` instead"
    assert sentences(refusal_with(initial=f"initial: {{results: [{forgotten}]}}")) == [said]


@pytest.mark.parametrize("cell", ["nan", "NaN", ".nan", "NA", "n/a", "None"])
def test_what_other_programs_write_for_no_value_is_none(tmp_path: Path, cell: str) -> None:
    """Those that failed, in the table of numpy, R or pandas."""
    assert [
        result.value for result in results_of(tmp_path, f"x,n,on,drag\n0.5,2,true,{cell}\n0.5,3,true,2\n")
    ] == [2]
    refusal = refusal_of_table(tmp_path, f"x,n,on,drag\n0.5,2,true,1\n{cell},3,true,2\n")
    assert "expected a" in refusal, "of a parameter it says nothing"
    assert "expected a" in refusal_of_table(tmp_path, "x,n,on,drag\n0.5,2,true,inf\n")


def test_cells_may_hold_lines_of_their_own_and_rows_empty_cells_behind(tmp_path: Path) -> None:
    table = 'x,n,on,drag,note\n0.5,2,true,1,"bent,\n""twice""\u2028or more"\n0.5,3,true,2,,,\n'
    assert [result.value for result in results_of(tmp_path, table)] == [1.0, 2.0]


@pytest.mark.parametrize("separator", [";", "\t"])
def test_semicolons_and_tabs_separate_columns_where_the_header_has_no_comma(
    tmp_path: Path, separator: str
) -> None:
    table = "x,n,on,drag\n0.5,2,true,1\n".replace(",", separator)
    assert [result.value for result in results_of(tmp_path, table)] == [1.0]
    refusal = refusal_of_table(tmp_path, f"x{separator}n{separator}on{separator}drag\n0.5{separator}2\n")
    assert "expected 4 cells" in refusal


def test_parameters_may_be_called_value_and_variance(tmp_path: Path) -> None:
    parameters = "parameters: {value: {type: float, bounds: [0, 1]}, variance: {type: int, bounds: [1, 9]}}"
    lines = {"objective": "objective: {name: cost, goal: minimise}", "parameters": parameters}
    expected = [KnownResult(parameters={"value": 0.5, "variance": 2}, value=7.0, variance=0.1)]
    for table in (
        "cost,value,variance,run.variance\n7,0.5,2,0.1\n",
        "value,variance,run.variance,cost\n0.5,2,0.1,7\n",
    ):
        (tmp_path / "known.csv").write_text(table)
        spec = spec_with(tmp_path, **lines, initial="initial: {results: known.csv}")
        assert spec.initial.results == expected
    inline = "initial: {results: [{value: 0.5, variance: 2, cost: 7, run.variance: 0.1}]}"
    assert spec_with(tmp_path, **lines, initial=inline).initial.results == expected


def test_a_parameter_called_value_is_not_taken_for_the_objective(tmp_path: Path) -> None:
    parameters = "parameters: {value: {type: float, bounds: [0, 1]}}"
    (tmp_path / "known.csv").write_text("costs,value\n7,0.5\n")
    refusal = refusal_with(
        tmp_path,
        objective="objective: {name: cost, goal: minimise}",
        parameters=parameters,
        initial="initial: {results: known.csv}",
    )
    assert "known.csv:1:1: expected a column named `cost`, got none" in refusal


def test_columns_of_factors_are_left_alone_where_the_spec_has_none(tmp_path: Path) -> None:
    (known,) = results_of(tmp_path, "x,n,on,factor_1,drag\n0.5,2,true,1,3\n")
    assert known.factors is None


def test_a_table_that_begins_with_a_byte_order_mark_as_from_a_spreadsheet_is_read(tmp_path: Path) -> None:
    (known,) = results_of(tmp_path, "\ufeffx,n,on,drag\r\n0.5,2,true,3\r\n")
    assert (known.parameters["x"], known.value) == (0.5, 3.0)


VERSIONS = (
    "parameters: {x: {type: float, bounds: [0, 1]}, n: {type: choice, values: ['1.1', '1.10', '1e-3']}}"
)


def test_the_cell_of_a_choice_is_its_text_to_the_letter_before_it_is_a_number(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text("x,n,drag\n0,1.10,1\n0,1.1,2\n0,1e-3,3\n")
    told = spec_with(tmp_path, parameters=VERSIONS, initial="initial: {results: known.csv}").initial.results
    assert [result.parameters["n"] for result in told] == ["1.10", "1.1", "1e-3"]


def test_so_is_a_choice_that_is_written_without_quotation_marks() -> None:
    results = "[{x: 0, n: 1.10, drag: 1}, {x: 0, n: 1.1, drag: 2}, {x: 0, n: 1e-3, drag: 3}]"
    initial = spec_with(
        parameters=VERSIONS, initial=f"initial: {{points: [{{x: 1, n: 1.10}}], results: {results}}}"
    ).initial
    assert [point["n"] for point in initial.points] == ["1.10"]
    assert [result.parameters["n"] for result in initial.results] == ["1.10", "1.1", "1e-3"]


def test_points_that_the_budget_does_not_pay_for_are_refused(tmp_path: Path) -> None:
    initial = "initial: {points: [{x: 0, n: 1}, {x: 0, n: 2}, {x: 0, n: 3}]}"
    said = refusal_with(tmp_path, initial=initial, budget="budget: 2")
    assert sentences(said) == ["expected no more points than the budget of 2 trials, got 3"]
