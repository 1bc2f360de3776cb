"""What goes wrong outside: evaluators, ports, folders, disks. It is said in a sentence; nothing is lost."""

from __future__ import annotations

import ctypes
import os
import resource
import socket
import subprocess
from pathlib import Path

import pytest
from run_lab import BRISK, RunLab, checked, eventually, spec

from benchmarks.running.free_port import free_port
from orchestrator.runtime.folder.journal import read_journal
from orchestrator.scheduler.events import FailureArrived, ResultArrived
from orchestrator.scheduler.transitions import TrialState

KINDS = {
    "raises": ("error", "the mesh does not converge"),
    "text": ("invalid", "'fast'"),
    "none": ("invalid", "None"),
    "nan": ("invalid", "finite"),
    "infinity": ("invalid", "finite"),
    "hangs": ("timeout", "5 s"),
    "exits": ("error", "exit code 3"),
    "calls exit": ("error", "sys.exit"),
}


def test_an_evaluator_at_fault_fails_its_trial_after_the_attempts_and_the_run_goes_on(lab: RunLab) -> None:
    ways = [*KINDS, "prints binary", "well"]
    run = lab.run(
        spec(
            "as_told",
            parameters={"how": {"type": "choice", "values": ways}, "y": 0.5},
            initial={"points": [{"how": way, "x": 0.5} for way in ways]},
            evaluation={"attempts": 2, "timeout": "5 s"},
            workers={"local": 2},
            budget={"trials": len(ways)},
        )
    )
    run.ends(0)
    state = checked(run.folder)
    assert (state.tally.completed, state.tally.failed) == (2, len(KINDS))
    failures = run.of(FailureArrived)
    for number, way in enumerate(ways, start=1):
        trial = state.trials[number]
        if way not in KINDS:
            assert (trial.state, trial.value) == (TrialState.COMPLETED, 1.0)
            continue
        kind, words = KINDS[way]
        assert (trial.state, trial.attempts.given, trial.attempts.failed) == (TrialState.FAILED, 2, 2), way
        assert words in trial.message
        assert {f.kind for f in failures if f.lease in (f"{number}.1", f"{number}.2")} == {kind}, way


def test_a_run_in_which_nothing_succeeds_stops_and_goes_on_once_the_fault_is_mended(lab: RunLab) -> None:
    mesh = lab.directory / "wing.msh"
    told = spec(
        "meshed",
        options={"mesh": str(mesh)},
        evaluation={"attempts": 2, "give_up_after": 3},
        budget={"trials": 8},
    )
    run = lab.run(told)
    run.ends(1)
    assert "3 trials failed, the last with: error: FileNotFoundError" in run.said
    state = checked(run.folder)
    assert (state.tally.completed, state.tally.failed, state.end.why) == (0, 3, "no evaluation has succeeded")
    lab.resume(run.folder).ends(1)
    assert checked(run.folder).tally.failed == 6
    mesh.write_text("a wing")
    lab.resume(run.folder).ends(0)
    state = checked(run.folder)
    assert (state.tally.completed, state.tally.failed) == (2, 6)
    assert state.end.why == "every trial of the budget is settled"


def test_a_port_in_use_is_refused_before_anything_is_written(lab: RunLab) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        path = lab.write(spec(workers={"listen": address}))
        refused = lab.command("run", str(path), "--quiet", "--logs", str(lab.logs))
        refused.ends(1)
    assert f"expected to listen at {address}" in refused.said
    assert "Traceback" not in refused.said
    assert not lab.logs.exists()


def test_a_second_orchestrator_is_refused_and_the_first_goes_on(lab: RunLab) -> None:
    run = lab.run(spec("gated", options={"folder": str(lab.directory)}, budget={"trials": 1}))
    eventually((lab.directory / "1.1").exists)
    second = lab.command("resume", str(run.folder.path), "--quiet")
    second.ends(1)
    assert f"process {run.process.pid} on {socket.gethostname()}" in second.said
    assert "Traceback" not in second.said
    (lab.directory / "open").touch()
    run.ends(0)
    assert checked(run.folder).lives == 1


def without_privileges() -> None:
    """Before an exec: let modes of files hold for root as well, as far as the kernel lets itself be asked."""
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


def modes_hold(lab: RunLab) -> bool:
    """Whether a process started `without_privileges` is kept out by a mode."""
    probe = lab.directory / "probe"
    probe.mkdir(mode=0o555)
    pid = os.fork()
    if pid == 0:
        without_privileges()
        os.execvp("touch", ["touch", str(probe / "file")])
    os.waitpid(pid, 0)
    return not (probe / "file").exists()


def test_a_folder_of_runs_that_is_read_only_is_refused(lab: RunLab) -> None:
    if not modes_hold(lab):
        pytest.skip("this user may write everywhere, and cannot be kept from it")
    lab.logs.mkdir(mode=0o555)
    path = lab.write(spec())
    refused = lab.command("run", str(path), "--quiet", "--logs", str(lab.logs), preexec_fn=without_privileges)
    refused.ends(1)
    assert "Permission denied" in refused.said
    assert "--logs DIR" in refused.said
    assert "Traceback" not in refused.said


def test_a_run_whose_folder_became_read_only_is_not_resumed_and_loses_nothing(lab: RunLab) -> None:
    if not modes_hold(lab):
        pytest.skip("this user may write everywhere, and cannot be kept from it")
    run = lab.run(spec("slow", options={"seconds": 0.02}, budget={"trials": 8}))
    run.await_events(ResultArrived, 2)
    run.kill()
    lab.all_gone()
    before = run.folder.journal.read_bytes()
    paths = [run.folder.path, *run.folder.path.iterdir()]
    modes = {path: path.stat().st_mode for path in paths}
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    refused = lab.command("resume", str(run.folder.path), "--quiet", preexec_fn=without_privileges)
    refused.ends(1)
    assert "Permission denied" in refused.said
    assert "Traceback" not in refused.said
    assert run.folder.journal.read_bytes() == before
    for path, mode in modes.items():
        path.chmod(mode)
    lab.resume(run.folder).ends(0)
    assert checked(run.folder).tally.completed == 8


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits a process from outside")
def test_a_worker_elsewhere_works_on_while_the_disk_is_full_and_delivers_when_there_is_room(
    lab: RunLab,
) -> None:
    whole = spec(
        "gated",
        options={"folder": str(lab.directory)},
        workers={"local": 0, "listen": f"tcp://127.0.0.1:{free_port()}"},
        budget={"trials": 1},
        evaluation={"attempts": 1},
    )
    run = lab.run(whole, BRISK)
    address = run.opened()["address"]
    lab.worker(address, "w", "gated")
    eventually((lab.directory / "1.1").exists)
    full = run.folder.journal.stat().st_size
    resource.prlimit(run.process.pid, resource.RLIMIT_FSIZE, (full, resource.RLIM_INFINITY))
    lab.worker(address, "one more", "gated")
    run.ends(1)
    assert "File too large" in run.said
    again = lab.resume(run.folder, BRISK)
    (lab.directory / "open").touch()
    again.ends(0)
    assert (checked(run.folder).tally.completed, checked(run.folder).trials[1].attempts.given) == (1, 1)


@pytest.mark.parametrize(
    "room",
    [pytest.param(0, marks=pytest.mark.long), 200, 5_000],
    ids=lambda room: f"room for {room} bytes",
)
def test_a_full_disk_ends_the_run_in_a_sentence_and_a_resume_loses_nothing(lab: RunLab, room: int) -> None:
    """A limit on the size of files stands for the disk; root cannot escape it either."""
    path = lab.write(spec("slow", options={"seconds": 0.01}, budget={"trials": 40}))
    full = lab.command(
        "run",
        str(path),
        "--quiet",
        "--logs",
        str(lab.logs),
        stderr=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY)),
    )
    full.ends(1)
    assert "Traceback" not in full.said
    assert "File too large" in full.said
    lab.all_gone()
    folder = Path(next(iter(lab.logs.iterdir())))
    if room < 5_000:
        refused = lab.command("resume", str(folder), "--quiet")
        assert refused.process.wait() in (1, 2), "there was nothing to resume"
        assert "Traceback" not in refused.said
        return
    reading = read_journal(folder / "journal.jsonl")
    arrived = [event for event in reading.events if isinstance(event, ResultArrived)]
    assert arrived
    assert reading.length == (folder / "journal.jsonl").stat().st_size
    lab.command("resume", str(folder), "--quiet").ends(0)
    after = read_journal(folder / "journal.jsonl").events
    assert after[: len(reading.events)] == reading.events
