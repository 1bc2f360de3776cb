"""A whole search of an `async def` function: who awaits it, how many at a time, and how it ends."""

import asyncio
import functools
import gc
import signal
import sys
import threading
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from orchestrator import minimise
from orchestrator.errors import UsageError

BOX = {"x": (0.0, 1.0)}


async def bowl(parameters):
    await asyncio.sleep(0)
    return (parameters["x"] - 0.3) ** 2


class Instrument:
    """Is open in one event loop, as a connection is."""

    def __init__(self):
        self.loop = None
        self.ended = []

    async def measure(self, parameters):
        self.loop = self.loop or asyncio.get_running_loop()
        assert self.loop is asyncio.get_running_loop()
        return await bowl(parameters)

    async def __call__(self, parameters):
        return await self.measure(parameters)

    async def hangs(self, parameters):
        if len(self.ended) < 2:
            self.ended.append("measured")
            return await self.measure(parameters)
        threading.Timer(0.05, self.interrupt).start()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            self.ended.append("parked")

    @staticmethod
    def interrupt():
        # Nothing but the search knows of what hangs.
        gc.collect()
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)


@pytest.mark.parametrize(
    "written",
    [
        bowl,
        Instrument(),
        Instrument().measure,
        functools.partial(Instrument.measure, Instrument()),
        lambda parameters: Instrument().measure(parameters),
    ],
    ids=["function", "callable", "method", "partial", "lambda"],
)
def test_it_is_awaited_in_one_event_loop_however_it_is_written(written):
    found = minimise(written, BOX, 6, algorithm="sobol")
    assert len(found.results()) == 6
    assert found.best().value == (found.best().parameters["x"] - 0.3) ** 2


def test_several_are_awaited_at_a_time_without_an_executor():
    async def waits_for_two_others(parameters):
        arrived.append(parameters)
        if len(arrived) % 3 == 0:
            (gate.pop() if gate else asyncio.Event()).set()
        else:
            gate[:] = gate or [asyncio.Event()]
            await asyncio.wait_for(gate[0].wait(), 300)
        return parameters["x"]

    arrived, gate = [], []
    found = minimise(waits_for_two_others, BOX, 9, parallel=3, algorithm="random")
    assert found.plan.parallel == 3
    assert len(found.results()) == 9


def test_an_event_loop_that_runs_already_as_in_a_notebook_is_left_alone():
    async def cell():
        return minimise(bowl, BOX, 4, algorithm="random")

    assert len(asyncio.run(cell()).results()) == 4


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_an_executor_s_threads_and_processes_await_it_too(kind):
    with kind(2) as hands:
        found = minimise(bowl, BOX, 6, executor=hands, algorithm="random")
    assert len(found.results()) == 6


class Fragile:
    """Fails in three ways, but for the first time it is called: before, what it raises is raised."""

    def __init__(self):
        self.called = 0

    async def measure(self, parameters):
        self.called += 1
        await bowl(parameters)
        match self.called:
            case 2:
                raise ZeroDivisionError("by 0")
            case 3:
                sys.exit(2)
            case 4:
                asyncio.current_task().cancel()
                await asyncio.sleep(0)
        return 1.0


@pytest.mark.parametrize("threads", [None, 1])
def test_what_it_raises_is_a_trial_that_failed_and_ends_no_other(threads):
    executor = threads and ThreadPoolExecutor(threads)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        found = minimise(Fragile().measure, BOX, 6, executor=executor, algorithm="random")
    said = [str(one.message) for one in warned if one.category is RuntimeWarning]
    assert said == [
        "trial 2 failed: ZeroDivisionError: by 0",
        "trial 3 failed: UsageError: the function ended with sys.exit(2), and gave no value",
        "trial 4 failed: UsageError: the function was cancelled, and gave no value",
    ]
    assert [row["state"] for row in found.results()] == ["completed", *["failed"] * 3, *["completed"] * 2]


def test_an_interrupt_cancels_what_runs_and_waits_until_it_has_put_things_in_order(caplog):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    instrument = Instrument()
    try:
        with pytest.warns(RuntimeWarning, match="interrupted after 2 of 9 trials"):
            found = minimise(instrument.hangs, BOX, 9, algorithm="random")
    finally:
        signal.signal(signal.SIGINT, before)
    assert instrument.ended == ["measured", "measured", "parked"]
    assert caplog.messages == []
    assert len(found.results()) == 2
    assert found.pending == ()


def test_what_is_not_async_has_an_executor_to_run_several_at_a_time():
    with pytest.raises(UsageError, match=r"expected an executor .*, or an `async def` function, got neither"):
        minimise(lambda p: bowl(p) if p else None, BOX, 5, parallel=2)
