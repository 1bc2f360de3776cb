"""Signals, once a run has ended, are again what they were before it."""

from __future__ import annotations

import asyncio
import signal

import anyio

from orchestrator.runtime.interrupts import STOPPING, StopSignals, interrupts_as_before


async def stop_on_the_second() -> list[int]:
    with StopSignals() as signals:
        signal.raise_signal(signal.SIGTERM)
        first = await signals.next()
        asyncio.get_running_loop().call_later(0.0, signal.raise_signal, signal.SIGINT)
        return [first, await signals.next()]


def test_whoever_handled_them_before_a_run_does_so_after_it() -> None:
    def own(*_: object) -> None: ...

    before = {number: signal.signal(number, own) for number in STOPPING}
    try:
        with interrupts_as_before():
            assert anyio.run(stop_on_the_second) == [signal.SIGTERM, signal.SIGINT]
            assert [signal.getsignal(number) for number in STOPPING] == [signal.SIG_IGN] * len(STOPPING)
        assert [signal.getsignal(number) for number in STOPPING] == [own] * len(STOPPING)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
