"""Real runs in real processes, watched through their journals; every process is gone when a test ends."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest
import yaml
from forked_life import Forked, Nurseries

from orchestrator import cli
from orchestrator.runtime.folder.journal import JournalReader
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.scheduler.events import Event, SuggestionsMade, WorkerJoined
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.state import State

HERE = Path(__file__).parent
DRIVE_RUN = str(HERE / "drive_run.py")
MODULES = os.pathsep.join([str(HERE), str(HERE.parents[1])])
"""Of the project that this file is of, which need not be the one that is installed."""
PATIENCE_S = 240.0
"""Of a test, on a machine that has other things to do."""
BRISK = {"heartbeat_s": 0.5, "silence_s": 60.0, "unheld_s": 60.0}
"""Workers are asked for a word often, and taken for lost by nothing that a busy machine does."""
IMPATIENT = {**BRISK, "silence_s": 6.0}
MARK = "RUN_LAB"

E = TypeVar("E")


def eventually(what: Callable[[], Any], within_s: float = PATIENCE_S, why: Callable[[], str] = str) -> Any:
    """Wait until something is true, and return it. Fails when it does not become so."""
    deadline = time.monotonic() + within_s
    while not (found := what()):
        assert time.monotonic() < deadline, f"it did not come true in time: {why()}"
        time.sleep(0.01)
    return found


def spec(
    function: str = "quick", *, options: Mapping[str, Any] | None = None, **changes: Any
) -> dict[str, Any]:
    """A spec of two parameters; ``changes`` replace its sections, or with `None` remove them."""
    whole: dict[str, Any] = {
        "experiment": "probe",
        "objective": {"name": "height", "goal": "maximise"},
        "parameters": {
            "x": {"type": "float", "bounds": [0.0, 1.0]},
            "y": {"type": "float", "bounds": [0.0, 1.0]},
        },
        "algorithm": {"name": "random"},
        "budget": {"trials": 6},
        "evaluation": {"evaluator": f"workloads_for_runs:{function}", "options": dict(options or {})},
        "workers": {"local": 1},
        "seed": 3,
    }
    for name, section in changes.items():
        whole[name] = whole[name] | section if isinstance(section, dict) and name in whole else section
    return {name: section for name, section in whole.items() if section is not None}


def is_alive(process: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


@dataclass
class Life:
    """One orchestrator process, and the run it works on."""

    process: subprocess.Popen[str] | Forked
    words: Path
    given_folder: Path | None = None
    opening: dict[str, str] = field(default_factory=dict)
    _events: list[Event] = field(default_factory=list)
    _reader: JournalReader | None = None
    _piped: str = ""

    @property
    def said(self) -> str:
        """What it said on standard error; through a pipe, once it has ended."""
        if self.process.stderr is not None and not self._piped:
            self._piped = self.process.stderr.read()
        if self._piped:
            return self._piped
        return self.words.read_text(errors="replace")

    def opened(self) -> dict[str, str]:
        """Wait until it listens: its ``folder`` and ``address``."""
        if not self.opening:
            assert self.process.stdout is not None
            line = self.process.stdout.readline()
            assert line, f"it ended before it began: {self.said}"
            self.opening = json.loads(line)
        return self.opening

    @property
    def folder(self) -> RunFolder:
        return RunFolder(self.given_folder or Path(self.opened()["folder"]))

    def events(self) -> list[Event]:
        """What its journal holds."""
        if self._reader is None:
            self._reader = JournalReader(self.folder.journal)
        self._events.extend(self._reader)
        return self._events

    def of(self, kind: type[E]) -> list[E]:
        """The events of one kind."""
        return [event for event in self.events() if isinstance(event, kind)]

    def await_events(self, kind: type[E], count: int = 1) -> list[E]:
        """Wait until the journal holds so many of one kind."""

        def enough() -> list[E] | None:
            # Asked first: what it writes last of all is read after its end.
            ended = self.process.poll() is not None
            found = self.of(kind)
            assert len(found) >= count or not ended, f"it ended too early: {self.said}"
            return found if len(found) >= count else None

        found: list[E] = eventually(enough, why=lambda: f"{self.events()}\n{self.said}")
        return found

    def ends(self, code: int, within_s: float = PATIENCE_S) -> None:
        """Wait for its end; who does not come to it says where it is at."""
        try:
            ended = self.process.wait(within_s)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGABRT)
            self.process.wait(PATIENCE_S)
            pytest.fail(f"it did not end within {within_s:g} s: {self.said}")
        assert ended == code, self.said

    def kill(self) -> None:
        """As the kernel or the mains would."""
        self.process.kill()
        self.process.wait()

    def signal(self, number: int) -> None:
        self.process.send_signal(number)


class RunLab:
    """Starts orchestrators and workers. Everything they start carries a mark, and so can be found.

    With nurseries what is started is forked from these, and does not import what it needs; what a test has to
    prepare or to listen to in another way does.
    """

    def __init__(self, directory: Path, nurseries: Nurseries | None = None) -> None:
        self.directory = directory
        self._nurseries = nurseries
        self.logs = directory / "logs"
        self.mark = f"{MARK}={uuid.uuid4().hex}"
        self._started: list[subprocess.Popen[str] | Forked] = []

    # -- starting -------------------------------------------------------------------------------------

    def write(self, whole: Mapping[str, Any], name: str = "spec.yaml") -> Path:
        path = self.directory / name
        path.write_text(yaml.safe_dump(dict(whole), sort_keys=False))
        return path

    def run(self, whole: Mapping[str, Any], patience: Mapping[str, float] | None = None, **more: Any) -> Life:
        """Start a run."""
        arguments = ["run", str(self.write(whole)), str(self.logs), json.dumps(dict(patience or {}))]
        return self._live([DRIVE_RUN, *arguments], **more)

    def resume(self, folder: RunFolder, patience: Mapping[str, float] | None = None, **more: Any) -> Life:
        """Take a run over."""
        arguments = ["resume", str(folder.path), json.dumps(dict(patience or {}))]
        life = self._live([DRIVE_RUN, *arguments], later=True, **more)
        life.given_folder = folder.path
        return life

    def run_to_its_end(self, whole: Mapping[str, Any]) -> RunFolder:
        """A run that nothing disturbs."""
        life = self.run(whole)
        life.ends(0)
        return life.folder

    def copy_of(self, ended: RunFolder, name: str) -> RunFolder:
        """A run that has ended, from where it can go on in another way than the original."""
        return RunFolder(Path(shutil.copytree(ended.path, self.logs / name)))

    def run_killed(self, whole: Mapping[str, Any], asks: int) -> RunFolder:
        """A run that is killed once the optimiser has answered so often, and resumed to its end."""
        life = self.run(whole)
        answered(life, asks)
        life.kill()
        self.resume(life.folder).ends(0)
        return life.folder

    def command(self, *arguments: str, **more: Any) -> Life:
        """The command line itself."""
        return self._live(["-m", "orchestrator", *arguments], **more)

    def signalled_command(self, moment: str, number: signal.Signals, *arguments: str) -> Life:
        """The command line, to which a signal comes at a moment."""
        line = [str(HERE / "signalled_command.py"), moment, number.name, *arguments]
        return self._live(line, stdout=subprocess.DEVNULL)

    def said(self, *arguments: str, code: int = 0) -> str:
        """A command in another terminal, to its end: what it said, on both streams."""
        life = self.command(*arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert life.process.stdout is not None
        words = life.process.stdout.read()
        assert life.process.wait(PATIENCE_S) == code, words
        return words

    def says(self, *arguments: str, code: int = 0) -> str:
        """A quick command likewise, in this process."""
        words = io.StringIO()
        with chdir(self.directory), redirect_stdout(words), redirect_stderr(words):
            assert cli.main(arguments) == code, words.getvalue()
        return words.getvalue()

    def worker(self, address: str, name: str, function: str = "quick", *arguments: str) -> Life:
        """A worker that is not the run's own."""
        return self._live(
            [
                *("-m", "evaluators.worker", "--connect", address, "--name", name, "--grace", "0.3"),
                *("--directory", str(self.directory / name)),
                *("--evaluator", f"workloads_for_runs:{function}", *arguments),
            ],
        )

    def _live(self, arguments: Sequence[str], *, later: bool = False, **more: Any) -> Life:
        words = self._words()
        process: subprocess.Popen[str] | Forked
        with words.open("w") as said:
            if self._nurseries is None or more:
                process = subprocess.Popen(
                    [sys.executable, *arguments],
                    env=self._environment(),
                    stdin=subprocess.DEVNULL,
                    text=True,
                    cwd=self.directory,
                    **{"stdout": subprocess.PIPE, "stderr": said, **more},
                )
            else:
                nursery = self._nurseries.later if later else self._nurseries.first
                process = nursery.forked(arguments, self._environment(), self.directory, said.fileno())
        self._started.append(process)
        return Life(process, words)

    def _words(self) -> Path:
        return self.directory / f"said-{len(self._started)}.txt"

    def _environment(self) -> dict[str, str]:
        path = os.pathsep.join([MODULES, str(self.directory)])
        return {**os.environ, "PYTHONPATH": path, MARK: self.mark.split("=")[1]}

    # -- what lives -----------------------------------------------------------------------------------

    def processes(self, naming: str = "") -> list[int]:
        """The processes that run on this laboratory's account and have ``naming`` in their command line."""
        forked = {
            str(started.pid): started.line
            for started in self._started
            if isinstance(started, Forked) and started.poll() is None
        }
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            with suppress(OSError):
                marked = self.mark.encode() in (entry / "environ").read_bytes().split(b"\0")
                if not marked and entry.name not in forked:
                    continue
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                words = forked.get(entry.name, words)
                if naming in words and is_alive(int(entry.name)):
                    found.append(int(entry.name))
        return sorted(found)

    def all_gone(self) -> None:
        """Wait until no process is left."""
        eventually(lambda: not self.processes(), why=lambda: f"left behind: {self.processes()}")

    def close(self) -> None:
        def killed() -> bool:
            for process in (left := self.processes()):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            return not left

        eventually(killed, why=lambda: f"these outlive SIGKILL: {self.processes()}")
        for started in self._started:
            started.wait(PATIENCE_S)
            for stream in (started.stdout, started.stderr):
                if stream is not None:
                    stream.close()


def checked(folder: RunFolder) -> State:
    """The state that a journal gives, every invariant and the order of times checked after each event."""
    replay = Replay.of(folder)
    before = 0.0
    for event in replay.reader:
        assert event.at >= before, f"{event} is older than what precedes it, at {before}"
        before = event.at
        replay.scheduler.handle(event)
        broken = violations(replay.scheduler.state)
        assert not broken, f"after {event}: {broken}"
    return replay.scheduler.state


def suggestions(folder: RunFolder) -> list[Mapping[str, Any]]:
    """The parameters of every trial, in order, to the bit."""
    return [dict(trial.parameters) for trial in checked(folder).trials.values()]


def joined(life: Life, count: int = 1) -> list[WorkerJoined]:
    return life.await_events(WorkerJoined, count)


def answered(life: Life, count: int = 1) -> list[SuggestionsMade]:
    return life.await_events(SuggestionsMade, count)
