"""Whether the time of day is what it was to be: a machine sleeps meanwhile, or somebody sets its clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from orchestrator.system.asleep import seconds_asleep

LEAST_S = 10.0
"""Of a clock that is kept right by another nothing is said, nor of a nap."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The time of day is ``wall`` now, in ISO 8601, and not as it was to be; ``slept_s`` of that the machine
    slept.
    """

    wall: str
    slept_s: float


class TimeOfDay:
    """Watches it from its making on, by a clock that nobody sets and that stands still while the machine
    sleeps, and by how long that was.
    """

    def __init__(
        self,
        wall: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        awake: Callable[[], float] = time.monotonic,
        asleep: Callable[[], float] = seconds_asleep,
    ) -> None:
        self._wall, self._awake, self._asleep = wall, awake, asleep
        self._seen = self._look()

    def moved(self) -> Moved | None:
        """What became of it since it was last said to have moved, if anything."""
        wall, awake, asleep = seen = self._look()
        slept_s = asleep - self._seen[2]
        set_by_s = (wall - self._seen[0]).total_seconds() - (awake - self._seen[1]) - slept_s
        if slept_s < LEAST_S and abs(set_by_s) < LEAST_S:
            return None
        self._seen = seen
        return Moved(wall.isoformat(timespec="seconds"), slept_s if slept_s >= LEAST_S else 0.0)

    def _look(self) -> tuple[datetime, float, float]:
        return self._wall(), self._awake(), self._asleep()
