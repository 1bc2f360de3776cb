"""Load: a thousand connected workers and a hundred thousand trials on one orchestrator, and how it grows.

    python -m benchmarks.load [--quick] [--parts dispatch paced growth asks long]

The orchestrator is a process of its own, started through the command line; the workers are real connections
held by two processes (`benchmarks.fleet`). Measured, with `random` but for the last two:

dispatch   evaluations that last no time: the most trials a second; memory; journal; recovery; `status` and
           `watch` from outside meanwhile
paced      evaluations of four seconds on average: from a result to the worker's next trial
growth     the processor's time, memory, journal and recovery at two numbers of trials and of workers
asks       EGP-TS in one process: `ask`, `tell`, refits, their adoption and a replay at up to 50,000 values
long       a run of 50,000 trials under EGP-TS: what its asks took, as its journal has it
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.ask_growth import COUNTS, DIMENSION, REPEATS, ask_growth
from benchmarks.fleet import EVALUATOR
from benchmarks.runs import ENVIRONMENT
from orchestrator.report.runs import FollowedRun
from orchestrator.report.standing import written_standing
from orchestrator.runtime.journal import JournalReader
from orchestrator.runtime.run_folder import RunFolder
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
from orchestrator.runtime.recover import Replay
from orchestrator.runtime.run_folder import RunFolder
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

    load: Load
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
        measured = Measured(load)
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
    port = _free_port()
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


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _fleet(address: str, load: Load, number: int) -> subprocess.Popen[str]:
    each = load.workers // FLEETS
    options = {"workers": each, "first": number * each, "seconds": load.seconds}
    command = [sys.executable, "-m", "benchmarks.fleet", address]
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


# -- what is printed ------------------------------------------------------------------------------------


def _say(name: str, figure: str) -> None:
    print(f"  {name:22s} {figure}")


def dispatch(size: Load) -> None:
    """The most that goes through, and what it costs."""
    found = measure(size, look_on=True)
    each = 1e6 / size.trials
    print(f"dispatch: {size.trials:,} trials of no duration on {size.workers:,} workers")
    _say("rate", f"{found.rate:.0f} trials a second")
    _say("orchestrator", f"{found.processor:.1f} s of a processor, {each * found.processor:.0f} µs a trial")
    _say("memory", f"{found.memory:.0f} MB at most, {found.memory_at_start:.0f} before the first trial")
    _say("journal", f"{found.journal:.1f} MB, {each * found.journal:.0f} bytes a trial")
    _say("recovery", f"{found.recovery:.2f} s of a processor, {each * found.recovery:.0f} µs a trial")
    _say("recovery, memory", f"{found.recovery_memory:.0f} MB")
    _say("`status`, once ended", f"{found.status_ended:.2f} s, and {found.status_replayed:.2f} s by replay")
    for name, seconds in (("`status`, processor", found.status), ("`watch`, a look", found.watch)):
        _say(name, f"{statistics.median(seconds):.3f} s median, {max(seconds):.3f} s at most")


def paced(size: Load) -> None:
    """From a result to the next trial, where the orchestrator is not the bottleneck."""
    found = measure(size, look_on=False)
    print(f"paced: {size.trials:,} trials of {size.seconds:g} s on {size.workers:,} workers")
    _say("rate", f"{found.rate:.0f} trials a second, {size.workers / size.seconds:.0f} at most")
    at_99 = f"{found.wait_ms(0.99):.1f} ms at the 99th percentile"
    _say("result to next trial", f"{found.wait_ms(0.5):.1f} ms median, {at_99}")


def growth(size: Load) -> None:
    """Twice the trials, four times the workers: each figure against the smaller one's."""
    whole = measure(size, look_on=False)
    for name, linear, less in (
        ("half the trials", "2 is linear", Load(size.trials // 2, size.workers, size.seconds)),
        ("a quarter of the workers", "1 is linear", Load(size.trials, size.workers // 4, size.seconds)),
    ):
        small = measure(less, look_on=False)
        print(f"growth: {size.trials:,} trials on {size.workers:,} workers against {name}; {linear}")
        _say("processor's time", f"{whole.processor / small.processor:.2f}")
        _say("memory above start", f"{_above(whole) / _above(small):.2f}")
        _say("journal", f"{whole.journal / small.journal:.2f}")
        _say("recovery", f"{whole.recovery / small.recovery:.2f}")


def _above(found: Measured) -> float:
    return max(1e-9, found.memory - found.memory_at_start)


def asks(most: int) -> None:
    """What EGP-TS takes as values come in."""
    rows = ask_growth([count * most // COUNTS[-1] for count in COUNTS])
    print(f"asks: EGP-TS in {DIMENSION} dimensions, {REPEATS} times in turn at each number of values")
    for row in rows:
        print(
            f"  {row.values:8,} values      ask {row.ask_ms:7.2f} ms   tell {row.tell_ms:6.2f} ms"
            f"   adopting a refit {row.adopt_ms:7.2f} ms"
        )
        print(f"{26 * ' '}a refit, beside {row.refit_s:7.2f} s   a replay {row.replay_s:7.2f} s")
    first = rows[0]
    for row in rows[1:]:
        print(
            f"  {row.values:,} against {first.values:,}: ask {row.ask_ms / first.ask_ms:.2f},"
            f" tell {row.tell_ms / first.tell_ms:.2f}, adopting {row.adopt_ms / first.adopt_ms:.2f},"
            f" refit {row.refit_s / first.refit_s:.2f}, replay {row.replay_s / first.replay_s:.2f}"
        )


def long(size: Load) -> None:
    """What asks took in a run of many trials under EGP-TS, by the clock."""
    found = measure(size, look_on=False)
    print(f"long: {size.trials:,} trials under {size.algorithm} in {size.dimension} dimensions")
    _say("rate", f"{found.rate:.0f} trials a second")
    _say("orchestrator", f"{1e6 / size.trials * found.processor:.0f} µs of a processor a trial")
    _say("memory", f"{found.memory:.0f} MB at most, {found.memory_at_start:.0f} before the first trial")
    _say("journal", f"{1e6 / size.trials * found.journal:.0f} bytes a trial")
    _say("recovery", f"{found.recovery:.2f} s of a processor, without the optimiser's")
    tenth = size.trials // 10
    for start in range(0, size.trials, tenth):
        times = sorted(ask.ms for ask in found.asks if start <= ask.trial < start + tenth)
        if not times:
            continue
        at_99 = times[int(0.99 * (len(times) - 1))]
        figures = f"{statistics.median(times):6.2f} ms median, {at_99:7.2f} ms at the 99th percentile"
        _say(f"ask, from {start:,}", f"{figures}, {times[-1]:7.1f} ms at most")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parts = ("dispatch", "paced", "growth", "asks", "long")
    parser.add_argument("--parts", nargs="+", choices=parts, default=parts)
    parsed = parser.parse_args(arguments)
    share = 10 if parsed.quick else 1
    perform = {
        "dispatch": lambda: dispatch(Load(100_000 // share, 1_000 // share)),
        "paced": lambda: paced(Load(20_000 // share, 1_000 // share, 4.0)),
        "growth": lambda: growth(Load(40_000 // share, 800 // share)),
        "asks": lambda: asks(50_000 // share),
        "long": lambda: long(Load(50_000 // share, 32, 0.05, "egp-ts", 6)),
    }
    for part in parsed.parts:
        perform[part]()
        sys.stdout.flush()


if __name__ == "__main__":
    main()
