"""What one thread leaves for another that takes its time: the last of it counts."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Generic, TypeVar

Left = TypeVar("Left")


class Latest(Generic[Left]):
    """Iterate over it in the thread that takes its time, until it is closed. What is left meanwhile replaces
    what was left before.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._left: Left | None = None
        self._closed = False

    def leave(self, one: Left) -> None:
        """Returns at once."""
        with self._changed:
            self._left = one
            self._changed.notify()

    def close(self) -> None:
        """Nothing is taken any more, nor is what was left last. Returns at once."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def __iter__(self) -> Iterator[Left]:
        while (one := self._taken()) is not None:
            yield one

    def _taken(self) -> Left | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._left is not None)
            one, self._left = self._left, None
            return None if self._closed else one
