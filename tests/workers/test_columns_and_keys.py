"""Values in a column of a table, or under a key of JSON, as simulators write them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from commands_run import of_python, run_program

from evaluators.errors import EvaluationError
from evaluators.programs.json_key import under_key
from evaluators.programs.said import Said
from evaluators.programs.table_column import column_of

LAMMPS = """\
Nghost:        2144.00 ave        2144 max        2144 min
Step Temp Press Density PotEng TotEng Volume
       0         94.4    -2238.1    1.51   -876.9   -736.5  21952
     200         81.1       68.2    1.55   -776.6   -656.0  21410
Loop time of 0.72 on 1 procs for 200 steps with 500 atoms
Step Temp Press Density PotEng TotEng Volume
     200         81.1       68.2    1.55   -776.6   -656.0  21410
WARNING: Dangerous builds
     400         98.7       -2.5    1.45   -712.7   -566.0  22945
     600         94.7       57.2    1.43   -696.1   -555.2  23233
Loop time of 0.72 on 1 procs for 400 steps with 500 atoms
Nghost:        2065.00 ave        2065 max        2065 min
"""
RADIAL = "# Time-averaged data\n# Row c_r[1] c_r[2]\n1500 3\n1 0.09 0\n2 0.27 1.5D+00\n3 0.45 -2.5-101\n"
FOAM = "# Region : all\n# Time      \tp\tU\n0.005     \t6.6e-01\t(8e-04 1e-05 0)\n0.01  \t2.5e-03\t(1 2 3)\n"
NEC = """\
                        --------- ANTENNA  INPUT PARAMETERS (1) ---------
  TAG   SEG       VOLTAGE (VOLTS)         IMPEDANCE (OHMS)
  No:   No:     REAL      IMAGINARY     REAL      IMAGINARY
    2     5  1.0000E+00  0.0000E+00  3.6204E+01  6.1382E+01

                        --------- ANTENNA  INPUT PARAMETERS (1) ---------
  TAG   SEG       VOLTAGE (VOLTS)         IMPEDANCE (OHMS)
  No:   No:     REAL      IMAGINARY     REAL      IMAGINARY
    2     5  1.0000E+00  0.0000E+00  4.0000E+01  7.0000E+01
    3     5  1.0000E+00  0.0000E+00  5.0000E+01 *********

                        -------- CURRENTS --------
   SEG  TAG       X         Y      REAL      IMAGINARY
     1    1   -0.2169   -0.2339    1.586E-04  1.085E-03
     2    1   -0.2169   -0.2005    3.937E-04  2.736E-03
     3    1   -0.2169   -0.1671    3.937E-04  2.736E-03
"""
GROMACS = '@ s0 legend "Pressure"\n@TYPE xy\n    0.0   -91.5\n    1.0   103.25\n'


def printed(text: str) -> Said:
    return Said("it to print", text, "it printed nothing")


@pytest.mark.parametrize(
    ("text", "column", "numbers"),
    [
        ("time,A,B\n0,1,2\n0.5,3,nan\n", "A", [1.0, 3.0]),
        ('"t s";"mean, B"\r\n0;1\r\n1;2\r\n\r\n', "mean, B", [1.0, 2.0]),
        ("drag\n1\n2\n", "drag", [1.0, 2.0]),
        ("name,drag\nflat plate,1\nnaca,2\n", "drag", [1.0, 2.0]),
        ("t x\ns m\n-- --\n0 1\n1 4\n", "x", [1.0, 4.0]),
        ("t,x,\n0,1,\n1,,\n", "t", [0.0, 1.0]),
        (LAMMPS, "Density", [1.55, 1.45, 1.43]),
        (RADIAL, "c_r[2]", [0.0, 1.5, -2.5e-101]),
        (FOAM, "p", [0.66, 0.0025]),
        (LAMMPS, 4, [1.51, 1.55, 1.55, 1.45, 1.43]),
        (RADIAL, 3, [0.0, 1.5, -2.5e-101]),
        (GROMACS, -1, [-91.5, 103.25]),
        ("0, 1\n2, 3\n", 2, [1.0, 3.0]),
        ("with 3, 4 of them\n0 1\n2 3\n", 2, [1.0, 3.0]),
        ("t,x\n0,1\n2,3\n", -2, [0.0, 2.0]),
        ("t;x\n1,5;2,25\n3,5;-4\n", "x", [2.25, -4.0]),
        ("t;x\n1,5;2,25\n3,5;-4\n", 1, [1.5, 3.5]),
        ("t\tx\n1,5\t2,125\n", 2, [2.125]),
        ("0,1\n2,3\n", 1, [0.0, 2.0]),
        ("0,1 2,3\n4,5 -6,7\n", 1, [0.1, 4.5]),
        ("0,1 2,3\n4,5 -6,75e-02\n", -1, [2.3, -0.0675]),
        ("t p q\n0 2,3 0,125\n1,5 -6,7 1,234\n2 1 1\n", "p", [2.3, -6.7, 1.0]),
        ("t p\n0 1\nlast p, first p\n", "p", [1.0]),
    ],
)
def test_a_column_is_found_by_its_name_or_number_in_the_tables_that_simulators_write(
    text: str, column: str | int, numbers: list[float]
) -> None:
    assert list(column_of(printed(text), column)) == numbers


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        (
            "time,drag\n0,1\n",
            "darg",
            "a column `darg`; its first line is 'time,drag' (did you mean `drag`?)",
        ),
        (
            "time,drag\n",
            "drag",
            "a column `drag` with numbers; below its name, in line 1, no row of 2 cells with a number there"
            " begins within 3 lines: 'time,drag'",
        ),
        (
            "    x    y\n1 0.1  0.2\n2 0.3  0.4\n",
            "y",
            "a column `y` with numbers; below its name, in line 1, no row of 2 cells with a number there"
            " begins within 3 lines: 'x    y'; a line below has 3: say the column's number, from 1, or from"
            " -1 on the right",
        ),
        ("", 2, "a column 2, got nothing"),
        ("0 1\n", 5, "a column 5; its first line is '0 1'"),
        ("a,b\n0,1\n1,\n", "b", "a number in the column `b`, in line 3: '1,'"),
        ("0 1 2\n1 *** 3\n0 1 2\n", 2, "a number in the column 2, in line 2: '1 *** 3'"),
        ("a b\n1 ***\n2 3\n", "b", "a number in the column `b`, in line 2: '1 ***'"),
        ("1,234 5,678\n", 1, "a column 1; its first line is '1,234 5,678'"),
        ("0,5 0,25\n1,234 5,678\n", 1, "a number in the column 1, in line 2: '1,234 5,678'"),
        ("x y\n0,5 0,25\n0,5 1,234\n", "y", "a number in the column `y`, in line 3: '0,5 1,234'"),
        ("a,a\n0,1\n", "a", "one column `a`, got several"),
    ],
)
def test_a_column_that_is_not_there_or_has_no_number_is_told_of(
    text: str, column: str | int, words: str
) -> None:
    with pytest.raises(EvaluationError) as refused:
        column_of(printed(text), column)
    assert str(refused.value) == f"expected it to print {words}"


def test_a_table_whose_rows_have_the_name_of_the_column_in_them_is_read_in_a_moment() -> None:
    rows = "drag,1\n" * 4_000
    with pytest.raises(EvaluationError, match="no row of 2 cells"):
        column_of(printed(f"quantity,value\n{rows}"), "drag")


@pytest.mark.parametrize(
    ("heading", "column", "numbers"),
    [
        ("ANTENNA INPUT PARAMETERS (1)", 5, [40.0, 50.0]),
        ("CURRENTS", 1, [1.0, 2.0, 3.0]),
        ("CURRENTS", "TAG", [1.0, 1.0, 1.0]),
        ("TAG SEG VOLTAGE", -2, [40.0, 50.0]),
    ],
)
def test_below_a_heading_a_column_is_that_of_the_first_table_there(
    heading: str, column: str | int, numbers: list[float]
) -> None:
    assert list(column_of(printed(NEC).below(heading), column, first=True)) == numbers


@pytest.mark.parametrize("column", ["v", 2])
@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("A\nname,v\nx,1\n\ny,2\nTable B\nz,5\n", [1.0, 2.0]),
        ("A\nname,v\nx,1\ny,2\n\n# name,v\nz,5\n", [1.0, 2.0]),
        ("# A\n# x v\n1 2\n\n3 4\n\n# B\n5 6\n", [2.0, 4.0]),
        ("A\nname;v\n-;kN\n\nx;1\nend\nz;5\n", [1.0]),
    ],
)
def test_such_a_table_ends_at_a_line_that_has_anything_and_is_no_row(
    text: str, numbers: list[float], column: str | int
) -> None:
    assert list(column_of(printed(text).below("A"), column, first=True)) == numbers


BOXED = "*****\nDRAG\n*****\n\n----\nof kN\n----\na 2\nb 3\n\n*****\nLIFT\n*****\n\nname kN\nwing 4\n"
"""Headings as SWMM has them."""


@pytest.mark.parametrize(
    ("heading", "column", "numbers"), [("DRAG", 2, [2.0, 3.0]), ("DRAG", -1, [2.0, 3.0]), ("LIFT", -1, [4.0])]
)
def test_asterisks_about_a_heading_are_no_numbers_without_room(
    heading: str, column: int, numbers: list[float]
) -> None:
    assert list(column_of(printed(BOXED).below(heading), column, first=True)) == numbers


@pytest.mark.parametrize(
    "text", ["***\n2\n", "2\n***\nthe end\n", "***\n", "# DRAG\n***\n", "DRAG\n***\n", "DRAG\n***\nend\n"]
)
def test_a_number_without_room_in_a_column_alone_is_told(text: str) -> None:
    with pytest.raises(EvaluationError):
        column_of(printed(text), 1)


@pytest.mark.parametrize(
    ("heading", "column", "words"),
    [
        (
            "antenna input",
            1,
            "a line with `antenna input`; there is '--------- ANTENNA  INPUT PARAMETERS (1)",
        ),
        ("GAINS", 1, "a line with `GAINS`; its last line is '     3    1   -0.2169   -0.1671  "),
        (
            "ANTENNA INPUT",
            6,
            ", below the last line with `ANTENNA INPUT`, a number in the column 6, in line 10:",
        ),
        ("CURRENTS", 7, ", below the last line with `CURRENTS`, a column 7; its first line is 'SEG  TAG "),
        ("-0.1671", 1, ", below the last line with `-0.1671`, a column 1, got nothing"),
    ],
)
def test_where_nothing_of_it_is_below_a_heading_that_is_told(heading: str, column: int, words: str) -> None:
    with pytest.raises(EvaluationError) as refused:
        column_of(printed(NEC).below(heading), column, first=True)
    assert str(refused.value).replace("print ", "print").startswith(f"expected it to print{words}")


def test_a_pattern_is_looked_for_below_a_heading_alone(tmp_path: Path) -> None:
    program = of_python("print('drag 1\\nFINAL DRAG (N)\\n drag 2\\n drag 3\\n'); print('drag 4')")

    def found(**form: Any) -> Any:
        return run_program(tmp_path, *program, output={"patterns": {"value": form}})["value"]

    form = {"pattern": r"drag (\S+)", "below": "FINAL DRAG (N)"}
    assert found(**form) == 4.0
    assert found(**form, take="first") == 2.0
    assert found(**form, take="sum") == 9.0
    groups = {"pattern": r"FINAL (?P<of>\S+).*\n drag (?P<value>\S+)", "below": "DRAG 1"}
    with pytest.raises(EvaluationError, match="to print a line with `DRAG 1`; there is 'drag 1'"):
        run_program(tmp_path, *program, output=groups)
    assert run_program(tmp_path, *program, output=groups | {"below": "drag 1"}) == {
        "of": "DRAG",
        "value": 2.0,
    }


CONTENT = {"a": {"b.c": [1, {"d": "2.5D-1"}]}, "state": "well", "none": None}


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ("a.b.c.0", 1),
        ("a.b.c.-1.d", 0.25),
        ("state", "well"),
        ("none", None),
        ("a.b.c", [1, {"d": "2.5D-1"}]),
    ],
)
def test_keys_lead_into_json_one_within_the_other(key: str, found: object) -> None:
    assert under_key(CONTENT, key, "it to print") == found


SEVERAL = {"wings": [{"drag": 1, "cuts": [1, 2]}, {"drag": 2, "cuts": [3]}], "of": {"x": {"n": 3}, "y": 4}}


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ("wings.*.drag", [1, 2]),
        ("wings.*.cuts.0", [1, 3]),
        ("wings.*.cuts.*", [[1, 2], [3]]),
        ("of.*", [{"n": 3}, 4]),
        ("wings.*", SEVERAL["wings"]),
    ],
)
def test_a_star_among_keys_stands_for_each_of_a_list_or_an_object(key: str, found: object) -> None:
    assert under_key(SEVERAL, key, "it to print") == found


@pytest.mark.parametrize(
    ("key", "words"),
    [("wings.*.lift", "`drag`, `cuts` under `wings.*`"), ("of.*.n", "4 under `of.*`")],
)
def test_where_one_of_these_has_no_such_key_that_is_told(key: str, words: str) -> None:
    with pytest.raises(EvaluationError) as refused:
        under_key(SEVERAL, key, "it to print")
    assert str(refused.value) == f"expected it to print `{key}`, got {words}"


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("b", "`b`, got `a`, `state`, `none`"),
        ("a.b.c.2", "`a.b.c.2`, got a list of 2 under `a.b.c`"),
        ("stat", "`stat`, got `a`, `state`, `none` (did you mean `state`?)"),
        ("state.x", "`state.x`, got 'well' under `state`"),
        ("none.x", "`none.x`, got null under `none`"),
    ],
)
def test_a_key_that_leads_nowhere_is_told_of_with_those_that_there_are(key: str, words: str) -> None:
    with pytest.raises(EvaluationError) as refused:
        under_key(CONTENT, key, "it to print")
    assert str(refused.value) == f"expected it to print {words}"


def test_values_of_columns_and_keys_stand_beside_those_of_patterns(tmp_path: Path) -> None:
    (tmp_path / "0003").mkdir()
    program = of_python(
        "import json; print('drag = 7'); print(json.dumps(dict(wing=dict(mass=3, sag=[1, 5, 2]))));"
        # With a mark of its encoding before it, as programs of Windows have.
        f"open('{tmp_path}/0003/t.csv', 'w', encoding='utf-8-sig').write('p,t\\n4,0\\n2,1\\n')"
    )

    def found(**output: Any) -> Any:
        return run_program(tmp_path, *program, objective="drag", output=output)

    table = {"file": "t.csv", "column": "p"}
    assert found(
        patterns={
            "drag": {"pattern": r"drag = (\S+)"},
            "mass": {"key": "wing.mass"},
            "sag": {"key": "wing.sag"},
            "most": {"key": "wing.sag", "take": "largest"},
            "sum": {"key": "*.sag", "take": "sum"},
            "p": table,
            "mean": table | {"take": "mean"},
            "curve": table | {"take": "all"},
        }
    ) == {
        "drag": 7.0,
        "mass": 3,
        "sag": [1, 5, 2],
        "most": 5.0,
        "sum": 8.0,
        "p": 2.0,
        "mean": 3.0,
        "curve": [4.0, 2.0],
    }
    assert found(key="wing") == {"mass": 3, "sag": [1, 5, 2]}
    assert found(key="wing.mass") == 3
    with pytest.raises(
        EvaluationError, match=r"expected .* to print `wing\.drag`, got `mass`, `sag` under `wing`"
    ):
        found(key="wing.drag")
    with pytest.raises(EvaluationError, match=r"; of another file say a `column`, or a `pattern`$"):
        found(file="t.csv")


def test_null_under_the_key_of_the_value_is_told_and_elsewhere_kept(tmp_path: Path) -> None:
    program = of_python('print(\'{"a": {"drag": null, "n": 1} }\')')

    def found(**output: Any) -> Any:
        return run_program(tmp_path, *program, objective="drag", output=output)

    for output in ({"key": "a.drag"}, {"patterns": {"drag": {"key": "a.drag"}}}):
        with pytest.raises(
            EvaluationError, match=r"to print a value under `a\.drag`, got null, as which some"
        ):
            found(**output)
    assert found(patterns={"drag": {"key": "a.n"}, "lift": {"key": "a.drag"}}) == {"drag": 1, "lift": None}


def test_null_among_what_is_taken_is_told_as_it_is_written(tmp_path: Path) -> None:
    program = of_python("print('{\"drag\": [[1, 2], [null]]}')")
    with pytest.raises(EvaluationError, match=r"numbers under `drag`, got '\[\[1, 2\], \[null\]\]'$"):
        run_program(tmp_path, *program, output={"patterns": {"value": {"key": "drag", "take": "sum"}}})
