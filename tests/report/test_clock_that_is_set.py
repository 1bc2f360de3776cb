"""The clock of a machine is set by a day while a run goes on, or between its lives: no duration shows it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from recorded_runs import RecordedRun, always

from orchestrator.report.following.run_clock import seconds_unheard, stopped_since
from orchestrator.report.following.runs import read_run
from orchestrator.report.following.standing import Standing, written_standing
from orchestrator.report.following.standing_monitor import StandingMonitor
from orchestrator.report.monitors.quiet import QuietMonitor
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.monitor import Opening

DAY_S = 86_400.0


@pytest.fixture
def run() -> RecordedRun:
    return RecordedRun().begin().settle(5, always(1.0))


@pytest.fixture
def folder(run: RecordedRun, tmp_path: Path) -> Iterator[RunFolder]:
    """A run that this process works on."""
    folder = run.write(tmp_path / "wing-1")
    with folder.lock():
        yield folder


@pytest.fixture
def writing(run: RecordedRun, folder: RunFolder) -> Iterator[StandingMonitor]:
    """Whoever works on the run wrote how it stands, seven seconds after its last event."""
    monitor = StandingMonitor(QuietMonitor(sys.stderr))
    monitor.opened(Opening(run.spec, folder.path, "tcp://10.0.0.1:5555", resumed=False))
    for event in run.events:
        monitor.observed(event, run.scheduler.state)
    monitor.ticked(run.scheduler.state, run.at + 7.0)
    deadline = time.monotonic() + 120.0
    while written_standing(folder, folder.holder()) is None:
        assert time.monotonic() < deadline, "nothing was written in time"
        time.sleep(0.005)
    yield monitor
    monitor.closed(run.scheduler.state)


def touched(path: Path, ago_s: float) -> None:
    """By a clock that was set since, the file was written so long ago."""
    os.utime(path, (time.time() - ago_s,) * 2)


@pytest.mark.parametrize("ago_s", [DAY_S, -DAY_S], ids=["ahead", "back"])
@pytest.mark.usefixtures("writing")
def test_what_runs_has_not_run_for_a_day_because_the_clock_was_set(
    run: RecordedRun, folder: RunFolder, ago_s: float
) -> None:
    touched(folder.journal, ago_s)
    view = read_run(folder).view(attended=True)
    assert run.at + 7.0 <= view.now < run.at + 600.0
    running = [one.seconds for worker in view.crew.workers for one in worker.running]
    assert running
    assert max(running) < 600.0


def test_what_is_taken_up_after_a_day_has_not_run_all_the_while(run: RecordedRun, folder: RunFolder) -> None:
    """Whoever took it up has locked it, and reads its journal still."""
    touched(folder.journal, DAY_S)
    view = read_run(folder).view(attended=True)
    assert view.now == run.at
    assert "has said nothing" not in view.activity


def rewritten(
    folder: RunFolder, ago_s: float, host: str = "", process: int | None = None
) -> dict[str, object]:
    """As whoever works on it wrote it so long ago by the clock that nobody sets; who that is."""
    process = process or os.getpid()
    standing = msgspec.json.decode(folder.standing.read_bytes(), type=Standing)
    aged = msgspec.structs.replace(standing, monotonic=time.monotonic() - ago_s, process=process)
    folder.standing.write_bytes(msgspec.json.encode(aged))
    return {"host": host or socket.gethostname(), "pid": process}


@pytest.mark.usefixtures("writing")
def test_who_hangs_is_found_out_though_the_clock_was_set_back(run: RecordedRun, folder: RunFolder) -> None:
    holder = rewritten(folder, ago_s=60.0)
    touched(folder.standing, -DAY_S)
    assert written_standing(folder, holder) is None
    view = read_run(folder).view(attended=True)
    assert run.at + 67.0 <= view.now < run.at + 660.0
    assert view.activity.startswith(f"process {os.getpid()} has said nothing for 1 min")
    assert view.remaining is None


@pytest.mark.usefixtures("writing")
def test_who_works_is_believed_though_the_clock_was_set_ahead(folder: RunFolder) -> None:
    holder = rewritten(folder, ago_s=0.0)
    touched(folder.standing, DAY_S)
    assert written_standing(folder, holder) is not None


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system is not asked")
@pytest.mark.usefixtures("writing")
def test_who_is_stopped_is_found_out_in_seconds(folder: RunFolder) -> None:
    with subprocess.Popen(["sleep", "600"]) as sleeper:
        holder = rewritten(folder, ago_s=3.0, process=sleeper.pid)
        assert written_standing(folder, holder) is not None
        sleeper.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, sleeper.pid, os.WSTOPPED | os.WNOWAIT)
        assert written_standing(folder, holder) is None
        assert seconds_unheard(folder, holder) >= 3.0
        assert stopped_since(3.0, holder)
        sleeper.kill()


@pytest.mark.usefixtures("writing")
def test_of_another_machine_only_what_it_wrote_is_known(folder: RunFolder) -> None:
    holder = rewritten(folder, ago_s=3600.0, host="another")
    assert written_standing(folder, holder) is not None
    touched(folder.standing, -DAY_S)
    assert written_standing(folder, holder) is None
