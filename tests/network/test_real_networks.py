"""Runs whose workers are behind a real network: slow, lossy, cut, walled. Nothing is lost in any of them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from run_lab import IMPATIENT, MODULES, checked, eventually, spec
from wires import Link, Side, why_not

from orchestrator.runtime.connections.keyring import Keyring
from orchestrator.runtime.folder.journal import JournalReader
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.events import Event, ResultArrived, WorkerJoined, WorkerLeft
from orchestrator.scheduler.state import State

RUNTIME = Path(__file__).parent.parent / "runtime"
PORT = 5555
REFUSAL = why_not()
pytestmark = pytest.mark.skipif(bool(REFUSAL), reason=REFUSAL)


class Site:
    """An orchestrator on one side of a link and workers on the other, each with its key."""

    def __init__(
        self, directory: Path, link: Link, *, trials: int, evaluator: str = "slow", **options: object
    ) -> None:
        self.directory = directory
        self.link = link
        self.ring = Keyring(directory / "keys")
        keys = {name: self.ring.new_worker(name) for name in ("ada", "bea")}
        whole = spec(
            evaluator,
            options=options,
            workers={"local": 0, "listen": f"tcp://{link.lab.address}:{PORT}", "keys": str(self.ring.path)},
            budget={"trials": trials},
        )
        (directory / "spec.yaml").write_text(yaml.safe_dump(whole, sort_keys=False))
        self.processes: list[subprocess.Popen[str]] = []
        self.orchestrator = self._start(
            link.lab,
            str(RUNTIME / "drive_run.py"),
            *("run", "spec.yaml", str(directory / "logs"), json.dumps(IMPATIENT)),
        )
        assert self.orchestrator.stdout is not None
        line = self.orchestrator.stdout.readline()
        assert line, (directory / "said-0.txt").read_text()
        self.folder = RunFolder(Path(json.loads(line)["folder"]))
        self._reader = JournalReader(self.folder.journal)
        self._events: list[Event] = []
        for name, key in keys.items():
            self._start(
                link.field_,
                *("-m", "evaluators.worker", "--connect", f"tcp://{link.lab.address}:{PORT}"),
                *("--name", name, "--directory", str(directory / name), "--key", str(key)),
                *("--evaluator", f"workloads_for_runs:{evaluator}"),
            )

    def _start(self, side: Side, *arguments: str) -> subprocess.Popen[str]:
        with (self.directory / f"said-{len(self.processes)}.txt").open("w") as said:
            process = subprocess.Popen(
                side.command(sys.executable, *arguments),
                cwd=self.directory,
                env={**os.environ, "PYTHONPATH": MODULES},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if not self.processes else said,
                stderr=said,
                text=True,
            )
        self.processes.append(process)
        return process

    def of(self, kind: type[Event]) -> list[Event]:
        self._events.extend(self._reader)
        return [event for event in self._events if isinstance(event, kind)]

    def await_events(self, kind: type[Event], count: int) -> None:
        eventually(lambda: len(self.of(kind)) >= count, why=self.said)

    def said(self) -> str:
        return "\n".join(path.read_text() for path in sorted(self.directory.glob("said-*.txt")))

    def ends(self) -> State:
        assert self.orchestrator.wait(120) == 0, self.said()
        return checked(self.folder)

    def close(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + 10
        for process in self.processes:
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdout is not None:
                process.stdout.close()


@pytest.fixture
def link() -> Iterator[Link]:
    with Link() as link:
        yield link


def each_once(site: Site, state: State, trials: int) -> None:
    """Every trial has its value, and no value counted twice."""
    assert (state.tally.completed, state.tally.failed, state.tally.abandoned) == (trials, 0, 0)
    assert len(site.of(ResultArrived)) - state.tally.late == trials


def test_over_a_slow_and_lossy_network_nothing_is_lost(tmp_path: Path, link: Link) -> None:
    link.delay_s, link.loss = 0.08, 0.05
    site = Site(tmp_path, link, seconds=0.05, trials=12)
    try:
        each_once(site, site.ends(), 12)
        assert link.dropped > 0
    finally:
        site.close()


def test_a_link_cut_for_longer_than_patience_lasts_costs_time_and_nothing_else(
    tmp_path: Path, link: Link
) -> None:
    gate = tmp_path / "gate"
    gate.mkdir()
    site = Site(tmp_path, link, trials=10, evaluator="gated", folder=str(gate))
    try:
        for trial in (1, 2, 3):
            (gate / f"open-{trial}").touch()
        site.await_events(ResultArrived, 3)
        # One alone may do these three before the other is there.
        site.await_events(WorkerJoined, 2)
        link.cut = True
        for trial in (4, 5):
            (gate / f"open-{trial}").touch()
        site.await_events(WorkerLeft, 2)
        link.cut = False
        # What was lost is sent again after ever longer waits: one may be back long before the other.
        site.await_events(WorkerJoined, 4)
        (gate / "open").touch()
        each_once(site, site.ends(), 10)
        assert link.dropped > 0
    finally:
        site.close()


@pytest.mark.long
def test_what_takes_longer_than_anybody_bears_silence_comes_all_the_same(tmp_path: Path, link: Link) -> None:
    """As a result of 120 kB at 64 kbit/s, which takes 15 s, where who is silent for 12 s is given up."""
    link.rate, link.delay_s = 12_000.0, 0.03
    site = Site(tmp_path, link, trials=2, evaluator="voluminous", numbers=3_000, table="x" * 20_000)
    try:
        each_once(site, site.ends(), 2)
        assert site.folder.journal.stat().st_size > 100_000
    finally:
        site.close()


def test_a_link_that_flickers_is_not_noticed_by_the_trials(tmp_path: Path, link: Link) -> None:
    site = Site(tmp_path, link, seconds=0.2, trials=10)
    try:
        for results in (1, 3, 5):
            site.await_events(ResultArrived, results)
            link.cut = True
            time.sleep(0.4)
            link.cut = False
        each_once(site, site.ends(), 10)
    finally:
        site.close()


def test_a_worker_that_may_only_dial_out_works(tmp_path: Path, link: Link) -> None:
    link.walled = True
    site = Site(tmp_path, link, seconds=0.05, trials=6)
    try:
        each_once(site, site.ends(), 6)
        # The wall is one: whoever dials the worker's side does not get through.
        dial = f"import socket; socket.create_connection(('{link.field_.address}', 9), timeout=0.5)"
        tried = subprocess.run(
            link.lab.command(sys.executable, "-c", dial), capture_output=True, text=True, check=False
        )
        assert "TimeoutError" in tried.stderr
        assert link.refused_at_the_wall > 0
    finally:
        site.close()
