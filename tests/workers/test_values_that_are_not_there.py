"""What a value is `otherwise`, where a program has nothing to say of it, and where the part that may ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from commands_run import of_python, run_program

from evaluators.errors import EvaluationError

FLOODED = """\
  *********************
  Node Flooding Summary
  *********************

  Flooding refers to all water that overflows a node.
  ---------------------------------------
                       Hours        Total
  Node               Flooded     10^6 ltr
  ---------------------------------------
  J1                    0.49        0.169
  J2                    0.57        0.383


  **********************
  Storage Volume Summary
  **********************

  ---------------------------------------
  Storage Unit       Average      Maximum
  ---------------------------------------
  tank                 0.029        0.125
  pond                 0.100        0.500
"""
DRY = FLOODED.partition("  Flooding refers")[0] + (
    "  No nodes were flooded.\n\n\n  *****" + FLOODED.partition("\n\n\n  *****")[2]
)
"""As SWMM reports of a sewer that holds."""
PART = {"below": "Node Flooding Summary", "above": "Storage Volume Summary"}


def read_of(folder: Path, text: str, **forms: Any) -> Any:
    folder.mkdir(exist_ok=True)
    (folder / "said.txt").write_text(text, encoding="utf-8")
    program = of_python(f"print(open({str(folder / 'said.txt')!r}).read())")
    return run_program(folder, *program, output={"patterns": forms})


@pytest.mark.parametrize(
    ("column", "take", "found"), [(-1, "sum", 0.552), (2, "largest", 0.57), (2, "first", 0.49)]
)
def test_a_value_of_a_table_that_is_left_out_where_it_has_no_rows_is_what_it_is_otherwise(
    tmp_path: Path, column: int, take: str, found: float
) -> None:
    form = PART | {"column": column, "take": take, "otherwise": 0}
    assert read_of(tmp_path, FLOODED, value=form)["value"] == pytest.approx(found)
    assert read_of(tmp_path, DRY, value=form)["value"] == 0


def test_without_it_the_attempt_fails_and_the_table_of_the_next_heading_is_not_taken(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="and above the next with `Storage Volume Summary`, a column 3"):
        read_of(tmp_path, DRY, value=PART | {"column": 3})


def test_a_pattern_is_looked_for_between_two_headings(tmp_path: Path) -> None:
    form = PART | {"pattern": r"^ *\w+ +\S+ +(0\.\d+)$", "take": "largest"}
    assert read_of(tmp_path, FLOODED, value=form)["value"] == 0.383
    assert read_of(tmp_path, DRY, value=form | {"otherwise": -1})["value"] == -1
    last = PART | {"pattern": r"^ *\w+ +\S+ +(0\.\d+)$", "otherwise": 0}
    assert read_of(tmp_path, FLOODED, value=last)["value"] == 0.383
    one = of_python("print('A\\n x 1\\nB\\n x 2')")
    read = run_program(tmp_path, *one, output={"below": "A", "above": "B", "pattern": r"x (?P<value>\S+)"})
    assert read == {"value": 1.0}


def test_a_part_without_its_end_was_not_written_whole(tmp_path: Path) -> None:
    """Nothing is flooded, as it seems, of what was cut off, as the disk was full."""
    cut = DRY.partition("  No nodes")[0]
    with pytest.raises(EvaluationError, match="a line with `Storage Volume Summary`; its last line is"):
        read_of(tmp_path, cut, value=PART | {"column": 3, "otherwise": 0})


def test_so_is_a_value_whose_heading_is_not_there(tmp_path: Path) -> None:
    form = PART | {"column": 3, "otherwise": 2.5}
    assert read_of(tmp_path, "All is well.\n", value=form)["value"] == 2.5


def test_what_is_there_and_no_number_fails_all_the_same(tmp_path: Path) -> None:
    form = PART | {"column": 3, "otherwise": 0}
    with pytest.raises(EvaluationError, match="a number in the column 3"):
        read_of(tmp_path, FLOODED.replace("0.383", "*****"), value=form)
    with pytest.raises(EvaluationError, match=r"to write .*it did not"):
        read_of(tmp_path, FLOODED, value=form | {"file": "wing.rpt"})


@pytest.mark.parametrize(
    ("content", "key", "take", "value"),
    [
        ('{"lost": 3}', "lost", None, 3),
        ('{"found": 3}', "lost", None, 0),
        ('{"lost": []}', "lost", "sum", 0),
        ('{"lost": []}', "lost", None, 0),
        ('{"trips": [{"lost": 2}, {"lost": 3}]}', "trips.*.lost", "sum", 5),
        ('{"trips": [{}, {}]}', "trips.*.lost", "sum", 0),
        ('{"lost": [1, 2]}', "lost", "sum", 3),
        ("<trips><trip lost='2'/><trip lost='3'/></trips>", "trip/@lost", "sum", 5),
        ("<trips></trips>", "trip/@lost", "sum", 0),
    ],
)
def test_so_is_what_no_key_leads_to(
    tmp_path: Path, content: str, key: str, take: str | None, value: float
) -> None:
    form: dict[str, Any] = {"file": "wing.out", "key": key, "otherwise": 0}
    if take is not None:
        form["take"] = take
    path = tmp_path / "0003" / "wing.out"
    path.parent.mkdir()
    path.write_text(content)
    # What lies there is of an earlier attempt, and goes as one begins.
    program = of_python(f"open({str(path)!r}, 'w').write({content!r})")
    assert run_program(tmp_path, *program, output={"patterns": {"value": form}})["value"] == value


def test_a_key_that_leads_to_nothing_that_is_a_number_fails_all_the_same(tmp_path: Path) -> None:
    program = of_python("""print('{"lost": null, "names": ["a"]}')""")
    for key in ("lost", "names"):
        form = {"key": key, "take": "sum", "otherwise": 0}
        if key == "lost":
            del form["take"]
        with pytest.raises(EvaluationError, match=r"got null|got '"):
            run_program(tmp_path, *program, output={"patterns": {"value": form}})


def test_one_that_some_of_each_lack_fails_all_the_same(tmp_path: Path) -> None:
    program = of_python("""print('{"trips": [{"lost": 2}, {"time": 3}]}')""")
    form = {"key": "trips.*.lost", "take": "sum", "otherwise": 0}
    with pytest.raises(EvaluationError, match=r"`trips\.\*\.lost`, got `time` under"):
        run_program(tmp_path, *program, output={"patterns": {"value": form}})


def test_a_deviation_is_so_as_well(tmp_path: Path) -> None:
    program = of_python("print('drag 1')")
    forms = {"value": {"pattern": "drag (.)"}, "deviation": {"pattern": "error (.)", "otherwise": 0.5}}
    assert run_program(tmp_path, *program, output={"patterns": forms}) == {"value": 1.0, "variance": 0.25}
