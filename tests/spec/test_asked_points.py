"""Points that a person asks about: typed as settings, and in the rows of a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from spec_texts import spec_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.spec.begun.asked_points import points_in_file, typed_point
from orchestrator.spec.results.typed_mappings import typed_pairs
from orchestrator.values.typed_pairs import name_and_value

SOLVERS = spec_with(
    parameters="""\
parameters:
  x:       {type: float, bounds: [0, 1]}
  n:       {type: int, bounds: [1, 9]}
  solver:  {type: choice, values: [cg, gmres, "1.10"]}
  restart: {type: int, bounds: [5, 50], when: {solver: gmres}}
  mach:    {type: fixed, value: 0.8}"""
)


def refused(ask: Callable[[], object]) -> str:
    with pytest.raises(SpecError) as caught:
        ask()
    return str(caught.value)


def test_settings_are_values_of_the_parameters_own_kinds() -> None:
    point = typed_point(SOLVERS, ["n=4", "x=1e-2", "solver=1.10"], {})
    assert point == {"n": 4, "x": 0.01, "solver": "1.10", "mach": 0.8}
    assert [type(point[name]) for name in ("n", "x")] == [int, float]


def test_what_is_left_out_is_as_it_is_beside() -> None:
    best = {"x": 0.5, "n": 3, "solver": "gmres", "restart": 20}
    assert typed_point(SOLVERS, ["x=0.3"], best) == {**best, "x": 0.3, "mach": 0.8}
    said = refused(lambda: typed_point(SOLVERS, ["solver=cg"], {"x": 0.5}))
    assert said.startswith("settings:1:1: expected a value for `n`, but it is missing")


def test_what_counts_there_has_to_be_told_and_what_does_not_need_not_be_right() -> None:
    beside = {"x": 0.5, "n": 3}
    said = refused(lambda: typed_point(SOLVERS, ["solver=gmres"], beside))
    assert "`restart`: expected a value, but it is missing; it counts where" in said
    assert typed_point(SOLVERS, ["solver=cg", "restart=500"], beside)["solver"] == "cg"


def test_each_mistake_in_settings_is_shown_at_its_place() -> None:
    settings = ["x=1.5", "n=2.5", "solvr=cg", "solver=direct", "restart", "x=0.2", "mach=0.9"]
    said = refused(lambda: typed_point(SOLVERS, settings, {}))
    assert "expected a number in [0, 1] for `x`, got 1.5" in said
    assert "expected a whole number in [1, 9] for `n`, got 2.5" in said
    assert "got `solvr` (did you mean `solver`?)" in said
    assert "for `solver`, got `direct`" in said
    assert "expected settings NAME=VALUE, each name once, got restart" in said
    assert "expected settings NAME=VALUE, each name once, got `x` twice" in said
    assert "expected 0.8, at which `mach` is fixed, got 0.9" in said
    places = [text.split()[0] for text in under_caret(said)]
    assert places == ["1.5", "2.5", "solvr=cg", "direct", "restart", "x=0.2", "0.9"]


def test_settings_with_a_comma_between_are_said_to_stand_apart() -> None:
    said = refused(lambda: typed_point(SOLVERS, ["x=0.3,n=4", "solver=cg"], {}))
    assert said.startswith(
        "settings:1:1: expected settings apart from one another, as x=3 y=2, got a comma between: x=0.3,n=4\n"
    )
    kind = "{type: choice, values: ['a,n=3', b]}"
    own = spec_with(parameters=f"parameters: {{kind: {kind}, n: {{type: int, bounds: [1, 9]}}}}")
    assert typed_point(own, ["kind=a,n=3", "n=4"], {}) == {"kind": "a,n=3", "n": 4}


def test_a_value_and_a_name_may_have_an_equals_sign_in_it() -> None:
    assert name_and_value("path=a=b", ["path"]) == ("path", "=", "a=b")
    assert name_and_value("a=b=3", ["a", "a=b"]) == ("a=b", "=", "3")
    assert name_and_value("n=", ["n"]) == ("n", "=", "")
    assert name_and_value("n", ["n"]) == ("n", "", "")


def test_of_values_that_begin_alike_the_longest_that_stands_there_is_meant() -> None:
    names, own = ["wall", "x"], {"wall": ["thin", "thin, long"]}
    found = typed_pairs("--result", "wall=thin, long,x=1", names, own)
    assert [one.cell for one in found] == ["thin, long", "1"]


def test_a_file_has_a_column_for_each_parameter_and_others_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    file.write_text("solver,who,x,n,restart,value\ngmres,ann,0.25,3,20,1.5\n\n1.10,,0.5, 4 ,,\n")
    assert points_in_file(SOLVERS, file, {})[0] == [
        {"x": 0.25, "n": 3, "solver": "gmres", "restart": 20, "mach": 0.8},
        {"x": 0.5, "n": 4, "solver": "1.10", "mach": 0.8},
    ]


def test_a_column_may_be_missing_only_of_what_is_told_already(tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    file.write_text("x,slver\n0.25,cg\n,cg\n")
    said = refused(lambda: points_in_file(SOLVERS, file, {}))
    assert (
        "expected a column for the parameter `n`, got none; if it is called otherwise, rename it, or say"
        in said
    )
    assert "expected a column for the parameter `solver`, got none (is it `slver`?)" in said
    assert "mach" not in said
    said = refused(lambda: points_in_file(SOLVERS, file, {"n": 3, "solver": "cg"}))
    assert f"{file}:3:1: expected a value for `x`, but it is missing" in said


def test_mistakes_in_a_file_are_shown_at_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    file.write_text("x,n,solver,restart\n0.5,3,cg,\n0.5,10,gmres,7\n0.5,3,gmres,700\n0.5,3,gmres,\n")
    assert f"{file}:3:5: expected a whole number in [1, 9] for `n`" in refused(
        lambda: points_in_file(SOLVERS, file, {})
    )
    file.write_text("x,n,solver,restart\n0.5,3,cg,\n0.5,9,gmres,7\n0.5,3,gmres,700\n0.5,3,gmres,\n")
    said = refused(lambda: points_in_file(SOLVERS, file, {}))
    assert f"{file}:4:13: parameter `restart`" in said
    assert f"{file}:5:1: parameter `restart`: expected a value, but it is missing" in said


def test_a_file_without_points_or_with_a_column_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    file.write_text("x,n,solver,x\n")
    said = refused(lambda: points_in_file(SOLVERS, file, {}))
    assert "expected each column once, got `x` 2 times" in said
    assert "expected a row for each point, got none" in said
    assert "nothing there" in refused(lambda: points_in_file(SOLVERS, tmp_path / "none.csv", {}))


def test_a_spreadsheet_s_semicolons_and_decimal_commas_are_read(tmp_path: Path) -> None:
    spec = spec_with(
        parameters='parameters: {x: {type: float, bounds: [0, 1]}, kind: {type: choice, values: ["1,5", b]}}'
    )
    file = tmp_path / "points.csv"
    file.write_text("x;kind\n0,25; 1,5\n1e-1;b\n")
    assert points_in_file(spec, file, {})[0] == [{"x": 0.25, "kind": "1,5"}, {"x": 0.1, "kind": "b"}]
    file.write_text('x,kind\n"0,25",b\n')
    assert "got `0,25`; decimals come after a point" in refused(lambda: points_in_file(spec, file, {}))
