"""When nothing moves, whoever looks is told why; and looking costs the same however long the journal is."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest
from recorded_runs import SPEC, RecordedRun, always

from orchestrator.report.following import standing_file
from orchestrator.report.following.standing import Standing, written_standing
from orchestrator.report.following.standing_file import StandingFile
from orchestrator.report.following.standing_monitor import StandingMonitor
from orchestrator.report.monitors.quiet import QuietMonitor
from orchestrator.report.seen.outlook import Attendance, activity
from orchestrator.report.tables.status import status_words
from orchestrator.report.words.worker_line import worker_line
from orchestrator.runtime.circumstances import Circumstances
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.monitor import Opening
from orchestrator.scheduler import events as ev

ADDRESS = "tcp://10.0.0.1:5555"
US: dict[str, object] = {"host": "lab", "pid": os.getpid()}


def said(run: RecordedRun, circumstances: Circumstances, after_s: float = 100.0, held: bool = True) -> str:
    attendance = Attendance(attended=held, address=ADDRESS, folder="logs/wing-1", circumstances=circumstances)
    return activity(run.spec, run.scheduler.state, run.at + after_s, attendance)


def awaited(folder: RunFolder) -> Standing:
    """What the file tells, once it is there: it is written beside whoever has it written."""
    deadline = time.monotonic() + 120.0
    while (standing := written_standing(folder, US)) is None:
        assert time.monotonic() < deadline, "nothing was written in time"
        time.sleep(0.005)
    return standing


def without_workers() -> RecordedRun:
    return RecordedRun(SPEC.replace("local: 2", "local: 0")).begin(workers=0).answer_asks()


def test_nobody_connected_is_said_with_how_to_start_one():
    assert said(without_workers(), Circumstances()) == (
        f"no worker is connected; start one: orchestrator worker --connect {ADDRESS} --evaluator wings:drag"
    )


@pytest.mark.parametrize("everywhere", ["0.0.0.0", "*", "[::]"])
def test_how_to_start_one_elsewhere_names_what_it_needs(everywhere: str):
    text = SPEC.replace("local: 2", f'local: 0, listen: "tcp://{everywhere}:5555", keys: keys')
    command = """command: [./wing, "my mesh", "{span}", "{sweep}", "{ribs}", "--skin={skin}"]"""
    spec = RecordedRun(text.replace('evaluator: "wings:drag"', command)).spec
    assert worker_line(spec, f"tcp://{everywhere}:5555") == (
        "orchestrator worker --connect tcp://HERE:5555 --key FILE "
        "--command ./wing 'my mesh' '{span}' '{sweep}' '{ribs}' '--skin={skin}'"
    )


def test_how_to_start_one_elsewhere_names_what_those_here_have_of_their_own():
    text = SPEC.replace("local: 2", "local: 2, each: {GPU: [0, 1], ARM: [a, b]}")
    assert worker_line(RecordedRun(text).spec, ADDRESS) == (
        f"orchestrator worker --connect {ADDRESS} --each=GPU=VALUE --each=ARM=VALUE --evaluator wings:drag"
    )


def test_how_to_start_one_elsewhere_names_the_program_that_it_brings_along():
    text = SPEC.replace("local: 2", "local: 0").replace("wings:drag", "evaluators.command:run")
    assert worker_line(RecordedRun(text).spec, ADDRESS) == (
        f"orchestrator worker --connect {ADDRESS} "
        "--command PROGRAM '{span}' '{sweep}' '{ribs}' '{skin}'"
    )


def test_how_to_start_one_elsewhere_names_its_templates():
    command = """command: [./wing], input: {templates: {wing.in: "my wing.in", case/run: run}}"""
    text = SPEC.replace("local: 2", "local: 0").replace('evaluator: "wings:drag"', command)
    assert worker_line(RecordedRun(text).spec, ADDRESS) == (
        f"orchestrator worker --connect {ADDRESS} '--template=wing.in=my wing.in' --template=case/run=run "
        "--command ./wing"
    )


def test_a_worker_that_was_turned_away_is_the_reason():
    circumstances = Circumstances()
    circumstances.turned_away("expected a worker that offers wings:drag, got one that offers sails:lift")
    assert said(without_workers(), circumstances) == (
        "no worker is connected: the last that came was refused: expected a worker that offers wings:drag, "
        "got one that offers sails:lift"
    )


def test_keys_that_are_not_known_are_the_reason():
    came = Circumstances(keys_refused=7, key_refused="the key of robot, which was revoked")
    assert said(without_workers(), came) == (
        "no worker is connected: a worker was refused 7 times, the last time for the key of robot, which was "
        "revoked; make another (orchestrator keys new NAME --keys keys), and start the worker with it: "
        "--key FILE"
    )


def test_an_orchestrator_of_an_earlier_version_does_not_say_which_key_it_was():
    sentence = said(without_workers(), Circumstances(keys_refused=1))
    assert "a worker was refused for an unknown or revoked key; make another" in sentence


def test_workers_without_a_key_are_the_reason():
    sentence = said(without_workers(), Circumstances(keyless_refused=7))
    assert "somebody was refused 7 times, the last time for having no key, or one for another" in sentence
    assert "--key FILE" in sentence


def test_an_optimiser_that_refits_is_said_and_since_when():
    run = RecordedRun().begin()
    assert "refitting" not in said(run, Circumstances())
    circumstances = Circumstances(refit_since=run.at + 10.0)
    assert said(run, circumstances, after_s=70.0).endswith(": it is refitting, for 1 min 00 s")


def test_a_refit_beside_trials_that_run_is_no_reason():
    run = RecordedRun().begin().answer_asks()
    assert "refitting" not in said(run, Circumstances(refit_since=0.0))


def test_a_full_disk_is_the_reason_that_nobody_works_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from orchestrator.report.following import runs

    run = RecordedRun().begin()
    monkeypatch.setattr(runs, "ROOM_FOR_LINES", 1 << 60)
    followed = runs.read_run(run.write(tmp_path / "wing-1"))
    sentence = followed.view(attended=False).activity
    assert sentence.startswith("no orchestrator works on this run now; its disk is full, so make room first")
    assert "orchestrator resume" in sentence


def test_approval_is_waited_for():
    text = SPEC.replace('evaluator: "wings:drag"', 'approval: true, evaluator: "wings:drag"')
    run = RecordedRun(text).begin().answer_asks()
    assert said(run, Circumstances()).startswith("waiting for approval of trials 1, 2")
    for worker in tuple(run.scheduler.state.crew.workers):
        run.happen(ev.WorkerLeft(at=run.at + 60.0, worker=worker, lost=False))
    words = said(run, Circumstances())
    assert words.startswith(
        "waiting for approval of trials 1, 2: orchestrator approve logs/wing-1; no worker is"
    )


class TestTheFile:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> RunFolder:
        return RecordedRun().begin().write(tmp_path / "wing-1")

    @pytest.fixture
    def run(self) -> RecordedRun:
        return RecordedRun().begin().settle(5, always(1.0))

    def monitor(self, run: RecordedRun, folder: RunFolder) -> StandingMonitor:
        monitor = StandingMonitor(QuietMonitor(sys.stderr))
        monitor.opened(Opening(run.spec, folder.path, ADDRESS, resumed=False))
        for event in run.events:
            monitor.observed(event, run.scheduler.state)
        monitor.ticked(run.scheduler.state, run.at)
        awaited(folder)
        return monitor

    def test_it_tells_what_the_journal_would(self, run: RecordedRun, folder: RunFolder):
        self.monitor(run, folder)
        standing = written_standing(folder, US)
        assert standing is not None
        assert standing.view.trials.completed == 5
        assert standing.view.found.best == run.view().found.best
        assert "5 of 20 settled: 5 completed, 0 failed" in status_words(standing, US)

    def test_it_tells_what_no_journal_does(self, folder: RunFolder):
        run = without_workers()
        monitor = StandingMonitor(QuietMonitor(sys.stderr))
        circumstances = Circumstances(last_refused="it came with the wrong hat")
        monitor.opened(Opening(run.spec, folder.path, ADDRESS, False, circumstances))
        monitor.ticked(run.scheduler.state, 5.0)
        assert "wrong hat" in awaited(folder).view.activity

    def test_that_of_another_process_is_not_believed(self, run: RecordedRun, folder: RunFolder):
        self.monitor(run, folder)
        assert written_standing(folder, {"host": "lab", "pid": os.getpid() + 1}) is None
        assert written_standing(folder, None) is None

    def test_an_old_one_is_not_believed(self, run: RecordedRun, folder: RunFolder):
        self.monitor(run, folder)
        os.utime(folder.standing, (1.0, 1.0))
        assert written_standing(folder, US) is None

    def test_half_of_one_is_not_believed(self, run: RecordedRun, folder: RunFolder):
        self.monitor(run, folder)
        folder.standing.write_bytes(folder.standing.read_bytes()[:100])
        assert written_standing(folder, US) is None

    def test_it_goes_with_the_process(self, run: RecordedRun, folder: RunFolder):
        self.monitor(run, folder).closed(run.scheduler.state)
        assert not folder.standing.exists()

    def test_it_is_another_machine_s_once_that_has_taken_the_run_over(
        self, run: RecordedRun, folder: RunFolder
    ):
        monitor = self.monitor(run, folder)
        (folder.path / "lock").write_text('{"host": "login2", "pid": 17}')
        folder.standing.write_text("of login2")
        monitor._due = 0.0
        monitor.ticked(run.scheduler.state, run.at)
        monitor.closed(run.scheduler.state)
        assert folder.standing.read_text() == "of login2"

    def test_a_disk_that_hangs_holds_nobody_up_and_is_given_the_latest(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        goes_on, written = threading.Event(), list[bytes]()
        pwrite = os.pwrite

        def hung(descriptor: int, content: bytes, at: int) -> int:
            assert goes_on.wait(120.0)
            written.append(content)
            return pwrite(descriptor, content, at)

        monkeypatch.setattr(os, "pwrite", hung)
        monkeypatch.setattr(standing_file, "SECONDS_TO_END", 0.05)
        file = StandingFile(tmp_path / "standing.json")
        for number in range(100):
            file.write(b"%d" % number)
        goes_on.set()
        while b"99" not in written:
            pass
        assert len(written) <= 2, "what came while one was written replaced each other"
        goes_on.clear()
        file.write(b"never")
        file.close()
        goes_on.set()


def test_what_is_still_to_be_compared_once_the_budget_is_spent_is_what_a_run_waits_for():
    text = SPEC.replace("{name: drag, goal: minimise}", "{name: comfort, told: by comparison}")
    run = RecordedRun(text.replace("trials: 20", "trials: 2")).begin(workers=3).answer_asks()
    for number in (1, 2):
        run.happen(
            ev.ResultArrived(at=run.at + 1.0, worker=f"local-{number}", lease=f"{number}.1", value=None)
        ).answer_asks()
    compare = "waiting for how trial 2 compares: orchestrator prefer logs/wing-1"
    assert said(run, Circumstances()) == compare
    for number in (1, 2, 3):
        run.happen(ev.WorkerLeft(at=run.at + 1.0, worker=f"local-{number}", lost=False))
    assert said(run, Circumstances()) == compare
