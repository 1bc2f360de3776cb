"""Values found by a pattern each, and what programs say by which they failed, though they ended well."""

from __future__ import annotations

import math
import signal
from pathlib import Path
from typing import Any

import pytest
from commands_run import of_python, run_program

from evaluators.errors import EvaluationError
from evaluators.programs import bounded_search

AMPLIFIER = of_python(
    "print('gain = 2.6D+01\\nlow = 12\\n meas high when gain=23 failed!\\nno. of rows: 3');"
    "open('plate.dat', 'w').write('''mises 1.5\\nmises 7\\nmises 4\\nvolume 0.25\\n''')"
)


def found(directory: Path, objective: str = "gain", **patterns: str | dict[str, str]) -> Any:
    directory.joinpath("0003").mkdir(exist_ok=True)
    forms = {name: {"pattern": form} if isinstance(form, str) else form for name, form in patterns.items()}
    moving = ("sh", "-c", 'cd "$0" && exec "$@"', "{directory}", *AMPLIFIER)
    return run_program(directory, *moving, objective=objective, output={"patterns": forms})


def test_each_value_has_a_pattern_of_its_own_in_whatever_order_and_file(tmp_path: Path) -> None:
    answer = found(
        tmp_path,
        volume={"file": "plate.dat", "pattern": r"volume (\S+)"},
        low=r"low = (\S+)",
        gain=r"gain = (\S+)",
        state=r"meas (\w+)",
    )
    assert answer == {"volume": 0.25, "low": 12.0, "gain": 26.0, "state": "high"}


def test_of_several_matches_one_is_taken_or_what_all_of_them_come_to(tmp_path: Path) -> None:
    each = {"last": 4.0, "first": 1.5, "largest": 7.0, "least": 1.5, "mean": 12.5 / 3, "sum": 12.5}
    plate = {"file": "plate.dat", "pattern": r"mises (\S+)"}
    forms = {take: {**plate, "take": take} for take in [*each, "all"]}
    assert found(tmp_path, "last", **forms) == each | {"all": [1.5, 7.0, 4.0]}


def test_which_value_is_missing_is_said_with_the_line_that_has_its_name(tmp_path: Path) -> None:
    words = r"print `high`, by what matches `high = .*; its last line is 'no. of rows: 3'; the last line with"
    with pytest.raises(
        EvaluationError, match=words + " `high` is 'meas high when gain=23 failed!'"
    ) as refused:
        found(tmp_path, gain=r"gain = (\S+)", high=r"high = (\S+)")
    assert refused.value.kind == "invalid"
    with pytest.raises(EvaluationError, match=r"to write to .*plate\.dat `sag`, by what matches"):
        found(tmp_path, sag={"file": "plate.dat", "pattern": "sag (.*)", "take": "largest"})


def test_the_line_that_has_a_name_in_capitals_is_shown_too(tmp_path: Path) -> None:
    program = of_python(
        "print('SSIM Mean Y:0.89 ( 9.9db)\\nencoded 50 frames', file=__import__('sys').stderr)"
    )
    forms = {"ssim": {"pattern": r"\((\S+)db\)"}}
    with pytest.raises(EvaluationError, match=r"the last line with `ssim` is 'SSIM Mean Y:0.89 \( 9.9db\)'"):
        run_program(tmp_path, *program, objective="ssim", output={"patterns": forms})


def test_values_of_their_own_patterns_are_found_on_standard_error_each_by_itself(tmp_path: Path) -> None:
    program = of_python("print('frames 50'); print('kb/s:6\\nkb/s:8\\nfps 9', file=__import__('sys').stderr)")
    forms = {
        "frames": {"pattern": r"frames (\S+)"},
        "rate": {"pattern": r"kb/s:(\S+)", "take": "mean"},
        "fps": {"pattern": r"fps (\S+)"},
    }
    answer = run_program(tmp_path, *program, objective="rate", output={"patterns": forms})
    assert answer == {"frames": 50.0, "rate": 7.0, "fps": 9.0}


def test_what_has_to_be_a_number_is_one(tmp_path: Path) -> None:
    assert found(tmp_path, gain=r"gain = (\S+)", deviation=r"low = (\S+)") == {
        "gain": 26.0,
        "variance": 144.0,
    }
    spread = {"file": "plate.dat", "pattern": r"mises (\S+)", "take": "largest"}
    assert found(tmp_path, gain=r"gain = (\S+)", deviation=spread)["variance"] == 49.0
    program, huge = of_python("print('x 1e200')"), {"pattern": r"x (\S+)"}
    for form in (huge, huge | {"take": "mean"}):
        answer = run_program(tmp_path, *program, output={"patterns": {"value": huge, "deviation": form}})
        assert answer["variance"] == math.inf
    with pytest.raises(EvaluationError, match=r"pattern `meas \(\\w\+\)` to find a number, it found 'high'"):
        found(tmp_path, gain=r"meas (\w+)")
    with pytest.raises(EvaluationError, match=r"to find a number, it found 'high'"):
        found(tmp_path, gain="gain = (.*)", most={"pattern": r"meas (\w+)", "take": "largest"})


def test_the_largest_of_numbers_among_which_is_nan_is_none(tmp_path: Path) -> None:
    program = of_python("print('x 1\\nx nan\\nx 3')")
    form = {"pattern": r"x (\S+)", "take": "largest"}
    assert math.isnan(run_program(tmp_path, *program, output={"patterns": {"value": form}})["value"])


@pytest.mark.parametrize("said", ["x inf\\nx -inf", "x 1e308\\nx 1e308"])
def test_numbers_that_have_no_sum_have_no_mean(tmp_path: Path, said: str) -> None:
    form = {"pattern": r"x (\S+)", "take": "mean"}
    answer = run_program(tmp_path, *of_python(f"print('{said}')"), output={"patterns": {"value": form}})
    assert not math.isfinite(answer["value"])


def test_all_matches_together_are_given_up_after_as_long_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_search, "TICK_S", 0.002)
    form = {"pattern": r"drag = ((\d+)+) N", "take": "all"}
    with pytest.raises(EvaluationError, match="write the pattern so that it can be found"):
        run_program(tmp_path, *of_python("print('drag =', '1' * 100)"), output={"patterns": {"value": form}})
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


FAILING = "VISCAL: +Convergence failed|^WARNING: .*negative"


@pytest.mark.parametrize(
    "output", [{"pattern": r"drag = (\S+)"}, {"patterns": {"drag": {"pattern": "(1)"}}}, {}]
)
def test_a_program_that_says_that_it_failed_has_failed_though_it_ended_well(
    tmp_path: Path, output: dict[str, Any]
) -> None:
    program = of_python("import sys; print(' VISCAL:  Convergence failed  '); print('drag = 1\\n1')")
    with pytest.raises(EvaluationError, match="printed 'VISCAL:  Convergence failed', by which") as failed:
        run_program(tmp_path, *program, objective="drag", output=output | {"fails": FAILING})
    assert failed.value.kind == "error"
    on_stderr = of_python(
        "import sys; print('WARNING: a negative volume', file=sys.stderr); print('drag = 1')"
    )
    with pytest.raises(EvaluationError, match="printed 'WARNING: a negative volume', by which it failed"):
        run_program(tmp_path, *on_stderr, objective="drag", output=output | {"fails": FAILING})
    well = of_python("print('drag = 1\\n1')")
    assert run_program(tmp_path, *well, objective="drag", output=output | {"fails": FAILING}) in (
        1,
        {"drag": 1},
    )


def test_it_may_say_so_in_the_file_that_its_value_is_in(tmp_path: Path) -> None:
    program = of_python(
        "import sys; open(sys.argv[1], 'w').write('WARNING: a negative volume\\ndrag = 1\\n')"
    )
    output = {"file": "wing.log", "pattern": r"drag = (\S+)", "fails": FAILING}
    with pytest.raises(EvaluationError, match=r"wrote to wing\.log 'WARNING: a negative volume', by which"):
        run_program(tmp_path, *program, "{result_file}", output=output)
    writes_none = of_python("print('WARNING: a negative volume')")
    with pytest.raises(EvaluationError, match=r"printed 'WARNING: a negative volume', by which it failed"):
        run_program(tmp_path, *writes_none, output=output)


def test_of_one_that_ends_with_an_error_it_is_told_beside_its_last_words(tmp_path: Path) -> None:
    output = {"file": "wing.log", "pattern": r"drag = (\S+)", "fails": FAILING}
    ends = "; print('Exit code: 2'); raise SystemExit(2)"
    printed = of_python("print(' VISCAL:  Convergence failed')" + ends)
    with pytest.raises(
        EvaluationError, match=r"which printed 'VISCAL:  Convergence failed', ended with exit code 2: Exit"
    ) as failed:
        run_program(tmp_path, *printed, output=output)
    assert failed.value.kind == "error"
    written = of_python("import sys; open(sys.argv[1], 'w').write('WARNING: a negative volume')" + ends)
    with pytest.raises(
        EvaluationError, match=r"which wrote to wing\.log 'WARNING: a neg.*', ended with exit"
    ):
        run_program(tmp_path, *written, "{result_file}", output=output)
    with pytest.raises(EvaluationError, match=r"^`\S+` ended with exit code 2: Exit code: 2$"):
        run_program(tmp_path, *of_python(ends[2:]), output=output)


LINES_OF_WINDOWS = r"import sys; sys.stdout.buffer.write(b'drag = 3\r\nstate: diverged\r\n')"


def test_the_end_of_a_line_is_found_where_it_ends_as_lines_of_windows_do(tmp_path: Path) -> None:
    program = of_python(LINES_OF_WINDOWS)
    assert run_program(tmp_path, *program, output={"pattern": r"^drag = (\d+)$"}) == 3
    each = {"value": {"pattern": r"(\d)$", "take": "sum"}, "state": {"pattern": r"state: (.*)$"}}
    read = run_program(tmp_path, *program, output={"patterns": each})
    assert read["value"] == 3
    assert read["state"].strip() == "diverged"
    as_told = {"pattern": "drag = (.)\r\n"}
    assert run_program(tmp_path, *program, output=as_told) == 3, "who wrote that meant it"


def test_of_lines_that_end_in_several_ways_none_is_passed_over(tmp_path: Path) -> None:
    program = of_python(r"import sys; sys.stdout.buffer.write(b'at 1\n# drag\r\nat 2\r\nat 4\r\nat 8')")
    ends = {
        "value": {"pattern": r"at (\d)$", "take": "sum"},
        "below": {"pattern": r"at (\d)$", "below": "drag"},
    }
    assert run_program(tmp_path, *program, output={"patterns": ends}) == {"value": 15, "below": 8}
    first = {"value": {"pattern": r"at (\d)\r$", "below": "drag", "take": "first"}}
    assert run_program(tmp_path, *program, output={"patterns": first}) == {"value": 2}


def test_so_is_what_says_that_a_program_failed(tmp_path: Path) -> None:
    output = {"pattern": "drag = (.)", "fails": "diverged$"}
    with pytest.raises(EvaluationError, match="printed 'state: diverged', by which it failed"):
        run_program(tmp_path, *of_python(LINES_OF_WINDOWS), output=output)
