"""A load on one orchestrator, run to its end: what it took, and what its journal shows.

The orchestrator is a process of its own, started through the command line; the workers are real connections
held by two processes (`benchmarks.running.fleet`).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.running.fleet import EVALUATOR
from benchmarks.running.free_port import free_port
from benchmarks.running.runs import ENVIRONMENT
from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.following.standing import written_standing
from orchestrator.runtime.folder.journal import JournalReader
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.events import SuggestionsMade

FLEETS = 2
STATUS_EVERY_S = 5.0
SPEC = """\
experiment: load
objective: {{name: y, goal: maximise}}
parameters:
{parameters}
algorithm: {algorithm}
budget: {{trials: {trials}}}
evaluation: {{evaluator: "{evaluator}"}}
workers: {{local: 0, listen: "tcp://127.0.0.1:{port}"}}
"""
RECOVER = """\
import os, sys, time
from pathlib import Path
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.runtime.folder.run_folder import RunFolder
def memory():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
replay = Replay.of(RunFolder(Path(sys.argv[1])))
before, begun = memory(), time.process_time()
replay.catch_up()
print(time.process_time() - begun, memory() - before)
"""


@dataclass(frozen=True)
class Load:
    """How many trials on how many workers, each lasting so long on average."""

    trials: int
    workers: int
    seconds: float = 0.0
    algorithm: str = "random"
    dimension: int = 2

    def spec(self, port: int) -> str:
        """Its text."""
        names = [f"  x{number}: {{type: float, bounds: [0, 1]}}" for number in range(1, self.dimension + 1)]
        return SPEC.format(
            parameters="\n".join(names),
            algorithm=self.algorithm,
            trials=self.trials,
            evaluator=EVALUATOR,
            port=port,
        )


@dataclass(frozen=True)
class Answered:
    """An answer of the optimiser: its first trial, and the milliseconds that each of its points took."""

    trial: int
    ms: float


@dataclass
class Measured:
    """One run. Times in seconds unless they say so; sizes in MB."""

    duration: float = 0.0
    processor: float = 0.0
    memory: float = 0.0
    memory_at_start: float = 0.0
    journal: float = 0.0
    recovery: float = 0.0
    recovery_memory: float = 0.0
    rate: float = 0.0
    waits_ms: list[float] = field(default_factory=list)
    status: list[float] = field(default_factory=list)
    status_ended: float = 0.0
    status_replayed: float = 0.0
    watch: list[float] = field(default_factory=list)
    asks: list[Answered] = field(default_factory=list)

    def wait_ms(self, share: float) -> float:
        """A quantile of the time from a result to the next trial."""
        return sorted(self.waits_ms)[int(share * (len(self.waits_ms) - 1))] if self.waits_ms else 0.0


def measure(load: Load, *, look_on: bool) -> Measured:
    """Run a load to its end. ``look_on``: ask for `status`, and follow as `watch` does, meanwhile."""
    with _folder() as folder, _orchestrator(folder, load) as (process, address):
        measured = Measured()
        fleets = [_fleet(address, load, number) for number in range(FLEETS)]
        run = RunFolder(next((folder / "logs").iterdir()))
        measured.memory_at_start = _memory(process.pid)
        _see_through(process, run, measured, look_on=look_on)
        for fleet in fleets:
            told, _ = fleet.communicate(timeout=60)
            measured.waits_ms += json.loads(told)["waits_ms"]
        measured.journal = run.journal.stat().st_size / 1e6
        if look_on:
            measured.status_ended = _status(run)
            run.standing.unlink()
            measured.status_replayed = _status(run)
        measured.rate = _rate(run)
        measured.asks = _asks(run)
        done = subprocess.run(
            [sys.executable, "-c", RECOVER, str(run.path)],
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=True,
        )
        measured.recovery, measured.recovery_memory = map(float, done.stdout.split())
        return measured


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="orchestrator-load-") as name:
        yield Path(name)


@contextmanager
def _orchestrator(folder: Path, load: Load) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    port = free_port()
    (folder / "spec.yaml").write_text(load.spec(port), encoding="utf-8")
    command = [sys.executable, "-m", "orchestrator", "run", "spec.yaml", "--quiet"]
    process = subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
    try:
        while not list((folder / "logs").glob("*/journal.jsonl")):
            if process.poll() is not None:
                raise RuntimeError(f"the orchestrator ended at once, with {process.returncode}")
            time.sleep(0.05)
        time.sleep(1.0)
        yield process, f"tcp://127.0.0.1:{port}"
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def _fleet(address: str, load: Load, number: int) -> subprocess.Popen[str]:
    each = load.workers // FLEETS
    options = {"workers": each, "first": number * each, "seconds": load.seconds}
    command = [sys.executable, "-m", "benchmarks.running.fleet", address]
    for name, value in options.items():
        command += [f"--{name}", str(value)]
    return subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)


def _see_through(
    process: subprocess.Popen[bytes], run: RunFolder, measured: Measured, *, look_on: bool
) -> None:
    begun = time.monotonic()
    next_look = begun
    while process.poll() is None:
        # The last figures before it is gone are those that count.
        measured.memory = max(measured.memory, _memory(process.pid))
        measured.processor = max(measured.processor, _processor(process.pid))
        if look_on and time.monotonic() >= next_look:
            next_look = time.monotonic() + STATUS_EVERY_S
            measured.status.append(_status(run))
            looked = time.perf_counter()
            if written_standing(run, run.holder()) is not None:
                measured.watch.append(time.perf_counter() - looked)
        time.sleep(0.1)
    measured.duration = time.monotonic() - begun
    if process.returncode != 0:
        raise RuntimeError(f"the orchestrator ended with {process.returncode}")


def _status(run: RunFolder) -> float:
    command = [sys.executable, "-m", "orchestrator", "status", str(run.path), "--format", "json"]
    with subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL) as process:
        _, code, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(code)
    return used.ru_utime + used.ru_stime


def _memory(process: int) -> float:
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _processor(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _rate(run: RunFolder) -> float:
    """Trials settled a second, between the first and the last tenth."""
    followed = FollowedRun.open(run)
    followed.catch_up()
    moments = sorted(trial.settled_at or 0.0 for trial in followed.state.trials.values())
    tenth = len(moments) // 10
    return (len(moments) - 2 * tenth - 1) / (moments[-tenth - 1] - moments[tenth])


def _asks(run: RunFolder) -> list[Answered]:
    return [
        Answered(event.first_trial, 1e3 * event.seconds / len(event.suggestions))
        for event in JournalReader(run.journal)
        if isinstance(event, SuggestionsMade) and event.suggestions
    ]
