"""Values that differ behind a large offset, as energies do, are told apart wherever they are shown."""

from __future__ import annotations

import io
import math
from pathlib import Path

import pytest
from recorded_runs import RecordedRun
from shown_runs import closing
from test_monitors import shown

from orchestrator.report.following.runs import read_run
from orchestrator.report.following.standing import standing_of
from orchestrator.report.html.page import page
from orchestrator.report.monitors.plain import PlainMonitor
from orchestrator.report.tables.best import best_table
from orchestrator.report.tables.status import status_words
from orchestrator.report.tables.trials import trials_table
from orchestrator.report.terminal.screen import screen
from orchestrator.report.words.wording import column_digits, number, number_beside

ENERGIES = [-1523.48812, -1523.48901, -1523.48877, -1523.48902, -1523.4885]


@pytest.fixture
def run() -> RecordedRun:
    return RecordedRun().begin().settle(len(ENERGIES), lambda trial: ENERGIES[trial - 1])


def test_plain_lines_tell_each_value_from_the_best_before_it(run: RecordedRun) -> None:
    stream = io.StringIO()
    shown(PlainMonitor(stream), run)
    values = [
        line.split(": ")[1].split()[0] for line in stream.getvalue().splitlines() if " from local-" in line
    ]
    assert values == ["-1523.5", "-1523.48901", "-1523.48877", "-1523.48902", "-1523.4885"]


def test_the_screen_tells_the_best_from_the_one_before(run: RecordedRun) -> None:
    text = "\n".join(line.plain for line in screen(run.view(), 100, 40))
    assert "-1523.48902" in text
    assert "trial 3: -1523.48877" in text


def test_the_page_and_the_status_do_so_too(run: RecordedRun, tmp_path: Path) -> None:
    followed = read_run(run.write(tmp_path / "logs" / "wing-1"))
    assert "-1523.48902" in page(followed, run.events, held=False)
    assert "drag = -1523.48902 (trial 4)" in status_words(standing_of(followed, None), None)


def test_the_best_is_told_by_itself_and_at_the_end_of_a_run_in_digits_that_tell_it_from_the_one_before(
    tmp_path: Path,
) -> None:
    costs = [1e6, 1e6 - 1.2e-4, 1e6 - 1.5e-4, 1e6 - 3e-5]
    run = RecordedRun().begin().settle(len(costs), lambda trial: costs[trial - 1])
    followed = read_run(run.write(tmp_path / "logs" / "wing-1"))
    assert "999999.99985" in best_table(followed).written("table").splitlines()[1]
    assert "drag = 999999.99985 (trial 3)" in closing(followed)
    shown_page = page(followed, run.events, held=False)
    assert all(f"<td>{told}</td>" in shown_page for told in ("999999.99985", "999999.99988", "999999.99997"))


def test_a_table_for_people_has_digits_for_what_its_columns_span(run: RecordedRun, tmp_path: Path) -> None:
    followed = read_run(run.write(tmp_path / "logs" / "wing-1"))
    lines = trials_table(followed).written("table").splitlines()[1 : 1 + len(ENERGIES)]
    assert [line.split()[2] for line in lines] == [number(energy, 9) for energy in ENERGIES]


def test_values_far_apart_keep_their_few_digits() -> None:
    assert number_beside(3.14159265, 2.71828) == "3.1416"
    assert number_beside(3.14159265, None) == number_beside(3.14159265, 3.14159265) == "3.1416"
    assert number_beside(1e-9, 5.0) == "1e-09"
    assert column_digits([0.1, 250.0, 3.7, 88.0]) == column_digits([]) == 6
    assert column_digits([0.1234567, 2.345678, 3.7, 4.1, 5.0, 1e12]) == 6
    assert column_digits([10.0**power for power in range(-300, 300, 90)]) == 6
    assert column_digits([5.0] * 9) == column_digits([5.0, math.nan, math.inf]) == 6


def test_a_short_curve_is_told_in_as_many_digits_as_its_points_alone_and_a_long_one_by_its_range() -> None:
    assert number([0.7024907297463869, 0.2041, 3]) == "[0.70249, 0.2041, 3]"
    assert number([0.1234567] * 2_000) == "2,000 points, all 0.12346"
    assert number([1.0, 2.0, 3.0, 4.0, None]) == "5 points"
    assert number(["a\x1b"]) == "['a\\x1b']"


def test_rounding_is_not_shown_as_a_difference() -> None:
    assert number_beside(0.1 + 0.2, 0.3) == "0.3"
    assert number_beside(1.0 + 1e-11, 1.0) == "1.00000000001"
