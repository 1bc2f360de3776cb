"""What people read of a run with several objectives: its trade-offs, wherever a best point would be."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded_runs import SPEC, RecordedRun, always
from shown_runs import drawn, followed, plainly
from traded_off_runs import HOT, OF_THREE, TRADED, WINGS, gave, traded_off, with_a_known_wing

from orchestrator.report.closing import closing_words
from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.following.standing import standing_of
from orchestrator.report.seen.chronicle import Chronicle
from orchestrator.report.seen.view import View
from orchestrator.report.tables.status import status_words
from orchestrator.report.tables.trade_offs import trade_offs_table
from orchestrator.report.words.spec import spec_words
from orchestrator.runtime.run import RunOutcome
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.load import load_spec_text


def status(run: FollowedRun) -> str:
    return status_words(standing_of(run, None), None)


def closing(run: FollowedRun, *, moved: bool = False) -> str:
    outcome = RunOutcome(run.folder.path, run.state, False, False, "")
    if moved:
        outcome = RunOutcome(run.folder.path, run.state, False, False, "", moved=True)
    return closing_words(run.spec, outcome)


def told_in(view: View) -> list[str]:
    """What was said of results, in order."""
    return [one.sentence for one in view.happenings if one.sentence.startswith("trial ")]


def told_of(run: RecordedRun) -> list[str]:
    return told_in(run.view())


def test_each_result_shows_all_objectives_and_a_new_trade_off_is_called_one() -> None:
    assert told_of(traded_off(*WINGS)) == [
        "trial 1: drag = 5, lift = 1, a new trade-off",
        "trial 2: drag = 3, lift = 3, a new trade-off",
        "trial 3: drag = 1, lift = 2, a new trade-off",
        "trial 4: drag = 2, lift = 9, does not satisfy `heat <= 80`",
        "trial 5: drag = 4, lift = 2.5",
        "trial 6: drag = 2, lift = 2.5, a new trade-off",
    ]


def test_plain_lines_say_the_same_with_the_goals_first_and_the_parameters_of_a_trade_off() -> None:
    lines = plainly(traded_off(*WINGS)).splitlines()
    assert lines[0] == "wing begins: minimise drag, maximise lift with random"
    assert any(
        line.endswith(
            "trial 2: drag = 3, lift = 3 from local-1, a new trade-off, with span 1.2 m, "
            "sweep 20 deg, ribs 7, skin carbon"
        )
        for line in lines
    )
    assert any(line.endswith("trial 5: drag = 4, lift = 2.5 from local-1") for line in lines)


def test_lines_that_are_left_out_are_summed_up_with_the_number_of_trade_offs() -> None:
    run = RecordedRun(TRADED.replace("trials: 20", "trials: 60")).begin(workers=1)
    for trial in range(60):
        run.answer_asks()
        command = run.evaluations.popleft()
        extras = {"lift": float(trial), "heat": 1.0}
        run.happen(
            ev.ResultArrived(
                at=1.5 + trial / 1000,
                worker=command.worker,
                lease=command.lease,
                value=float(trial),
                extras=extras,
            )
        )
    assert any("more lines: 60 completed, 60 trade-offs" in line for line in plainly(run).splitlines())


def test_values_that_differ_in_late_digits_are_told_apart_from_the_last_trade_off() -> None:
    run = traded_off((-101325.1234, 1.0), (-101325.1235, 1.0))
    assert told_of(run)[-1] == "trial 2: drag = -101325.1235, lift = 1, a new trade-off"


def test_the_screen_has_the_goals_the_ranges_and_the_trade_offs_best_first() -> None:
    lines = drawn(traded_off(*WINGS), height=40, after_s=2.0).splitlines()
    assert "wing  minimise drag, maximise lift with random" in lines[0]
    title = next(i for i, line in enumerate(lines) if line.startswith("Trade-offs  3 "))
    assert lines[title + 1].rstrip() == "drag 1 to 3, lift 2 to 3  the newest trial 6, 2.0 s ago"
    assert [line.split() for line in lines[title + 2 : title + 6]] == [
        ["trial", "drag", "lift", "heat"],
        ["3", "1", "2", "50"],
        ["6", "2", "2.5", "50"],
        ["2", "3", "3", "50"],
    ]
    assert not any(line.startswith("Best") for line in lines)


def test_a_long_front_leaves_room_for_what_happens_and_says_how_much_it_hides() -> None:
    text = TRADED.replace("trials: 20", "trials: 50")
    run = traded_off(*((float(i), float(i)) for i in range(40)), spec_text=text)
    lines = drawn(run, height=40).splitlines()
    (hidden,) = [line for line in lines if "more trade-offs" in line]
    assert hidden.rstrip() == "and 28 more trade-offs"
    assert sum("a new trade-off" in line for line in lines) > 5
    low = drawn(run, width=60, height=14).splitlines()
    (hidden,) = [line for line in low if "more trade-offs" in line]
    rows = sum(line.split()[3:] == ["50"] for line in low)
    assert rows >= 2
    assert hidden.rstrip() == f"and {40 - rows} more trade-offs"


@pytest.mark.parametrize("width", [30, 50, 80, 120])
def test_ranges_are_broken_between_objectives_only(width: int) -> None:
    run = RecordedRun(OF_THREE).begin(workers=1)
    for mass in (-150000.5, 3839710.5):
        gave(run, mass, {"lift": mass, "mass": mass, "heat": 1.0})
    text = drawn(run, width=width)
    for words in ("drag -150000 to 3.83971e+06", "lift -150000 to 3.83971e+06"):
        assert any(words[: width - 1] in line for line in text.splitlines())


def test_whoever_takes_a_run_over_is_told_no_old_trade_off_as_new() -> None:
    run = traded_off(*WINGS)
    before = len(run.events)
    run.happen(ev.RunResumed(at=run.at + 1.0, wall=""))
    run.evaluations.clear()
    run.happen(ev.WorkerJoined(at=run.at, worker="local-1", slots=1, local=True))
    traded_off((2.5, 2.5), (0.5, 0.5), run=run)
    unseen, scheduler = Chronicle(run.spec), Scheduler(run.scheduler.state.policy)
    for place, event in enumerate(run.events):
        scheduler.handle(event)
        if place >= before:
            unseen.take(event, scheduler.state)
    for view in (run.view(), unseen.view(scheduler.state, run.at)):
        assert told_in(view)[-2:] == [
            "trial 7: drag = 2.5, lift = 2.5",
            "trial 8: drag = 0.5, lift = 0.5, a new trade-off",
        ]
        assert [one.trial for one in view.found.trade_offs] == [8, 3, 6, 2]


def test_what_is_forgotten_leaves_the_front_and_what_it_beat_comes_back() -> None:
    run = traded_off(*WINGS)
    run.happen(ev.ObservationsForgotten(at=run.at + 1.0, trials=(2, 6), reason="the tunnel leaked"))
    assert [one.trial for one in run.view().found.trade_offs] == [3, 5]
    traded_off((3.0, 2.6), run=run)
    assert told_of(run)[-1] == "trial 7: drag = 3, lift = 2.6, a new trade-off"


def test_a_result_known_before_the_run_may_be_a_trade_off_that_trials_must_beat(tmp_path: Path) -> None:
    run = traded_off((2.0, 4.0), (3.0, 6.0), run=with_a_known_wing())
    assert told_of(run) == ["trial 1: drag = 2, lift = 4", "trial 2: drag = 3, lift = 6, a new trade-off"]
    assert "known" in drawn(run)
    table = trade_offs_table(run.spec, followed(run, tmp_path).state)
    assert [row[:3] for row in table.rows] == [["known", 1.0, 5.0], [2, 3.0, 6.0]]


def test_the_status_has_how_many_there_are_and_their_ranges(tmp_path: Path) -> None:
    read = followed(traded_off(*WINGS), tmp_path)
    assert (
        "front   3 trade-offs: drag 1 to 3, lift 2 to 3\n"
        f"        the newest is trial 6; shown by: orchestrator best {read.folder.path}\n"
    ) in status(read)


def test_of_a_front_of_one_no_range_is_said(tmp_path: Path) -> None:
    read = followed(traded_off((5.0, 1.0)), tmp_path)
    assert "front   1 trade-off: drag 5, lift 1\n        it is trial 1; shown by" in status(read)
    assert closing(read).startswith("1 trade-off:\n")


def test_while_nothing_satisfies_the_constraints_that_is_said_and_otherwise_it_is_not(tmp_path: Path) -> None:
    hot, none = traded_off((1.0, 1.0, HOT)), RecordedRun(TRADED).begin(workers=1)
    assert "no trial satisfies the constraints on outcomes yet" in drawn(hot)
    assert "no value yet" in drawn(none)
    read = followed(hot, tmp_path / "hot")
    assert "front   no trial satisfies the constraints on outcomes yet" in status(read)
    assert closing(read).startswith(
        "No trial satisfies the constraints on outcomes, so there are no trade-offs."
    )
    read = followed(none, tmp_path / "none")
    assert "no trial satisfies" not in status(read)
    assert closing(read).startswith("No value came, so there are no trade-offs.")
    read = followed(traded_off(*WINGS), tmp_path / "some")
    assert "no trial satisfies" not in (status(read) + closing(read)).lower()


def test_the_closing_words_have_the_first_six_trade_offs_and_where_the_others_are(tmp_path: Path) -> None:
    read = followed(traded_off(*((float(i), float(i)) for i in range(9))), tmp_path)
    lines = closing(read).splitlines()
    assert lines[0] == "9 trade-offs, by drag, the best first:"
    assert lines[1].split() == [
        "trial",
        "drag",
        "lift",
        "heat",
        "span",
        "(m)",
        "sweep",
        "(deg)",
        "ribs",
        "skin",
    ]
    assert [line.split()[0] for line in lines[2:8]] == ["1", "2", "3", "4", "5", "6"]
    assert lines[8] == f"  and 3 more: orchestrator best {read.folder.path}"
    assert "  and 3 more: orchestrator best FOLDER" in closing(read, moved=True).splitlines()


def test_closing_words_stay_narrow_whatever_the_number_of_parameters(tmp_path: Path) -> None:
    many = "".join(f"  p{i}: {{type: float, bounds: [0, 1]}}\n" for i in range(40))
    run = traded_off((1.0, 1.0), spec_text=TRADED.replace("parameters:\n", f"parameters:\n{many}"))
    read = followed(run, tmp_path)
    assert closing(read).splitlines()[1].split() == ["trial", "drag", "lift", "heat", "p0", "p1", "p2", "p3"]
    assert len(trade_offs_table(read.spec, read.state).columns) == 4 + 44


def test_the_best_of_a_maximised_first_objective_comes_first(tmp_path: Path) -> None:
    text = TRADED.replace("drag: minimise, lift: maximise", "drag: maximise, lift: minimise")
    read = followed(traded_off((1.0, 1.0), (3.0, 3.0), (2.0, 2.0), spec_text=text), tmp_path)
    assert [row[0] for row in trade_offs_table(read.spec, read.state).rows] == [2, 3, 1]
    assert closing(read).splitlines()[2].split()[:3] == ["2", "3", "3"]


def test_a_spec_in_a_sentence_names_every_goal() -> None:
    text = OF_THREE.replace("budget: {trials: 20}", "budget: {trials: 20, patience: 9}")
    words = spec_words(load_spec_text(text, "spec.yaml", None).spec)
    assert words.startswith(
        "minimise drag, maximise lift, minimise mass over 4 parameters under 1 constraint"
    )
    assert "for 20 trials and 9 trials without a new trade-off" in words


def test_of_one_objective_nothing_speaks_of_trade_offs(tmp_path: Path) -> None:
    run = RecordedRun(SPEC).begin().settle(3, always(2.0))
    read = followed(run, tmp_path)
    for words in (drawn(run), status(read), closing(read), plainly(run), spec_words(run.spec)):
        assert "trade-off" not in words.lower()


def test_of_several_objectives_no_trial_is_believed_the_best_either() -> None:
    run = traded_off(*WINGS)
    run.answer_asks()
    likely = {"trial": 3, "predicted": {"mean": 1.0, "deviation": 0.1}}
    run.scheduler.state.optimiser.insight = {"believed_best": likely}
    assert "but for noise" not in drawn(run)
    assert run.view().found.believed is None
