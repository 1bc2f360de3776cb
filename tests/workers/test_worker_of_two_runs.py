"""A worker serves one run after another and keeps apart what is of each: leases, results, files, progress."""

from __future__ import annotations

from pathlib import Path

from worker_lab import BEATS_S, Lab, eventually, in_the_place_of, result

from evaluators.trial_folders import TrialFolders
from orchestrator.wire.messages import Cancel, Heartbeat, Result

QUIET_S = 0.4


def test_a_result_of_another_run_waits_for_that_run(lab: Lab) -> None:
    wire = lab.orchestrator(run="yesterday")
    first = lab.start(wire.address)
    wire.greet()
    wire.evaluate("Y1", {"how": "well"}, trial=5)
    sent = wire.expect(Result)
    first.kill()
    first.wait()
    wire.close()

    today = lab.orchestrator(run="today", address=wire.address)
    second = lab.start(today.address)
    today.greet()
    today.expect_none(Result, QUIET_S)
    today.evaluate("T1", {"how": "well"})
    result(today, "T1")
    second.kill()
    second.wait()
    today.close()

    resumed = lab.orchestrator(run="yesterday", address=wire.address)
    lab.start(resumed.address)
    resumed.greet()
    assert resumed.expect(Result) == sent


def test_a_lease_of_the_same_name_in_another_run_is_another_lease(lab: Lab) -> None:
    """Every run begins with 1.1: what one gives or takes back says nothing of what runs for another."""
    yesterday = lab.orchestrator(run="yesterday", heartbeat_s=BEATS_S)
    lab.start(yesterday.address)
    yesterday.greet()
    gate, note = lab.directory / "gate", lab.directory / "note"
    yesterday.evaluate("1.1", {"how": "gate", "note": str(note), "open": str(gate)}, trial=1)
    eventually(note.exists)

    today = in_the_place_of(yesterday, lab, "today")
    today.send(Cancel(lease="1.1", reason="nobody was given that"))
    today.evaluate("1.1", {"how": "well"}, trial=1)
    while "1.1" not in (beat := today.expect(Heartbeat)).leases:
        pass
    assert beat.waiting == ["1.1"], "its time has not begun"
    gate.touch()
    assert result(today, "1.1").run == "today"

    resumed = in_the_place_of(today, lab, "yesterday")
    assert result(resumed, "1.1").value == float(note.read_text())


def test_what_trials_of_the_same_number_print_in_two_runs_lies_apart(lab: Lab) -> None:
    yesterday = lab.orchestrator(run="yesterday", heartbeat_s=BEATS_S)
    lab.start(yesterday.address)
    yesterday.greet()
    yesterday.evaluate("1.1", {"how": "print", "what": "of yesterday"}, trial=1)
    result(yesterday, "1.1")

    today = in_the_place_of(yesterday, lab, "today")
    today.evaluate("1.1", {"how": "print", "what": "of today"}, trial=1)
    result(today, "1.1")

    for run in ("yesterday", "today"):
        kept = lab.trial_file(1, "attempt-1.out", run=run)
        eventually(kept.exists)
        assert kept.read_text().endswith(f"printed of {run}\n")


def test_what_is_of_one_run_alone_is_kept_by_trial(lab: Lab) -> None:
    """As by the workers that a run starts itself, in its own folder."""
    wire = lab.orchestrator()
    lab.start(wire.address, "--evaluator", wire.assignment.evaluator, "--trials", "kept", "--one-run")
    wire.greet()
    wire.evaluate("7.1", {"how": "print", "what": "it"}, trial=7)
    result(wire, "7.1")
    eventually((lab.directory / "kept" / "0007" / "attempt-1.out").exists)


def test_whatever_a_run_is_called_its_files_lie_in_one_folder_beside_those_of_others() -> None:
    folders = TrialFolders(Path("trials"))
    names = [
        "wing-20260301-101500",
        "..",
        ".",
        "",
        "../../home",
        "/etc",
        "a/b",
        "a%2Fb",
        "a%",
        "\0",
        "Flügel",
    ]
    made = [folders.of(name, 3) for name in names]

    assert made[0] == Path("trials/wing-20260301-101500/0003")
    assert len(set(made)) == len(names)
    for path in made:
        assert path.parent.parent == Path("trials")
        assert path.parent.name not in ("", ".", "..")
        assert "\0" not in str(path)


def test_what_waits_for_another_run_is_not_evaluated_with_the_options_of_this_one(lab: Lab) -> None:
    gate, note = lab.directory / "gate", lab.directory / "note"
    task = {"note": str(note), "open": str(gate)}
    yesterday = lab.orchestrator("shifted", run="yesterday", heartbeat_s=BEATS_S, options={"shift": 1.0})
    lab.start(yesterday.address, "--evaluator", yesterday.assignment.evaluator)
    yesterday.greet()
    yesterday.evaluate("1.1", task)
    eventually(note.exists)

    today = in_the_place_of(yesterday, lab, "today", shift=2.0)
    today.evaluate("1.1", task)
    while "1.1" not in today.expect(Heartbeat).leases:
        pass
    resumed = in_the_place_of(today, lab, "yesterday", shift=1.0)
    gate.touch()
    assert result(resumed, "1.1").value == 1.0
    resumed.evaluate("2.1", task, trial=2)
    assert result(resumed, "2.1").value == 1.0, "what waits for a run that is away holds up nothing"

    back = in_the_place_of(resumed, lab, "today", shift=2.0)
    assert result(back, "1.1").value == 2.0


def test_progress_of_what_runs_for_another_run_is_not_that_of_a_lease_of_the_same_name(lab: Lab) -> None:
    """Which might be stopped early for it."""
    gate, note = lab.directory / "gate", lab.directory / "note"
    yesterday = lab.orchestrator(run="yesterday", heartbeat_s=BEATS_S)
    lab.start(yesterday.address)
    yesterday.greet()
    yesterday.evaluate("1.1", {"how": "gate and report", "note": str(note), "open": str(gate)})
    eventually(note.exists)

    today = in_the_place_of(yesterday, lab, "today")
    today.evaluate("1.1", {"how": "well"})
    while "1.1" not in today.expect(Heartbeat).leases:
        pass
    gate.touch()
    assert today.expect(Result, passing_over=(Heartbeat,)).run == "today"
