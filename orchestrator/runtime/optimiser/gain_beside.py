"""What is left to gain by one algorithm's account, estimated beside everything else."""

from __future__ import annotations

import time
from collections.abc import Callable

from orchestrator.algorithms.base import Algorithm, ForeseesGain
from orchestrator.runtime.optimiser.forked_refit import ForkedGain
from orchestrator.runtime.optimiser.messages import GainEstimated, GainFailed, Reply


class GainBeside:
    """From one beginning of the optimiser to the next; ``model`` counts those before. ``send`` takes replies.

    Attributes:
        wanted: the refit by which it is to be said, once nothing else is being estimated; None where none is.
    """

    def __init__(self, algorithm: Algorithm, model: int, send: Callable[[Reply], None]) -> None:
        self._algorithm = algorithm
        self._model = model
        self._send = send
        self._running: ForkedGain | None = None
        self.wanted: int | None = None

    @property
    def descriptors(self) -> list[int]:
        """What to wait for, to `proceed` then: none while nothing is estimated."""
        return [] if self._running is None else [self._running.descriptor]

    def start_if_wanted(self) -> None:
        """Begin what is wanted, unless something is being estimated."""
        if self._running is not None or self.wanted is None:
            return
        wanted, self.wanted = self.wanted, None
        if isinstance(self._algorithm, ForeseesGain):
            try:
                self._running = ForkedGain.start(self._algorithm, wanted)
            except OSError as error:
                self._send(GainFailed(wanted, f"no process for it: {error.strerror}"))

    def proceed(self) -> None:
        """The copy has written something, or ended."""
        assert self._running is not None
        if not self._running.advance():
            return
        ended, self._running = self._running, None
        gain, error = ended.outcome()
        if gain is not None:
            seconds = time.monotonic() - ended.begun
            self._send(GainEstimated(ended.number, gain.observations, gain.draws, seconds, self._model))
        elif error:
            self._send(GainFailed(ended.number, error))

    def kill(self) -> None:
        """Nobody wants what is being estimated."""
        if self._running is not None:
            self._running.kill()
            self._running = None
