"""Outputs of programs that were read wrongly, and are read anew once a run has begun."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from command_lab import said

from orchestrator.command_line.outputs_anew import outputs_anew
from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.runtime.requests.left_amendments import take_up_amendments
from orchestrator.runtime.welcome import welcome
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.spec.load import load_spec_text

WRONG = r"""
experiment: wing
objective: {name: drag, goal: minimise}
parameters: {span: {type: float, bounds: [1, 9]}}
algorithm: sobol
budget: {trials: 9}
evaluation:
  command: [./wing, "{span}"]
  attempts: 1
  output: {pattern: '^drag : (1\S+)'}
"""
RIGHT = WRONG.replace(r"'^drag : (1\S+)'", r"'^final drag : (\S+)'")
FITTED = WRONG.replace("{name: drag, goal: minimise}", "{name: y, fit: {drag: {value: 2, error: 0.1}}}")
KNOWN = FITTED.replace("[1, 9]", "[1, 9], prior: {mean: 4, deviation: 1}").replace(
    r"{pattern: '^drag : (1\S+)'}", r"{patterns: {drag: '^final drag : (\S+)'}}"
)
PRINTED = {
    1: "drag : 103\nfinal drag : 3\n",
    2: "drag : 15\nfinal drag : 5\n",
    3: "drag : 99\nfinal drag : 2\n",
}


def begun(folder: Path, *, stopped: bool = True) -> Path:
    """A run of three trials, of which the first two were read as what they are not, and the last was not."""
    run = folder / "logs" / "wing-1"
    run.mkdir(parents=True)
    (run / "spec.yaml").write_text(WRONG)
    folder.joinpath("right.yaml").write_text(RIGHT)
    events: list[ev.Event] = [
        ev.RunStarted(at=0.0, run="wing-1", wall="2024-01-01T00:00:00"),
        ev.WorkerJoined(at=0.1, worker="w", slots=1),
    ]
    for number, text in PRINTED.items():
        trial = run / "trials" / f"{number:04d}"
        trial.mkdir(parents=True)
        (trial / "attempt-1.stdout").write_text(text)
        made = (ev.Suggested(parameters={"span": 1.0 + number}),)
        events.append(ev.SuggestionsMade(at=float(number), ask=number, suggestions=made, first_trial=number))
        at, lease = number + 0.5, f"{number}.1"
        if number == 3:
            message = "expected `./wing` to print what matches; it did not"
            events.append(ev.FailureArrived(at=at, worker="w", lease=lease, kind="invalid", message=message))
        else:
            value = {1: 103.0, 2: 15.0}[number]
            events.append(ev.ResultArrived(at=at, worker="w", lease=lease, value=value))
    if stopped:
        events.append(ev.StopRequested(at=5.0, now=False, reason="Ctrl-C"))
    journal = JournalWriter.create(run / "journal.jsonl", "test", spec=WRONG)
    journal.append(events)
    journal.commit()
    journal.close()
    return run


def taken_up(run: Path) -> State:
    folder = RunFolder(run)
    replay = Replay.of(folder)
    replay.catch_up()
    take_up_amendments(folder, replay)
    again = Replay.of(folder)
    again.catch_up()
    return again.scheduler.state


def test_by_the_right_pattern_all_trials_have_their_values_and_what_failed_has_one(tmp_path: Path) -> None:
    run = begun(tmp_path)
    looked = said("amend", "wing-1", "--spec", "right.yaml", "--dry-run", cwd=tmp_path)
    assert "nothing is changed" in looked.stderr
    assert "best before: trial 2: 15, trial 1: 103\n" in looked.stderr
    assert "best then: trial 3: 2 (before: none), trial 1: 3 (before: 103)" in looked.stderr
    assert taken_up(run).found.best.value == 15.0  # type: ignore[union-attr]

    done = said("amend", "wing-1", "--spec", "right.yaml", "--by", "Ada", cwd=tmp_path)
    assert "what had failed has a value: trial 3" in done.stderr
    state = taken_up(run)
    assert [trial.value for trial in state.trials.values()] == [3.0, 5.0, 2.0]
    assert (state.tally.completed, state.tally.failed) == (3, 0)
    assert state.trials[3].state is TrialState.COMPLETED
    explained = said("explain", "wing-1", "1", cwd=tmp_path).stdout
    assert "Its value was 103 until all were read anew by Ada." in explained
    assert "amended what programs printed is read otherwise" in said("status", "wing-1", cwd=tmp_path).stdout


def test_from_then_on_workers_are_told_the_right_pattern(tmp_path: Path) -> None:
    from orchestrator.runtime.life import Clock, Life
    from orchestrator.scheduler.liveness import Patience

    run = begun(tmp_path)
    said("amend", "wing-1", "--spec", "right.yaml", cwd=tmp_path)
    taken_up(run)
    replay = Replay.of(RunFolder(run))
    replay.catch_up()
    life = Life(RunFolder(run), replay.spec, replay.scheduler, replay.history, None, Clock())  # type: ignore[arg-type]
    told = welcome(life, Patience()).options
    assert told["output"] == {"pattern": r"^final drag : (\S+)"}


def test_what_is_not_kept_is_named_and_may_be_forgotten(tmp_path: Path) -> None:
    run = begun(tmp_path)
    (run / "trials" / "0001" / "attempt-1.stdout").unlink()
    (run / "trials" / "0002" / "attempt-1.stdout").write_text("drag : 19\nfinal drag : 8\n")
    refused = said("amend", "wing-1", "--spec", "right.yaml", cwd=tmp_path)
    assert refused.returncode == 2
    assert "trial 1, trial 2 are not kept here" in refused.stderr
    gone = ("--forget", "1", "--forget", "2", "--reason", "gone")
    said("amend", "wing-1", "--spec", "right.yaml", *gone, cwd=tmp_path)
    state = taken_up(run)
    assert [trial.forgotten for trial in state.trials.values()] == ["gone", "gone", ""]
    assert state.trials[3].value == 2.0


def test_where_the_library_that_reads_them_is_missing_nothing_has_failed_by_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begun(tmp_path)
    for number in PRINTED:
        (run / "trials" / f"{number:04d}" / "wing.h5").write_bytes(b"\x89HDF\r\n\x1a\n")
    tmp_path.joinpath("right.yaml").write_text(
        WRONG.replace(r"{pattern: '^drag : (1\S+)'}", "{file: wing.h5, key: drag}")
    )
    monkeypatch.setitem(sys.modules, "h5py", None)
    refused = said("amend", "wing-1", "--spec", "right.yaml", cwd=tmp_path)
    assert refused.returncode == 2
    assert "what trial 1 wrote, and wing.h5 is HDF5, and to read it this environment needs" in refused.stderr


def test_what_was_saved_from_a_damaged_journal_is_read_anew_as_well(tmp_path: Path) -> None:
    run = begun(tmp_path)
    journal = run / "journal.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join([*lines[:2], *lines[3:]]))
    said("fsck", "wing-1", "--repair", cwd=tmp_path)
    spec = load_spec_text(WRONG, "spec.yaml", None).spec
    output = {"pattern": r"^final drag : (\S+)"}
    found = outputs_anew(spec, taken_up(run), output, run / "trials", ())
    assert [(one.trial, one.value) for one in found] == [(1, 3.0), (2, 5.0)]


def test_and_what_has_another_number_since_where_it_was_evaluated(tmp_path: Path) -> None:
    run = begun(tmp_path)
    journal = run / "journal.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    lost = next(at for at, line in enumerate(lines) if '"first_trial":1' in line)
    journal.write_text("".join([*lines[:lost], *lines[lost + 1 :]]))
    said("fsck", "wing-1", "--repair", cwd=tmp_path)
    state = taken_up(run)
    # Who has that number by now leaves what it prints there, too.
    later = f"attempt-{state.trials[2].attempts.not_own + 1}.stdout"
    (run / "trials" / "0002" / later).write_text("drag : 1\nfinal drag : 1\n")
    spec = load_spec_text(WRONG, "spec.yaml", None).spec
    found = outputs_anew(spec, state, {"pattern": r"^final drag : (\S+)"}, run / "trials", ())
    assert [(one.trial, one.value) for one in found] == [(1, 5.0)]


def test_a_run_under_way_is_to_be_stopped_first(tmp_path: Path) -> None:
    begun(tmp_path, stopped=False)
    refused = said("amend", "wing-1", "--spec", "right.yaml", cwd=tmp_path)
    assert refused.returncode == 2
    assert "stop it by one Ctrl-C" in refused.stderr


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (WRONG, "got what holds already"),
        (RIGHT.replace("[1, 9]", "[1, 7]"), "got another `parameters`: they stay"),
        (RIGHT.replace("attempts: 1", "attempts: 2"), "got another `evaluation`"),
        (RIGHT.replace("minimise", "maximise"), "got another `objective`"),
        (KNOWN, "another `prior` is asked with, as orchestrator posterior --prior h0=67.4+-0.5"),
        (
            RIGHT.replace("[1, 9]", "[1, 9], prior: {mean: 4, deviation: 1}"),
            "another `prior` is asked with, as orchestrator spread --prior h0=67.4+-0.5",
        ),
        (RIGHT.replace("(\\S+)", "S+"), "expected a regular expression with a group"),
    ],
)
def test_a_spec_that_says_more_or_nothing_else_is_refused(tmp_path: Path, text: str, why: str) -> None:
    begun(tmp_path)
    tmp_path.joinpath("right.yaml").write_text(text)
    refused = said("amend", "wing-1", "--spec", "right.yaml", cwd=tmp_path)
    assert refused.returncode == 2
    assert why in refused.stderr


def test_the_best_trial_has_a_line_by_which_it_is_evaluated_by_hand(tmp_path: Path) -> None:
    begun(tmp_path)
    told = said("best", "wing-1", "--command", cwd=tmp_path)
    assert (told.stdout, told.stderr) == ("./wing 3.0\n", "trial 2: drag = 15\n")
    assert "Evaluated again by hand: ./wing 2.0\n" in said("explain", "wing-1", "1", cwd=tmp_path).stdout
