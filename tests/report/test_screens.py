"""The screen fits every terminal and shows what matters first."""

from __future__ import annotations

import io
import re

import pytest
from recorded_runs import INSIGHT, SPEC, RecordedRun, always
from rich.console import Console

from orchestrator.report.seen.outlook import Attendance
from orchestrator.report.seen.view import View
from orchestrator.report.terminal.curve import by_magnitudes, curve_lines
from orchestrator.report.terminal.factor_rows import factor_rows
from orchestrator.report.terminal.live import frame
from orchestrator.report.terminal.screen import remains, screen
from orchestrator.report.terminal.sections import Section, share_out
from orchestrator.report.words.wording import duration
from orchestrator.scheduler import events as ev


def drawn(view: View, width: int, height: int) -> list[str]:
    """The screen as the terminal gets it."""
    console = Console(
        width=width, height=height, record=True, file=io.StringIO(), force_terminal=True, legacy_windows=False
    )
    console.print(frame(screen(view, *console.size)))
    return console.export_text().rstrip("\n").split("\n")


@pytest.fixture
def busy() -> View:
    run = RecordedRun().begin(workers=4).settle(9, lambda trial: 10.0 - trial)
    run.settle(1, always(None))
    return run.view(after_s=2.0)


@pytest.mark.parametrize(("width", "height"), [(20, 6), (40, 12), (60, 15), (80, 24), (120, 40), (300, 90)])
def test_no_line_wraps_and_no_line_is_too_many(busy: View, width: int, height: int):
    lines = drawn(busy, width, height)
    assert len(lines) <= height
    assert max(map(len, lines)) <= width
    assert lines[0].startswith("wing"[:width])


def test_eighty_columns_show_everything_that_matters(busy: View):
    text = "\n".join(drawn(busy, 80, 24))
    assert "minimise drag with auto" in text
    assert "9/20" in text
    assert "9 completed · 0 failed · 4 running" in text
    assert re.search(r"^1  trial 9", text, re.MULTILINE)
    assert "span = 1.9 m" in text
    assert "sweep = 20.0 deg" in text or "sweep = 20 deg" in text
    assert re.search(r"local-1  trial \d+ +\d", text)
    assert re.search(r"rbf +█+.* +62.0 %", text)
    assert re.search(r"matern-5/2 +█+.* +38.0 %", text)
    assert "attempt 2" in text
    assert "1 failed" in text
    assert re.search(r"\u2801|[\u2800-\u28ff]{10}", text)
    assert "to be tried again" in text or "trial 9: 1" in text


def test_a_worker_that_takes_nothing_more_is_shown_as_draining():
    run = RecordedRun().begin(workers=2).answer_asks()
    run.happen(ev.WorkerBeganDraining(at=9.0, worker="local-2"))
    drains = ["draining" in line for line in drawn(run.view(), 80, 24) if line.startswith("local-")]
    assert drains == [False, True]


def test_a_wide_terminal_has_two_columns_with_the_factors(busy: View):
    lines = drawn(busy, 120, 40)
    best = next(line for line in lines if line.startswith("Best"))
    assert "Ensemble" in best
    text = "\n".join(lines)
    assert "Factors  probability 0.71" in text
    assert "●─● · ·  span × sweep" in text
    assert "alone: ribs, skin" in text


@pytest.mark.parametrize(("width", "whole"), [(80, False), (120, True)])
def test_what_the_optimiser_notes_is_whole_where_there_is_room_beside(width: int, whole: bool):
    note = (
        "14 hypotheses weighed at 7 results: `joint matern-5/2` is likeliest, 30 times as likely as `pairs`"
    )
    run = RecordedRun().begin(workers=1)
    run.happen(ev.SuggestionsMade(at=1.0, ask=1, suggestions=(), insight=INSIGHT | {"notes": [note]}))
    words = " ".join(" ".join(drawn(run.view(), width, 40)).split())
    assert "14 hypotheses weighed" in words
    assert ("as likely as `pairs`" in words) is whole


@pytest.mark.parametrize(("ended", "style"), [(False, "red"), (True, "")])
def test_a_run_that_nobody_works_on_is_in_red_unless_it_has_ended(ended: bool, style: str):
    run = RecordedRun().begin().settle(20 if ended else 3, always(1.0))
    view = run.chronicle.view(run.scheduler.state, run.at + 9.0, Attendance(attended=False))
    said = "ended: " if ended else "no orchestrator works on this run"
    lines = [line for line in screen(view, 80, 24) if line.plain.startswith(said)]
    assert [str(line.style) for line in lines] == [style]


def test_the_name_of_a_hypothesis_is_whole_at_eighty_columns():
    name = "joint matern-5/2, shared, warped"
    run = RecordedRun().begin(workers=1)
    insight = INSIGHT | {"weights": {name: 0.75, "rbf": 0.25}}
    run.happen(ev.SuggestionsMade(at=1.0, ask=1, suggestions=(), insight=insight))
    assert any(line.startswith(f"{name} ") for line in drawn(run.view(), 80, 24))


def test_more_workers_than_lines_are_counted():
    run = RecordedRun().begin(workers=30)
    lines = drawn(run.view(), 80, 24)
    counted = next(line for line in lines if line.endswith("more workers"))
    shown = sum("idle" in line or "trial" in line for line in lines if line.startswith("local-"))
    assert int(re.search(r"\d+", counted)[0]) + shown == 30


def test_bars_follow_the_weights():
    def bar(weight: float) -> int:
        insight = INSIGHT | {"weights": {"rbf": weight, "other": 1.0 - weight}}
        run = RecordedRun().begin(workers=1)
        run.happen(ev.SuggestionsMade(at=1.0, ask=1, suggestions=(), insight=insight))
        return next(line for line in drawn(run.view(), 80, 24) if line.startswith("rbf")).count("█")

    assert bar(0.1) < bar(0.5) < bar(0.9)


def test_a_run_without_a_value_or_a_worker_says_so():
    text = "\n".join(drawn(RecordedRun().begin(workers=0).view(after_s=60.0), 80, 24))
    assert "no value yet" in text
    assert "none connected" in text
    assert "no worker is connected" in text


def test_as_long_as_no_trial_has_a_value_the_last_failure_is_told_whole():
    run = RecordedRun().begin(workers=1).answer_asks()
    why = "`./simulations/of/wings/solve` ended with exit code 3: ERROR: the mesh is empty at cell 1740"
    run.happen(ev.FailureArrived(at=9.0, worker="local-1", lease="1.1", kind="error", message=why))
    lines = drawn(run.view(), 80, 24)
    told = next(index for index, line in enumerate(lines) if line.startswith("no value yet")) + 1
    assert why in " ".join(line.strip() for line in lines[told : told + 2])


def test_what_to_do_about_it_is_not_cut_off_at_eighty_columns():
    run = RecordedRun().begin(workers=0)
    attendance = Attendance(address="tcp://orchestrator.example.org:25555")
    view = run.chronicle.view(run.scheduler.state, 60.0, attendance)
    text = " ".join(line.strip() for line in drawn(view, 80, 24))
    assert "orchestrator worker --connect tcp://orchestrator.example.org:25555" in text


@pytest.mark.parametrize("width", [80, 120])
def test_the_settings_of_a_trial_that_waits_for_approval_come_first(width: int):
    text = SPEC.replace('evaluator: "wings:drag"', 'approval: true, evaluator: "wings:drag"')
    lines = drawn(RecordedRun(text).begin().answer_asks().view(), width, 24)
    said = next(index for index, line in enumerate(lines) if "orchestrator approve 1" in line)
    assert "span = 1.1 m" in lines[said + 1]
    assert said < next(index for index, line in enumerate(lines) if line.startswith("Best"))


@pytest.mark.parametrize("width", [40, 80])
def test_what_is_to_be_typed_names_the_run_and_is_whole_however_narrow_the_terminal(width: int):
    text = SPEC.replace("{name: drag, goal: minimise}", "{name: comfort, told: by comparison}")
    run = RecordedRun(text).begin(workers=2).answer_asks()
    for number in (1, 2):
        run.happen(
            ev.ResultArrived(at=run.at + 1.0, worker=f"local-{number}", lease=f"{number}.1", value=None)
        )
    view = run.chronicle.view(run.scheduler.state, run.at, Attendance(folder="logs/wing-20261128-120543"))
    said = " ".join(line.strip() for line in drawn(view, width, 24))
    command = "orchestrator prefer logs/wing-20261128-120543 2 --over 1, or 1 --over 2, or 2 --like 1"
    assert f"trial 2  {command}" in said


def test_what_evaluators_print_does_not_reach_the_terminal(busy: View):
    console = Console(width=80, height=24, file=(file := io.StringIO()), force_terminal=False)
    console.print(frame(screen(busy, *console.size)))
    assert "\x1b" not in file.getvalue()


def test_what_remains_of_an_ended_run_does_not_repeat_the_closing_words():
    run = RecordedRun().begin().settle(20, always(1.0))
    text = "\n".join(line.plain for line in remains(run.view(), 80, 24))
    assert "20/20" in text
    assert "ended" in text
    assert "Best" not in text


def test_a_hundred_parameters_leave_room_for_the_workers():
    many = "".join(f"  parameter_number_{k}: {{type: float, bounds: [0, 1]}}\n" for k in range(100))
    run = RecordedRun(SPEC.replace("parameters:\n", f"parameters:\n{many}")).begin()
    run.events.clear()
    run.settle(1, always(1.0))
    state = run.scheduler.state
    state.found.best.parameters = dict.fromkeys(run.spec.parameters, 0.5)
    lines = [line.plain for line in screen(run.view(), 80, 24)]
    assert sum(line.startswith("local-") for line in lines) == 2
    assert any("more lines of parameters" in line for line in lines)


@pytest.mark.parametrize(
    ("width", "setting", "reported"),
    [
        (80, "quadrupole_current_upstream_of_collimator_1 = 0.5", "step 3  transmitt…_current 0.01"),
        (40, "quadrupole_curre…of_collimator_1 = 0.5", "trial 4   0.0 s"),
    ],
)
def test_of_a_long_name_the_middle_is_left_out_and_its_value_is_seen(width: int, setting: str, reported: str):
    name = "quadrupole_current_upstream_of_collimator_1"
    run = RecordedRun(
        SPEC.replace("parameters:\n", f"parameters:\n  {name}: {{type: float, bounds: [0, 1]}}\n")
    )
    run.begin(workers=1).settle(3, lambda trial: 10.0 - trial)
    run.scheduler.state.found.best.parameters = {name: 0.5}
    (lease,) = run.scheduler.state.crew.workers["local-1"].running
    run.chronicle.progressed(lease, 3, {"transmitted_beam_current": 0.01})
    text = "\n".join(drawn(run.view(), width, 24))
    assert f"  {setting}" in text
    assert reported in text


def test_the_foot_of_a_curve_that_falls_by_magnitudes_says_that_it_is_logarithmic():
    falling = RecordedRun(SPEC).begin().settle(12, lambda trial: 10.0 ** (4 - trial))
    assert "log \u2800" in "\n".join(drawn(falling.view(), 80, 24))
    even = RecordedRun(SPEC).begin().settle(12, lambda trial: 20.0 - trial)
    assert "log " not in "\n".join(drawn(even.view(), 80, 24))


@pytest.mark.parametrize("name", ["loss", "residual"])
def test_what_an_evaluation_reported_is_seen_beside_its_trial_however_short_its_name(name: str):
    run = RecordedRun().begin(workers=1).settle(1, always(1.0))
    (lease,) = run.scheduler.state.crew.workers["local-1"].running
    run.chronicle.progressed(lease, 3, {name: 0.01})
    assert f"step 3  {name} 0.01" in "\n".join(drawn(run.view(), 80, 24))


def test_what_is_done_and_where_the_best_is_from_are_seen_in_half_a_terminal():
    run = RecordedRun(SPEC.replace("goal: minimise", "goal: minimise, unit: percent")).begin()
    run.settle(3, lambda trial: 10.12345 - trial, every_s=100.0)
    lines = drawn(run.view(after_s=20.0), 40, 24)
    assert lines[1].endswith(" left  3/20")
    assert any(line.startswith("7.12345 percent  trial 3, 20 s ago") for line in lines)


class TestCurve:
    def test_it_falls_from_the_top_left_to_the_bottom_right(self):
        lines = curve_lines([(1, 9.0), (5, 1.0)], until=9, width=10, height=2)
        assert lines[0][0] == "⠉"
        assert lines[1][-1] == "⣀"
        assert [len(line) for line in lines] == [10, 10]

    def test_it_lasts_until_now(self):
        early = curve_lines([(1, 0.0), (2, 1.0)], until=2, width=20, height=1)[0]
        late = curve_lines([(1, 0.0), (2, 1.0)], until=2000, width=20, height=1)[0]
        assert early.count("⣀") > 15
        assert late.count("⠉") > 15

    def test_a_bad_start_does_not_flatten_what_follows(self):
        steps = [(1, 1e6), (2, 4.0), (60, 3.0), (90, 2.0)]
        lines = curve_lines(steps, until=100, width=30, height=3)
        assert all(set(line) != {"\u2800"} for line in lines)
        middle = lines[1]
        assert sum(dots != "\u2800" for dots in middle) > 5

    def test_what_falls_by_magnitudes_falls_evenly_and_is_said_to_be_logarithmic(self):
        steps = [(place, 10.0 ** (4 - place)) for place in range(1, 9)]
        lines = curve_lines(steps, until=9, width=8, height=2)
        lengths = [len(line.strip("\u2800")) for line in lines]
        assert lengths == [5, 4], "half of the way in half of the trials"
        assert by_magnitudes(steps, 9)
        assert by_magnitudes([(1, -900.0), (2, -1.0)], 9)
        assert not by_magnitudes([(1, 1.0), (2, 900.0)], 9), "of what rises the highest are looked at"
        assert not by_magnitudes([(1, 900.0), (2, 0.0)], 9)
        assert not by_magnitudes([], 9)

    def test_extremes_of_floating_point_are_drawn(self):
        steps = [(1, -1.7e308), (2, 1.7e308)]
        assert len(curve_lines(steps, until=3, width=4, height=3)) == 3
        assert curve_lines([(1, 0.0), (2, 5e-324)], until=3, width=4, height=1) == ["⠤⠤⠤⠤"]
        assert curve_lines([(1, 5.0)], until=1, width=4, height=1) == ["⠤⠤⠤⠤"]
        assert curve_lines([], until=0, width=4, height=2) == ["    ", "    "]


class TestFactors:
    def test_overlapping_factors_cross(self):
        rows = factor_rows([[0, 2], [1, 2]], ["a", "b", "c"])
        assert rows == [("●─● ·", "a × c"), ("· ●─●", "b × c")]

    def test_many_parameters_are_named_only(self):
        rows = factor_rows([list(range(0, 30)), [30]], [f"x{k}" for k in range(31)])
        assert [drawing for drawing, _ in rows] == ["", ""]
        assert rows[1][1] == "alone: x30"

    def test_nothing_together_is_a_sentence(self):
        assert factor_rows([[0], [1]], ["a", "b"]) == [("", "every parameter alone")]
        assert factor_rows([], []) == []


def test_the_most_important_section_gets_the_lines_that_are_left():
    sections = [Section(name, ["x"] * 10, least=2) for name in "abc"]
    assert share_out(sections, 3 * 3) == [2, 2, 2]
    assert share_out(sections, 3 * 3 + 5) == [7, 2, 2]
    assert share_out(sections, 4) == [3, 0, 0]
    assert share_out(sections, 100) == [10, 10, 10]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "0 s"),
        (0.00025, "250 µs"),
        (0.05, "50 ms"),
        (0.25, "0.25 s"),
        (9.96, "10 s"),
        (59.7, "1 min 00 s"),
        (125.0, "2 min 05 s"),
        (3 * 3600 + 12 * 60, "3 h 12 min"),
        (3 * 86400 - 1, "3 d 0 h"),
    ],
)
def test_durations_have_the_two_units_that_matter(seconds: float, words: str):
    assert duration(seconds) == words
