"""Real worker processes on a scripted orchestrator; everything is gone when a test ends."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, Any

from orchestrator.values.named import Values
from orchestrator.wire.messages import Acknowledge, Evaluate, Failure, Hello, Reject, Result
from orchestrator.wire.scripted import PATIENCE_S, ScriptedOrchestrator

HERE = Path(__file__).parent
MODULES = os.pathsep.join([str(HERE), str(HERE.parents[1])])
"""Of the project that this file is of."""
WORKLOADS = "workloads_for_workers"
BEATS_S = 1.0
"""Soon enough for an orchestrator that comes to be found, so seldom that one that pauses is not missed."""


def eventually(what: Callable[[], object], within_s: float = PATIENCE_S) -> None:
    """Wait until something is true. Fails when it does not become so."""
    deadline = time.monotonic() + within_s
    while not what():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.005)


def evaluate_steps(
    wire: ScriptedOrchestrator,
    trial: int,
    parameters: Values,
    continues: int,
    attempt: int,
    begun: Values | None = None,
) -> str:
    """Have a trial evaluated of which what it takes adds up in its `steps`; the lease. ``begun``: parameters
    of the one that it goes on from, where these are others.
    """
    lease = f"{trial}.{attempt}"
    wire.send(
        Evaluate(
            run=wire.run,
            lease=lease,
            trial=trial,
            attempt=attempt,
            parameters=parameters,
            seed=trial,
            accumulates="steps",
            continues=continues,
            begun=dict(begun or {}),
        )
    )
    return lease


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Lab:
    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.orchestrators: list[ScriptedOrchestrator] = []
        self.workers: list[subprocess.Popen[bytes]] = []

    def orchestrator(self, function: str = "behave", **settings: Any) -> ScriptedOrchestrator:
        evaluator = function if ":" in function else f"{WORKLOADS}:{function}"
        self.orchestrators.append(ScriptedOrchestrator(evaluator, **settings))
        return self.orchestrators[-1]

    def start(
        self,
        address: str,
        *arguments: str,
        name: str = "w",
        stdin: int | IO[bytes] = subprocess.DEVNULL,
        module: str = "evaluators.worker",
        terminal: int | None = None,
        grace_s: float = PATIENCE_S,
    ) -> subprocess.Popen[bytes]:
        """Start a worker; by default it offers `behave` and keeps its files in ``<directory>/<name>``.

        ``terminal`` is the worker's end of one, on which it says what it has to say. ``grace_s`` is short
        only where an evaluation does not end when it is asked to.
        """
        own = None if terminal is None else partial(fcntl.ioctl, terminal, termios.TIOCSCTTY, 0)
        with open(self.directory / f"{name}.log", "ab") as log:
            process = subprocess.Popen(
                [
                    *(sys.executable, "-m", module, "--connect", address, "--name", name),
                    *("--directory", str(self.directory / name), "--grace", f"{grace_s:g}"),
                    *(arguments or ("--evaluator", f"{WORKLOADS}:behave")),
                ],
                env={**os.environ, "PYTHONPATH": MODULES},
                stdin=stdin,
                stderr=log if terminal is None else terminal,
                cwd=self.directory,
                start_new_session=terminal is not None,
                preexec_fn=own,  # noqa: PLW1509  # no thread of a test holds anything that it needs
            )
        self.workers.append(process)
        return process

    def said(self, name: str = "w") -> str:
        """What a worker said on standard error."""
        return (self.directory / f"{name}.log").read_text()

    def trial_file(self, trial: int, name: str, worker: str = "w", run: str = "run-1") -> Path:
        return self.directory / worker / "trials" / run / f"{trial:04d}" / name

    def close(self) -> None:
        for worker in self.workers:
            worker.kill()
            worker.wait()
        for orchestrator in self.orchestrators:
            orchestrator.close()


def in_the_place_of(
    before: ScriptedOrchestrator, lab: Lab, run: str, **options: float
) -> ScriptedOrchestrator:
    """Another orchestrator at the address of one that ends, which has welcomed the worker of that one."""
    before.close()
    evaluator = before.assignment.evaluator
    wire = lab.orchestrator(evaluator, run=run, address=before.address, heartbeat_s=BEATS_S, options=options)
    while not isinstance(message := wire.receive(), Hello):
        assert message is not None
        wire.send(Reject(code="hello", reason="who are you?"))
    assert message.run == before.assignment.run, "the run that its leases are of"
    wire.send(wire.assignment)
    return wire


def outcome(wire: ScriptedOrchestrator, lease: str) -> Result | Failure:
    """The next outcome, of this lease, acknowledged."""
    message = wire.expect(Result, Failure)
    assert isinstance(message, Result | Failure)
    assert message.lease == lease
    wire.send(Acknowledge(lease=lease))
    return message


def result(wire: ScriptedOrchestrator, lease: str) -> Result:
    message = outcome(wire, lease)
    assert isinstance(message, Result), message
    return message


def failure(wire: ScriptedOrchestrator, lease: str) -> Failure:
    message = outcome(wire, lease)
    assert isinstance(message, Failure), message
    return message
