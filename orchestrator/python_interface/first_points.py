"""The points of a caller's own that a search evaluates first, as they are told."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from orchestrator.python_interface.answers import Asked
from orchestrator.python_interface.optimiser import Optimiser
from orchestrator.python_interface.table import Points


@dataclass(frozen=True, slots=True)
class FirstPoints:
    """Those that are still to be evaluated: trials that are ``attached`` by now, the reference first, and
    after them ``parts`` of points, of each of which the rest is chosen when its turn comes.
    """

    attached: deque[Asked]
    parts: deque[Mapping[str, Any]]

    @classmethod
    def of(cls, optimiser: Optimiser, points: Points, *, again: bool) -> FirstPoints:
        """Where not ``again``, of a search that goes on in its file, those that it does not have. Raises as
        `Optimiser.attach`, and then nothing is attached.
        """
        parts = optimiser.parts_among(points)
        left = parts if again else optimiser.parts_among(points, again=False)
        whole = [point for number, point in enumerate(points) if number not in parts]
        reference = optimiser._reference_left()
        attached = [*reference, *optimiser.attach_all(whole, again=again)]
        return cls(deque(attached), deque(points[number] for number in left))

    def attached_next(self, count: int) -> list[Asked]:
        """At most so many of those that are whole."""
        return [self.attached.popleft() for _ in range(min(count, len(self.attached)))]

    def part_completed(self, optimiser: Optimiser) -> Asked:
        """A trial of the next part. Raises as `Optimiser.attach`, and then it is the next one still."""
        asked = optimiser.attach(self.parts[0])
        self.parts.popleft()
        return asked


def asked_at_most(optimiser: Optimiser, count: int) -> list[Asked]:
    """So many of the next trials, or as many as points are left: a part may have been completed at the last
    one. Raises as `Optimiser.ask`.
    """
    untried = optimiser.untried if optimiser.tried_once else None
    wanted = count if untried is None else min(count, untried)
    return optimiser.ask(wanted) if wanted > 0 else []
