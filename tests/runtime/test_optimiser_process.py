"""The optimiser's process as the loop has it: what it is told, in which order, and by whom."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from anyio.abc import Process
from run_lab import PATIENCE_S, eventually

from orchestrator.runtime.optimiser import messages
from orchestrator.runtime.optimiser.messages import Request, decode_request, encode_request
from orchestrator.runtime.optimiser.process import OptimiserProcess
from orchestrator.runtime.recovery.recover import OptimiserHistory
from orchestrator.scheduler.commands import Tell

ANSWERS_AND_DIES = """\
import sys
lives, answered = sys.argv[1:]
with open(lives, "ab", 0) as file:
    file.write(b"+")
sys.stdout.write(answered.replace("LIFE", str(len(open(lives).read()))) + "\\n")
sys.exit(3)
"""
NOTES_WHAT_IT_IS_TOLD = "import sys; open(sys.argv[1], 'wb', 0).writelines(sys.stdin.buffer)"


def tell(trial: int) -> Tell:
    return Tell(trial=trial, parameters={"x": 0.5}, value=1.0)


def test_a_history_is_told_first_and_written_out_beside_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long one takes long, in which no worker would be heard; what happens meanwhile comes after it."""
    (told := tmp_path / "told").touch()
    opened = anyio.open_process
    encoded_by: dict[int, threading.Thread] = {}
    encoding_begun = threading.Event()
    the_loop_has_gone_on = threading.Event()

    async def standing_in(command: Sequence[str], **options: Any) -> Process:
        del command
        return await opened([sys.executable, "-c", NOTES_WHAT_IT_IS_TOLD, str(told)], **options)

    def encoding(request: Request) -> bytes:
        if isinstance(request, Tell):
            encoded_by[request.trial] = threading.current_thread()
            if request.trial == 1:
                encoding_begun.set()
                the_loop_has_gone_on.wait(5.0)
        return encode_request(request)

    monkeypatch.setattr(anyio, "open_process", standing_in)
    monkeypatch.setattr(messages, "encode_request", encoding)
    optimiser = OptimiserProcess(
        lambda: tmp_path,
        OptimiserHistory([tell(1), tell(2)]),
        on_reply=lambda _: None,
        on_note=lambda _: None,
        on_failure=lambda _: None,
    )

    async def live() -> None:
        with (tmp_path / "log").open("wb") as log:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(optimiser.run, log)
                await anyio.to_thread.run_sync(encoding_begun.wait, PATIENCE_S)
                optimiser.send([tell(3)])
                the_loop_has_gone_on.set()
                await anyio.to_thread.run_sync(eventually, lambda: told.read_bytes().count(b"\n") == 4)
                tasks.cancel_scope.cancel()

    anyio.run(live)
    requests = [decode_request(line) for line in told.read_bytes().splitlines()]
    assert [one.trial for one in requests if isinstance(one, Tell)] == [1, 2, 3]
    assert threading.current_thread() not in (encoded_by[1], encoded_by[2])


def lives_before_it_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, answers: str) -> int:
    """Of a process that answers an ask, and dies, again and again; at most eight."""
    (lives := tmp_path / "lives").touch()
    answer = f'{{"type":"answer","ask":{answers},"suggestions":[],"seconds":0.1,"insight":{{}}}}'
    opened = anyio.open_process
    failed: list[str] = []

    async def standing_in(command: Sequence[str], **options: Any) -> Process:
        del command
        if len(lives.read_text()) == 8:
            await anyio.sleep_forever()
        return await opened([sys.executable, "-c", ANSWERS_AND_DIES, str(lives), answer], **options)

    monkeypatch.setattr(anyio, "open_process", standing_in)
    optimiser = OptimiserProcess(
        lambda: tmp_path,
        OptimiserHistory([]),
        on_reply=lambda _: None,
        on_note=lambda _: None,
        on_failure=failed.append,
    )

    async def live() -> None:
        with (tmp_path / "log").open("wb") as log:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(optimiser.run, log)
                await anyio.to_thread.run_sync(eventually, lambda: failed or len(lives.read_text()) == 8)
                tasks.cancel_scope.cancel()

    anyio.run(live)
    return len(lives.read_text())


def test_one_that_dies_after_the_same_answer_again_and_again_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where what it answered was overtaken, so that nothing came of it."""
    assert lives_before_it_is_given_up(tmp_path, monkeypatch, answers="7") == 4


def test_one_that_answers_something_new_each_time_is_started_anew_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lives_before_it_is_given_up(tmp_path, monkeypatch, answers="LIFE") == 8
