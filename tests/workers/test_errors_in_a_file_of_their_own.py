"""A program that writes what went wrong to a file of its own, of which no value is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from commands_run import of_python, run_program

from evaluators.errors import EvaluationError

FAILS = {"file": "wing.err", "pattern": r"\*\* Severe"}


def simulated(folder: Path, errors: str | None, *, code: int = 0, **output: Any) -> Any:
    """A program that prints its value, writes errors, and ends with an exit code."""
    path = folder / "0003" / "wing.err"
    write = "" if errors is None else f"open({str(path)!r}, 'w').write({errors!r});"
    program = of_python(f"import sys; print('drag 3'); {write} sys.exit({code})")
    return run_program(folder, *program, output={"pattern": "drag (.)", "fails": FAILS} | output)


def test_what_stands_there_fails_a_program_that_ended_well(tmp_path: Path) -> None:
    with pytest.raises(
        EvaluationError, match=r"wrote to wing\.err '\*\* Severe: no air', by which it failed"
    ):
        simulated(tmp_path, "** Warning: hot\n** Severe: no air\n")
    with pytest.raises(EvaluationError, match=r"printed '\*\* Severe', by which"):
        run_program(tmp_path, *of_python("print('** Severe')"), output={"pattern": "(.)", "fails": FAILS})


def test_a_program_with_nothing_to_complain_of_may_write_no_such_file(tmp_path: Path) -> None:
    assert simulated(tmp_path, "** Warning: hot\n") == 3
    assert simulated(tmp_path, None) == 3, "and that of the attempt before is not there any more"
    assert run_program(tmp_path, *of_python("print(2)"), output={"fails": FAILS}) == 2


def test_of_one_that_ended_with_an_error_it_is_told_beside_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"which wrote to wing\.err '\*\* Severe: no air', ended"):
        simulated(tmp_path, "** Severe: no air\n", code=1)


def test_an_earlier_attempt_s_errors_are_none_of_this_one_s(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError):
        simulated(tmp_path, "** Severe: no air\n")
    assert simulated(tmp_path, None) == 3
