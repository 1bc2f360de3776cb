"""SIGTERM to the optimiser's process: who sends it waits for no computation, but for what must be let go."""

from __future__ import annotations

import signal
import sys


class Termination:
    """An end that cannot wait for what is being computed has its nodes let go all the same; one that comes
    while there is no server yet, once there is one.
    """

    def __init__(self) -> None:
        self._begun = False
        self._came = False

    def __call__(self, number: int, frame: object) -> None:
        """SIGTERM came."""
        del frame
        self._came = True
        if self._begun:
            sys.exit(128 + number)

    def begin(self) -> None:
        """There is a server."""
        self._begun = True
        if self._came:
            sys.exit(128 + signal.SIGTERM)
