"""Signals, once a run has ended, are again what they were before it."""

from __future__ import annotations

import signal

import anyio

from orchestrator.runtime.interrupts import ignore_interrupts, interrupts_as_before

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


async def listen() -> None:
    with anyio.open_signal_receiver(*STOPPING):
        pass


def test_whoever_handled_them_before_a_run_does_so_after_it() -> None:
    def own(*_: object) -> None: ...

    before = {number: signal.signal(number, own) for number in STOPPING}
    try:
        with interrupts_as_before():
            anyio.run(listen)
            ignore_interrupts()
        assert [signal.getsignal(number) for number in STOPPING] == [own] * 3
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
