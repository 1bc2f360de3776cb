"""The refits of one algorithm, computed beside everything else, each adopted when the runtime says so."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace

from orchestrator.algorithms.base import Algorithm, Refit
from orchestrator.runtime.optimiser.forked_refit import ForkedRefit, refit_without_copy
from orchestrator.runtime.optimiser.messages import RefitBegun, RefitDone, RefitFailed, Reply
from orchestrator.scheduler.commands import AdoptRefit

RETRY_A_FAILED_REFIT_AFTER = 10
"""Observations; or one, where a later life, which knows of no failure, is to do as this one."""


class RefitsBeside:
    """From one beginning of the optimiser to the next; ``model`` counts those before. ``send`` takes replies.

    ``awaited``: asks wait for what is due, so that it is computed without a copy where none is to be had.
    ``told`` is how many observations the algorithm was told by then, throughout.
    """

    def __init__(
        self, algorithm: Algorithm, model: int, send: Callable[[Reply], None], *, awaited: bool
    ) -> None:
        self._algorithm = algorithm
        self._model = model
        self._send = send
        self._awaited = awaited
        self._running: ForkedRefit | None = None
        self._adopted = 0
        self._none_before = 0
        # The last that was computed here; it may wait to be adopted still.
        self._computed: Refit | None = None

    @property
    def descriptors(self) -> list[int]:
        """What to wait for, to `proceed` then: none while nothing is computed."""
        return [] if self._running is None else [self._running.descriptor]

    def due(self, told: int) -> int | None:
        """The number of the refit that is due, and will soon be there to be adopted; None where none is."""
        number = self._algorithm.refit_due()
        return None if number is None or number <= self._adopted or told < self._none_before else number

    def start_if_due(self, told: int) -> None:
        """Begin what is due, unless it is being computed, or is."""
        if self._running is not None or (number := self.due(told)) is None:
            return
        if self._computed is not None and self._computed.number == number:
            return
        self._send(RefitBegun(number, told))
        try:
            self._running = ForkedRefit.start(self._algorithm, number)
        except OSError as error:
            self._without_copy(number, told, f"no process for it: {error.strerror}", time.monotonic())

    def proceed(self, told: int) -> None:
        """The copy has written something, or ended."""
        assert self._running is not None
        if not self._running.advance():
            return
        ended, self._running = self._running, None
        refit, error = ended.outcome()
        if refit is not None:
            self._done(refit, ended.begun)
        elif ended.killed:
            self._without_copy(ended.number, told, error, ended.begun)
        else:
            self._failed(ended.number, told, error)

    def adopt(self, command: AdoptRefit) -> None:
        """Have the algorithm adopt a refit, with what was prepared for it, if it was computed here."""
        self._adopted = max(self._adopted, command.number)
        if self._running is not None and self._running.number <= command.number:
            # What was read of a history ended before this, and just where a line does.
            self.kill()
        refit = Refit(command.number, command.observations, command.payload)
        if self._computed is not None and self._computed.number <= command.number:
            computed, self._computed = self._computed, None
            if replace(computed, prepared={}) == refit:
                refit = computed
        self._algorithm.adopt(refit)

    def kill(self) -> None:
        """Nobody wants what is being computed."""
        if self._running is not None:
            self._running.kill()
            self._running = None

    def _without_copy(self, number: int, told: int, why: str, begun: float) -> None:
        """Compute a refit whose copy was not to be had, if that holds up no more than an ask that waits.

        Or that ask, and so the run, would depend on what else the machine was at.
        """
        if not self._awaited:
            self._failed(number, told, why)
            return
        print(f"refit {number}: {why}; it is computed without a copy", file=sys.stderr, flush=True)
        refit, error = refit_without_copy(self._algorithm, number)
        if refit is None:
            self._failed(number, told, error)
        else:
            self._done(refit, begun)

    def _done(self, refit: Refit, begun: float) -> None:
        self._computed = refit
        seconds = time.monotonic() - begun
        self._send(RefitDone(refit.number, refit.observations, refit.payload, seconds, self._model))

    def _failed(self, number: int, told: int, why: str) -> None:
        self._none_before = told + (1 if self._awaited else RETRY_A_FAILED_REFIT_AFTER)
        self._send(RefitFailed(number, why))
