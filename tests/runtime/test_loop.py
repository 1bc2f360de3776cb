"""The loop at its beginning and its end, with a worker that the test plays itself."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
import yaml
from anyio.abc import Process
from run_lab import HERE, MODULES, PATIENCE_S, checked, spec
from watched_opening import EVALUATOR, Watching, early_worker, work

from orchestrator.runtime import local_workers, lookout, loop, run
from orchestrator.runtime.connections.broker import Broker, Received
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.monitor import Opening
from orchestrator.runtime.optimiser import process as optimiser_process
from orchestrator.runtime.run import RunOptions, resume_experiment, run_experiment
from orchestrator.runtime.time_of_day import Moved
from orchestrator.scheduler.events import Event, RunResumed, RunStarted
from orchestrator.scheduler.state import State
from orchestrator.spec.load import load_spec
from orchestrator.system.disk import DISK
from orchestrator.wire.messages import Acknowledge, Drain
from orchestrator.wire.scripted import ScriptedWorker


@pytest.fixture
def spec_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(HERE))
    path = tmp_path / "spec.yaml"
    path.write_text(yaml.safe_dump(spec(workers={"local": 0}, budget={"trials": 3}, mode="sequential")))
    return path


def test_a_worker_that_is_there_before_the_run_begins_is_given_work_in_this_life_and_the_next(
    spec_path: Path, tmp_path: Path
) -> None:
    played: list[threading.Thread] = []

    def play(until: type[object]) -> Callable[[Opening], None]:
        def start(opening: Opening) -> None:
            worker = early_worker(opening.address)
            played.append(threading.Thread(target=work, args=(worker, until), daemon=True))
            played[-1].start()

        return start

    class Broken(BaseException):
        """What ends the first life in the middle."""

    class Breaking(Watching):
        def observed(self, event: Event, state: State) -> None:
            super().observed(event, state)
            if state.tally.completed == 1:
                raise Broken

    first = Breaking(play(Acknowledge))
    with pytest.raises(BaseException) as ending:  # noqa: PT011
        run_experiment(load_spec(spec_path), RunOptions(first, tmp_path / "logs"))
    assert "Broken" in repr(ending.value)
    assert isinstance(first.first, RunStarted)

    folder = RunFolder.open(next((tmp_path / "logs").iterdir()))
    second = Watching(play(Drain))
    outcome = resume_experiment(folder, RunOptions(second))
    assert isinstance(second.first, RunResumed)
    assert not outcome.failed
    assert checked(folder).tally.completed == 3
    played[1].join(PATIENCE_S)
    assert not played[1].is_alive(), "it was sent away when the run had ended"


def test_a_peer_that_says_nothing_a_worker_would_say_holds_nobody_up(spec_path: Path, tmp_path: Path) -> None:
    def both(opening: Opening) -> None:
        stranger = ScriptedWorker(opening.address, "stranger", EVALUATOR)
        for frames in ([b""], [b"{"], [b'{"type":"hello"}'], [b"a", b"b"], [b"\xff" * 1000]) * 40:
            stranger.send_bytes(*frames)
        worker = early_worker(opening.address)
        threading.Thread(target=work, args=(worker, Drain), daemon=True).start()

    outcome = run_experiment(load_spec(spec_path), RunOptions(Watching(both), tmp_path / "logs"))
    assert outcome.state.tally.completed == 3


def test_whoever_sends_without_a_pause_leaves_signals_and_moments_due_their_turn(
    spec_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thrown, most = 0, 2_000
    heard_at: list[int] = []

    class Ticking(Watching):
        def ticked(self, state: State, now: float) -> None:
            del state, now
            heard_at.append(thrown)

    really = Broker.receive

    def flooded(broker: Broker) -> list[Received]:
        nonlocal thrown
        if heard_at or thrown == most:
            return really(broker)
        thrown += 1
        return [Received(b"stranger", None, "noise")]

    monkeypatch.setattr(Broker, "receive", flooded)

    def worked_on(opening: Opening) -> None:
        threading.Thread(target=work, args=(early_worker(opening.address), Drain), daemon=True).start()

    outcome = run_experiment(load_spec(spec_path), RunOptions(Ticking(worked_on), tmp_path / "logs"))
    assert outcome.state.tally.completed == 3
    assert heard_at[0] < most, "the loop did nothing but read"


def test_what_the_disk_refused_is_not_in_the_last_picture(
    spec_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = DISK.append

    def full_at_the_third(descriptor: int, block: memoryview) -> int:
        if b'"lease":"3.1"' in bytes(block):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return append(descriptor, block)

    def play(opening: Opening) -> None:
        arguments = (early_worker(opening.address), Drain)
        threading.Thread(target=work, args=arguments, daemon=True).start()

    monkeypatch.setattr(DISK, "append", full_at_the_third)
    watching = Watching(play)
    outcome = run_experiment(load_spec(spec_path), RunOptions(watching, tmp_path / "logs"))
    assert "No space left on device" in outcome.message
    assert (outcome.state.tally.completed, watching.completed_at_the_end) == (2, 2)


def test_all_that_is_said_at_the_end_is_handed_over_before_processes_are_waited_for(
    spec_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    end = optimiser_process._end

    class Telling(Watching):
        def observed(self, event: Event, state: State) -> None:
            del event, state
            told.append("observed")

        def ticked(self, state: State, now: float) -> None:
            del state, now
            told.append("handed over")

    async def ended(process: Process, last_words: bytes) -> None:
        told.append("waits for the optimiser")
        await end(process, last_words)

    monkeypatch.setenv("PYTHONPATH", MODULES)
    monkeypatch.setattr(optimiser_process, "_end", ended)
    monkeypatch.setattr(loop, "TICK_S", 3600.0)
    spec_path.write_text(yaml.safe_dump(spec(budget={"trials": 1})))
    run_experiment(load_spec(spec_path), RunOptions(Telling(lambda _: None), tmp_path / "logs"))
    assert told[told.index("waits for the optimiser") - 1] == "handed over"


def test_a_system_that_has_no_process_to_give_for_a_while_delays_the_run_and_does_not_end_it(
    spec_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []
    opened = anyio.open_process

    async def busy(command: Sequence[str], **options: Any) -> Process:
        module = command[command.index("-m") + 1]
        if refused.count(module) < 2:
            refused.append(module)
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return await opened(command, **options)

    monkeypatch.setenv("PYTHONPATH", MODULES)
    monkeypatch.setattr(anyio, "open_process", busy)
    monkeypatch.setattr(local_workers, "START_AGAIN_AFTER_S", 0.01)
    monkeypatch.setattr(optimiser_process, "START_AGAIN_AFTER_S", 0.01)
    spec_path.write_text(yaml.safe_dump(spec(budget={"trials": 2})))
    watching = Watching(lambda _: None)
    outcome = run_experiment(load_spec(spec_path), RunOptions(watching, tmp_path / "logs"))
    assert (outcome.failed, outcome.state.tally.completed) == (False, 2)
    assert sorted(refused) == ["evaluators.worker"] * 2 + ["orchestrator.runtime.optimiser.server"] * 2
    said = [sentence for sentence in watching.noted_so_far if "Resource temporarily unavailable" in sentence]
    assert len(said) == 2, "once for each, however often it was tried"


def test_a_system_that_has_no_thread_to_give_slows_the_run_and_does_not_end_it(
    spec_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Threads count as processes do, and those that had nothing to do for a while are started anew; Python
    3.11 has one for each child process.
    """
    started, refused = threading.Thread.start, list[str]()

    def busy(thread: threading.Thread) -> None:
        if "AnyIO" in thread.name or "waitpid" in thread.name:
            refused.append(thread.name)
            raise RuntimeError("can't start new thread")
        started(thread)

    monkeypatch.setenv("PYTHONPATH", MODULES)
    monkeypatch.setattr(threading.Thread, "start", busy)
    spec_path.write_text(yaml.safe_dump(spec(budget={"trials": 2})))
    outcome = run_experiment(load_spec(spec_path), RunOptions(Watching(lambda _: None), tmp_path / "logs"))
    assert (outcome.failed, outcome.state.tally.completed) == (False, 2)
    assert refused


def test_hours_that_the_machine_slept_count_by_the_clock_at_once(
    spec_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Asleep:
        """It was, once."""

        def __init__(self) -> None:
            self.slept = [Moved("2026-03-01T12:00:00+01:00", 3000.0)]

        def moved(self) -> Moved | None:
            return self.slept.pop() if self.slept else None

    monkeypatch.setattr(lookout, "TimeOfDay", Asleep)
    told = yaml.safe_load(spec_path.read_text())
    told["parameters"]["t"] = {"type": "float", "bounds": [0, 3600], "unit": "s"}
    spec_path.write_text(yaml.safe_dump(told | {"clock": "t"}))

    def play(opening: Opening) -> None:
        worker = early_worker(opening.address)
        threading.Thread(target=work, args=(worker, Drain), daemon=True).start()

    watching = Watching(play)
    outcome = run_experiment(load_spec(spec_path), RunOptions(watching, tmp_path / "logs"))
    assert outcome.state.unattended.seconds == 3000.0
    assert outcome.state.trials[3].parameters["t"] >= 3000.0
    assert "the machine slept for 50 min, in which the run's clock went on" in watching.noted_so_far
    assert checked(RunFolder.open(outcome.folder)).unattended.seconds == 3000.0


def test_a_program_that_is_edited_while_the_run_goes_on_is_told_of_and_known_to_the_next_life(
    spec_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Edited:
        """It was, since."""

        def __init__(self, _: object, known: Mapping[str, str]) -> None:
            assert known == {"wing.py": "1"}

        def edited(self, known: Mapping[str, str], _: int) -> dict[str, str]:
            return {} if known["wing.py"] == "2" else {"wing.py": "2"}

    monkeypatch.setattr(loop, "EditedFiles", Edited)
    monkeypatch.setattr(loop, "LOOKS_EVERY_S", 0.01)
    monkeypatch.setattr(run, "evaluating_files", lambda _: {"wing.py": "1"})
    workers: list[ScriptedWorker] = []

    class Waiting(Watching):
        """Its worker does nothing before it is said."""

        def noted(self, level: str, sentence: str) -> None:
            del level
            if sentence.startswith("`wing.py` was changed while this run goes on"):
                threading.Thread(target=work, args=(workers.pop(), Drain), daemon=True).start()

    watching = Waiting(lambda opening: workers.append(early_worker(opening.address)))
    outcome = run_experiment(load_spec(spec_path), RunOptions(watching, tmp_path / "logs"))
    assert checked(RunFolder.open(outcome.folder)).evaluated_by == {"wing.py": "2"}
