"""Folds that stay the same, however often they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class SameSplits:
    """A splitter of scikit-learn that splits as another one did the first time.

    What splits at random does so anew each time; what is evaluated later would then be judged by other data.
    """

    def __init__(self, splitter: Any) -> None:
        self._splitter = splitter
        self._splits: list[Any] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # Each evaluation is sent to its process with the search, and with the data that it is of.
        return SameSplits, (self._splitter,)

    def split(self, X: Any, y: Any = None, **more: Any) -> Iterator[Any]:
        """The places of what is learned from, and of what is predicted, for each fold."""
        if self._splits is None:
            self._splits = list(self._splitter.split(X, y, **more))
        return iter(self._splits)
