"""Where the tasks beside the loop leave what happened, and what wakes the loop."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Inbox(Generic[T]):
    """Left from any task of the loop's thread, taken by the loop, in order."""

    _items: list[T] = field(init=False, default_factory=list)
    _wake: asyncio.Event = field(init=False, default_factory=asyncio.Event)

    def __len__(self) -> int:
        return len(self._items)

    def leave(self, item: T) -> None:
        """Add an item and wake the loop."""
        self._items.append(item)
        self._wake.set()

    def take(self) -> list[T]:
        """Everything left since the last time."""
        items, self._items = self._items, []
        return items

    async def wait(self, descriptor: int) -> None:
        """Until an item is left, or ``descriptor`` is readable."""
        self._wake.clear()
        if self._items:
            return
        loop = asyncio.get_running_loop()
        loop.add_reader(descriptor, self._wake.set)
        try:
            await self._wake.wait()
        finally:
            loop.remove_reader(descriptor)
