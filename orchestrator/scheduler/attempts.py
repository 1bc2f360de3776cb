"""The attempts at one trial: the leases that were given, and how they ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Attempts:
    """How many leases were ``given``, the ``last`` of them, and how many ended without a value: ``failed``
    counts those that ended badly, at the places ``failed_at``, ``undelivered`` those that their worker never
    had, ``given_back`` those that it left in the midst of. ``heard`` are those of which an outcome came,
    counted or not. Those up to ``read_otherwise`` were read as results are not any more, and those up to
    ``not_own`` were of a trial that had its number before a journal was mended.
    """

    given: int = 0
    last: str | None = None
    failed: int = 0
    failed_at: frozenset[str] = frozenset()
    undelivered: int = 0
    given_back: int = 0
    heard: tuple[str, ...] = ()
    read_otherwise: int = 0
    not_own: int = 0

    @property
    def begun(self) -> int:
        """How many were begun, or may have been in lines of a journal that are lost."""
        return self.given - self.not_own
