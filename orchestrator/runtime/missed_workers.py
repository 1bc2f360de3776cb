"""What is said while a run waits for workers and none is connected: a queue may hold their jobs for days, and
they may have ended as soon as they began.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase

HOUR_S = 3_600.0


def _moments() -> Iterator[tuple[float, str]]:
    """Seconds, and how long that is: seldom, as the run waits for as long as it takes."""
    yield from (
        (HOUR_S / 6.0, "10 min"),
        (HOUR_S, "an hour"),
        (6.0 * HOUR_S, "6 hours"),
        (24.0 * HOUR_S, "a day"),
    )
    yield from ((24.0 * HOUR_S * days, f"{days} days") for days in itertools.count(2))


class MissedWorkers:
    """Watches for how long a run goes on with nobody connected."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._moments = _moments()
        self._next = next(self._moments)

    def on_time(self, state: State, now: float) -> str:
        """The sentence that is due at ``now``, of the run's time; none if none is."""
        if state.crew.workers or state.phase is not Phase.ACTIVE:
            self._since = None
            return ""
        if self._since is None:
            self._since, self._moments = now, _moments()
            self._next = next(self._moments)
        words = ""
        # Who was stopped for days, as by Ctrl-Z, says the last of what was due meanwhile.
        while now - self._since >= self._next[0]:
            words = self._next[1]
            self._next = next(self._moments)
        if not words:
            return ""
        return (
            f"no worker has been connected for {words}; the run waits. `orchestrator status` says how one is "
            "started. Where they are jobs, the queue says why these wait, and what they print why they ended"
        )
