"""For how long a worker waits where no orchestrator answers: its run may have ended before its job began."""

from __future__ import annotations

import math
from collections.abc import Callable

from evaluators.worker_process.link import Link
from evaluators.worker_process.stopped import Stop


class Deserted:
    """Watches a link, whose worker leaves once nobody has answered for ``wait_s`` seconds, which may be
    infinite, and it ``is_busy`` with nothing: until then somebody may answer again. ``now`` is monotonic
    seconds throughout.
    """

    def __init__(
        self, link: Link, address: str, wait_s: float, now: float, is_busy: Callable[[], bool]
    ) -> None:
        self._link = link
        self._is_busy = is_busy
        self._address = address
        self._wait_s = wait_s
        self._since = now
        self._said = False

    @property
    def due(self) -> float:
        """The moment at which `on_time` must be called."""
        return (
            math.inf
            if self._said or self._is_busy()
            else max(self._since, self._link.heard_at) + self._wait_s
        )

    def excuse(self, stop: Stop) -> None:
        """While it was stopped, this process could hear nobody."""
        self._since = max(self._since, self._link.heard_at) + stop.at_most_s

    def on_time(self, now: float) -> str:
        """Why the worker leaves, once it does."""
        if now < self.due:
            return ""
        self._said = True
        return f"nobody has answered at {self._address} for {self._wait_s:g} s (--wait)"
