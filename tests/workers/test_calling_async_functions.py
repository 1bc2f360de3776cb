"""Evaluators that are `async def`: awaited, in one event loop from the first evaluation to the last."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from evaluators.child_process.calling import Call, load_evaluator
from evaluators.context import Context
from evaluators.errors import EvaluationError

CONTEXT = Context(trial=1, attempt=1, seed=5, options={}, directory=Path("unused"), report=lambda *_: None)


class Connection:
    """Answers from a task of its own, which lives on between evaluations."""

    def __init__(self) -> None:
        self.asked: asyncio.Queue[tuple[float, asyncio.Future[float]]] = asyncio.Queue()
        self.answers = asyncio.create_task(self._answer())

    async def _answer(self) -> None:
        while True:
            number, answer = await self.asked.get()
            answer.set_result(2.0 * number)

    async def ask(self, number: float) -> float:
        answer = asyncio.get_running_loop().create_future()
        await self.asked.put((number, answer))
        return await answer


opened: list[Connection] = []


async def doubled(parameters: dict[str, Any], *, offset: float = 0.0, context: Context) -> dict[str, Any]:
    if not opened:
        opened.append(Connection())
    return {"value": await opened[0].ask(parameters["x"]) + offset, "seed": context.seed}


def decorated(parameters: dict[str, Any]) -> object:
    return doubled(parameters, offset=1.0, context=CONTEXT)


async def cancelled(parameters: dict[str, Any]) -> float:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await asyncio.sleep(0)
    return 1.0


async def failing(parameters: dict[str, Any]) -> float:
    await asyncio.sleep(0)
    raise ZeroDivisionError("by 0")


async def left(parameters: dict[str, Any]) -> float:
    asyncio.get_running_loop().call_soon(sys.exit, 3)
    try:
        await asyncio.Event().wait()
    finally:
        await asyncio.sleep(0)
        parked.append(parameters)
    return 1.0


parked: list[dict[str, Any]] = []


def _loaded(function: str, **options: Any) -> Call:
    return load_evaluator(f"{__name__}:{function}", options)


def test_what_one_evaluation_opened_is_there_for_the_next() -> None:
    opened.clear()
    call = _loaded("doubled", offset=0.5)
    assert [call({"x": x}, CONTEXT) for x in (1.0, 2.0)] == [
        {"value": 2.5, "seed": 5},
        {"value": 4.5, "seed": 5},
    ]


def test_so_is_what_a_plain_function_returns_that_is_to_be_awaited() -> None:
    opened.clear()
    assert _loaded("decorated")({"x": 1.0}, CONTEXT) == {"value": 3.0, "seed": 5}


def test_what_it_raises_is_raised_and_to_be_cancelled_is_an_error_of_one_evaluation() -> None:
    with pytest.raises(ZeroDivisionError, match="by 0"):
        _loaded("failing")({}, CONTEXT)
    call = _loaded("cancelled")
    for _ in range(2):
        with pytest.raises(EvaluationError, match="was cancelled; expected it to return a value"):
            call({}, CONTEXT)


def test_an_exit_from_elsewhere_as_of_a_signal_lets_it_put_things_in_order_first() -> None:
    with pytest.raises(SystemExit):
        _loaded("left")({"x": 1.0}, CONTEXT)
    assert parked == [{"x": 1.0}]
