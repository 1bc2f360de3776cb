"""An array that grows at its end, row by row, as results are told one after another."""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

ScalarT = TypeVar("ScalarT", bound=np.generic)

FIRST_ROOM = 16


class GrowingRows(Generic[ScalarT]):
    """Rows of a ``shape``. The array that holds them is twice as large whenever it is full, so that a row
    costs its own length, however many there are.
    """

    def __init__(self, kind: type[ScalarT], *shape: int) -> None:
        self._array: NDArray[ScalarT] = np.empty((FIRST_ROOM, *shape), dtype=kind)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def rows(self) -> NDArray[ScalarT]:
        """(n, ...) a view; do not keep it across an append."""
        return self._array[: self._count]

    def append(self, row: ArrayLike) -> None:
        """One more. A number fills a whole row."""
        if self._count == len(self._array):
            self._array = np.concatenate([self._array, np.empty_like(self._array)])
        self._array[self._count] = row
        self._count += 1
