"""Local workers that end by themselves are started anew, as long as that makes sense."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.abc import Process

from orchestrator.runtime import local_workers
from orchestrator.runtime.local_workers import QUICK_DEATHS_ALLOWED, UNUSABLE, LocalWorkers
from orchestrator.runtime.monitor import Level


@dataclass(frozen=True)
class EndsAtOnce:
    """The command of a worker that does nothing but end, with an exit code."""

    code: int
    started: list[str] = field(default_factory=list)

    def environment(self, count: int) -> dict[str, str]:
        del count
        return {}

    def arguments(self, name: str) -> list[str]:
        self.started.append(name)
        return [sys.executable, "-S", "-c", f"raise SystemExit({self.code})"]


class Waits(EndsAtOnce):
    """That of one which ends when its standard input does."""

    def __init__(self) -> None:
        super().__init__(0)

    def arguments(self, name: str) -> list[str]:
        del name
        return [sys.executable, "-S", "-c", "import sys; sys.stdin.read()"]


def kept_alive(command: EndsAtOnce, count: int, log: Path, until: int) -> list[tuple[Level, str]]:
    """What is said of so many of them, until so many are given up."""
    said: list[tuple[Level, str]] = []
    workers = LocalWorkers(command, count, lambda *note: said.append(note))  # type: ignore[arg-type]

    async def keep() -> None:
        with log.open("ab") as file, anyio.fail_after(120.0):
            async with anyio.create_task_group() as tasks:
                workers.start(tasks, file)
                while sum("is given up" in sentence for _, sentence in said) < until:
                    assert not workers.all_given_up
                    await anyio.sleep(0.01)
                assert workers.all_given_up
            await workers.end()

    anyio.run(keep)
    return said


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    # However slow the machine is, it ended quickly.
    monkeypatch.setattr(local_workers, "QUICK_DEATH_S", 1e9)


def test_one_that_ends_at_once_again_and_again_is_given_up(tmp_path: Path) -> None:
    command = EndsAtOnce(3)
    said = kept_alive(command, 1, tmp_path / "log", until=1)
    assert command.started == ["local-1"] * QUICK_DEATHS_ALLOWED
    assert said == [
        *[("warning", "local-1 ended (exit code 3); it is started anew")] * (QUICK_DEATHS_ALLOWED - 1),
        ("error", "local-1 is given up (exit code 3); see run.log"),
    ]


def test_those_that_cannot_use_their_evaluator_are_given_up_the_first_time(tmp_path: Path) -> None:
    command = EndsAtOnce(UNUSABLE)
    kept_alive(command, 2, tmp_path / "log", until=2)
    assert sorted(command.started) == ["local-1", "local-2"]


def test_one_whose_command_line_cannot_be_written_here_is_given_up_and_says_why(tmp_path: Path) -> None:
    class Unwritable(EndsAtOnce):
        def arguments(self, name: str) -> list[str]:
            return [*super().arguments(name), "--each=ARM=\ud800"]

    (said,) = kept_alive(Unwritable(0), 1, tmp_path / "log", until=1)
    assert said == (
        "error",
        "local-1 is given up: expected a command line that utf-8 can hold, got '--each=ARM=\\ud800'; start"
        " the run with LC_ALL=C.UTF-8",
    )


def test_one_that_is_being_started_when_all_are_ended_is_ended_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, started = anyio.open_process, list[Process]()
    one_is_left, until_the_end = anyio.Event(), anyio.Event()

    async def late(command: Sequence[str], **options: Any) -> Process:
        process = await opened(command, **options)
        started.append(process)
        if len(started) == 2:
            one_is_left.set()
            await until_the_end.wait()
        return process

    async def run() -> None:
        with (tmp_path / "log").open("ab") as file, anyio.fail_after(120.0):
            workers = LocalWorkers(Waits(), 2, lambda *_: None)  # type: ignore[arg-type]
            async with anyio.create_task_group() as tasks:
                workers.start(tasks, file)
                await one_is_left.wait()
                assert [workers.started(process.pid) for process in started] == [True, False]
                until_the_end.set()
                await workers.end()
                tasks.cancel_scope.cancel()
            assert [process.returncode is None for process in started] == [False, False]

    monkeypatch.setattr(anyio, "open_process", late)
    anyio.run(run)
