"""Numbers that programs print with units of their own, for people: times in parts, and us beside ms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from commands_run import of_python, run_program

from evaluators.errors import EvaluationError
from evaluators.programs.written_quantity import read_quantity

WRK = "50%  159.00us\n75%    1.16ms\n99%    1.02s\nTransfer/sec:  0.98GB\n"
"""As wrk prints what a web server answers."""
SLICED = "; filament used [cm3] = 6.65\n; estimated printing time (normal mode) = 1h 1m 33s\n"


def read_of(folder: Path, text: str, **output: Any) -> Any:
    (folder / "said.txt").write_text(text, encoding="utf-8")
    return run_program(folder, *of_python(f"print(open({str(folder / 'said.txt')!r}).read())"), output=output)


@pytest.mark.parametrize(
    ("written", "unit", "number"),
    [
        ("36m 6s", "min", 36.1),
        ("1d 2H 3M", "h", 26.05),
        ("   0 d,  0 h,  1 min,  0.205 sec", "s", 60.205),
        ("0 hours  0 minutes  2 seconds", "ms", 2000.0),
        ("1m23.45s", "s", 83.45),
        ("0:01.23", "s", 1.23),
        ("1:00:01", "min", 60 + 1 / 60),
        ("1-02:03:00", "h", 26.05),
        ("1 day, 2:03:00", "h", 26.05),
        ("-5 µs", "ms", -0.005),
        ("5 \u03bcs", "us", 5.0),
        ("980.00us", "ms", 0.98),
        ("0", "ms", 0.0),
        ("900KB", "MB", 0.9),
        ("900KB", "MiB", 900 / 1024),
        ("1.5GiB", "MiB", 1536.0),
        ("1.5Gi", "Mi", 1536.0),
        ("12 Mbit/s", "kbit/s", 12000.0),
        ("1.2 mmol", "mol", 0.0012),
        ("3 m", "mm", 3000.0),
        ("3.4 µW", "mW", 0.0034),
        ("7 %", "%", 7.0),
        ("12.34k", "k", 12.34),
        ("3.77 M", "k", 3770.0),
        ("980.00", "k", 0.98),
        ("300 K", "K", 300.0),
        ("3 cm2", "mm2", 300.0),
        ("2.5 cm³", "mm³", 2500.0),
        ("1 km^2/h", "m^2/h", 1e6),
        ("5 ms⁻¹", "s⁻¹", 5000.0),
        ("3 kW/m2", "W/m2", 3000.0),
        ("3 cmH2O", "mmH2O", 30.0),
        ("3 Nm2", "Nm2", 3.0),
        ("1013.25 hPa", "kPa", 101.325),
        ("101.5 kPa", "hPa", 1015.0),
        ("3 daN", "N", 30.0),
        ("25 N", "daN", 2.5),
        ("2 dm3", "cm3", 2000.0),
        ("5 dL", "mL", 500.0),
    ],
)
def test_a_number_is_had_in_one_unit_whichever_it_is_printed_with(
    written: str, unit: str, number: float
) -> None:
    assert read_quantity(written, unit) == number


@pytest.mark.parametrize(
    ("written", "unit"),
    [
        ("5", "ms"),
        ("3 h", "d/h"),
        ("3 d", "k"),
        ("12 kg", "s"),
        ("5 s 3 s", "s"),
        ("3s 5m", "s"),
        ("5 min 1:02", "s"),
        ("1:2:3:4", "s"),
        ("5 min", "m"),
        ("300", "K"),
        ("3", "T"),
        ("3 kNm2", "Nm2"),
        ("1e" * 99, "s"),
        ("12-13", "s"),
        ("1,234 ms", "ms"),
        ("nan ms", "ms"),
        ("3 dB", "B"),
        ("3 kB", "dB"),
        ("1e999 s", "s"),
        ("", "s"),
        ("1" * 100_000, "s"),
        ("1" * 100_000, "MB"),
    ],
)
def test_what_is_no_number_with_a_unit_of_that_kind_is_none(written: str, unit: str) -> None:
    assert read_quantity(written, unit) is None


def test_each_value_may_be_wanted_in_a_unit(tmp_path: Path) -> None:
    answer = read_of(
        tmp_path,
        WRK,
        patterns={
            "value": {"pattern": r"99% +(\S+)", "in": "ms"},
            "usual": {"pattern": r"50% +(\S+)", "in": "ms", "take": "first"},
            "most": {"pattern": r"\d% +(\S+)", "in": "ms", "take": "all"},
            "rate": {"pattern": r"Transfer/sec: +(\S+)", "in": "MB"},
            "lost": {"pattern": r"Timeouts: +(\S+)", "in": "ms", "otherwise": 0},
        },
    )
    assert answer == {
        "value": 1020.0,
        "usual": 0.159,
        "most": [0.159, 1.16, 1020.0],
        "rate": 980.0,
        "lost": 0,
    }


def test_a_deviation_may_be_so_as_well(tmp_path: Path) -> None:
    forms = {
        "value": {"pattern": r"(\S+) \+", "in": "ms"},
        "deviation": {"pattern": r"\+/- (\S+)", "in": "ms"},
    }
    assert read_of(tmp_path, "1.5s +/- 20ms", patterns=forms) == {"value": 1500.0, "variance": 400.0}


def test_what_has_another_unit_or_none_is_said(tmp_path: Path) -> None:
    time = r"time \(normal mode\) = (.+)"
    assert read_of(tmp_path, SLICED, patterns={"value": {"pattern": time, "in": "min"}}) == {"value": 61.55}
    with pytest.raises(EvaluationError, match="had in `m`, it found '1h 1m 33s': `min` are minutes"):
        read_of(tmp_path, SLICED, patterns={"value": {"pattern": time, "in": "m"}})
    cut = {"pattern": r"99% +([\d.]+)", "in": "ms"}
    with pytest.raises(EvaluationError, match=r"it found '1\.02', which has none: let the group") as refused:
        read_of(tmp_path, WRK, patterns={"value": cut})
    assert refused.value.kind == "invalid"


@pytest.mark.parametrize(("text", "found"), [(SLICED, "1h 1m 33s"), ("mode) = 0:01.2", "0:01.2")])
def test_that_a_time_is_read_where_its_unit_is_said_is_said_where_it_is_not(
    tmp_path: Path, text: str, found: str
) -> None:
    with pytest.raises(EvaluationError, match=f"it found '{found}', a time: `in: s` beside the pattern"):
        read_of(tmp_path, text, pattern=r"mode\) = (.+)")


@pytest.mark.parametrize("found", ["10 m", "3.77 M"])
def test_what_may_be_metres_or_millions_is_not_taken_for_a_time(tmp_path: Path, found: str) -> None:
    with pytest.raises(EvaluationError, match=f"it found '{found}', whose beginning is one"):
        read_of(tmp_path, f"span = {found}", pattern="span = (.+)")
