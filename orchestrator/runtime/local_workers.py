"""The workers that a run brings along: started with it, started anew when they die, ended with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import anyio
import msgspec
from anyio.abc import Process, TaskGroup

from orchestrator.runtime.monitor import Level
from orchestrator.runtime.threads import environment_for
from orchestrator.spec.sections.workers import local_name
from orchestrator.system.exit_words import exit_words
from orchestrator.system.refused_start import START_AGAIN_AFTER_S, could_not_be_started
from orchestrator.wire.credentials import KEY_VARIABLE, Credentials

QUICK_DEATH_S = 5.0
QUICK_DEATHS_ALLOWED = 5
UNUSABLE = 2
"""The exit code of a worker for which it makes no sense to go on: its evaluator cannot be used."""
SECONDS_TO_END = 5.0


@dataclass(frozen=True, slots=True)
class WorkerCommand:
    """How local workers are started: the address they dial, what they offer, where they write.

    ``own`` is what the evaluations of each have of their own, by the worker's name: environment variables,
    each with a value for every one of its ``slots``.
    ``credentials`` are what they prove themselves with, where there are keys; they get them in their
    environment, which no other user of the machine can read.
    """

    address: str
    evaluator: str
    directory: Path
    own: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    credentials: Credentials | None = None
    slots: int = 1

    def environment(self, count: int) -> dict[str, str]:
        """The environment of one of ``count`` of them; cores are shared among all their slots."""
        key = (
            {} if self.credentials is None else {KEY_VARIABLE: msgspec.json.encode(self.credentials).decode()}
        )
        return {**environment_for(count * self.slots), **key}

    def arguments(self, name: str) -> list[str]:
        """The command line of one of them."""
        return [
            sys.executable,
            "-P",
            "-m",
            "evaluators.worker",
            *("--connect", self.address),
            *("--evaluator", self.evaluator),
            *("--name", name),
            *([] if self.slots == 1 else ["--slots", str(self.slots)]),
            *(
                f"--each={variable}={value}"
                for variable, values in self.own.get(name, {}).items()
                for value in values
            ),
            *("--directory", str(self.directory / name)),
            *("--trials", str(self.directory.parent / "trials"), "--one-run"),
            "--exit-with-parent",
        ]


@dataclass(slots=True)
class LocalWorkers:
    """``count`` processes. Their standard input is held open: they end when it closes, even by our death.

    ``note`` takes sentences for people, each with how grave it is.
    """

    command: WorkerCommand
    count: int
    note: Callable[[Level, str], None]
    _given_up: int = field(init=False, default=0)
    _processes: dict[str, Process] = field(init=False, default_factory=dict)
    _ending: bool = field(init=False, default=False)

    @property
    def all_given_up(self) -> bool:
        """Whether there were some, and none of them is worth starting any more."""
        return 0 < self.count == self._given_up

    def started(self, pid: int) -> bool:
        """Whether the process with this number is one of them."""
        return any(process.pid == pid for process in self._processes.values())

    def start(self, tasks: TaskGroup, log: BinaryIO) -> None:
        """Start them all; what they print goes to ``log``."""
        for number in range(1, self.count + 1):
            tasks.start_soon(self._keep_alive, local_name(number), log)

    async def _keep_alive(self, name: str, log: BinaryIO) -> None:
        quick_deaths = 0
        refused = False
        while not self._ending:
            begun = anyio.current_time()
            try:
                process = await anyio.open_process(
                    self.command.arguments(name),
                    stdin=subprocess.PIPE,
                    stdout=log,
                    stderr=log,
                    env=self.command.environment(self.count),
                    start_new_session=True,
                )
            except UnicodeEncodeError as error:
                self.note(
                    "error",
                    f"{name} is given up: expected a command line that {error.encoding} can hold, got "
                    f"{error.object[:100]!a}; start the run with LC_ALL=C.UTF-8",
                )
                self._given_up += 1
                return
            except OSError as error:
                if not refused:
                    refused = True
                    self.note("warning", could_not_be_started(name, error))
                await anyio.sleep(START_AGAIN_AFTER_S)
                continue
            refused = False
            self._processes[name] = process
            if self._ending:
                # All were ended while it was being started.
                await _ended([process])
                return
            code = await process.wait()
            if self._ending:
                return
            quick_deaths = quick_deaths + 1 if anyio.current_time() - begun < QUICK_DEATH_S else 0
            if code == UNUSABLE or quick_deaths >= QUICK_DEATHS_ALLOWED:
                self.note("error", f"{name} is given up ({exit_words(code)}); see run.log")
                self._given_up += 1
                return
            self.note("warning", f"{name} ended ({exit_words(code)}); it is started anew")
            await anyio.sleep(0.2 * quick_deaths)

    async def end(self) -> None:
        """End them all, in bounded time."""
        self._ending = True
        await _ended(list(self._processes.values()))


async def _ended(processes: Sequence[Process]) -> None:
    """Close their input, then insist."""
    with anyio.CancelScope(shield=True):
        for process in processes:
            if process.stdin is not None:
                with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
                    await process.stdin.aclose()
        with anyio.move_on_after(SECONDS_TO_END):
            for process in processes:
                await process.wait()
        for process in processes:
            if process.returncode is None:
                # macOS says that one may not signal a group all of which has ended.
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                with anyio.move_on_after(1.0):
                    await process.wait()
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
                await process.aclose()
