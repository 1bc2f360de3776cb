"""Which points must not be suggested, because they were told or still run, and what is suggested instead.

Notation: D coordinates, n points.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from orchestrator.algorithms.base import Suggestion
from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.unit_cube.domain import Domain

# Points in the same cell of this grid in each coordinate, about 1e-6 wide, are one point.
CELLS = 2**20


class Exclusion:
    """The points of a ``domain`` that were told or still run. `add` is for the rest of a batch.

    A finite domain may be used up: then points told may be suggested again, and if all of it is running at
    once, anything may. Of rows that may be tried once none is suggested again; of others those may be that
    were told, unless values are ``exact``, of which a second one tells nothing.
    """

    def __init__(
        self, domain: Domain, told: set[bytes], pending: Iterable[FloatArray], *, exact: bool = False
    ) -> None:
        self.domain = domain
        rows = domain.rows
        self._told = told if rows is None or rows.once or exact else set()
        self._once = rows is not None and rows.once
        self._size = float(len(rows)) if rows is not None and rows.once else domain.size
        # What was begun before a constraint was amended need be no row any more, and uses none up.
        rounded = [domain.rounded(point) for point in pending]
        kept = [point for point in rounded if not self._once or is_of_a_row(domain, point)]
        self._running = {key for point in kept for key in keys_in(domain, point[None, :])}
        # Not the size of their union, whose making grows with what was told.
        self._unseen = self._size - len(self._told) - sum(key not in self._told for key in self._running)

    @property
    def is_used_up(self) -> bool:
        """Whether nothing may be suggested any more: every row was, and each may be tried once."""
        return self._once and self._unseen <= 0

    @property
    def unused(self) -> IndexArray:
        """The numbers of the rows that may be suggested, where each may be tried once."""
        used = [int.from_bytes(key, "little") for key in self._told | self._running]
        return np.setdiff1d(np.arange(int(self._size)), used)

    def allows(self, points: FloatArray) -> BoolArray:
        """(n,) whether each of (n, D) points may be suggested, as what it is rounded to."""
        if len(self._running) >= self._size:
            return self.domain.feasible(points)
        told = self._told if self._unseen > 0 else set()
        rounded = self.domain.rounded(points)
        new = [key not in self._running and key not in told for key in keys_in(self.domain, rounded)]
        return np.array(new, dtype=bool) & self.domain.feasible(rounded)

    def add(self, point: FloatArray) -> None:
        """A (D,) point suggested just now."""
        (key,) = keys_in(self.domain, self.domain.rounded(point[None, :]))
        if key not in self._running and self.domain.contains(point[None, :])[0]:
            self._unseen -= key not in self._told
            self._running.add(key)


def untried(domain: Domain, exclusion: Exclusion, rng: np.random.Generator) -> FloatArray:
    """A (D,) random feasible point that is not excluded, unless all are, as far as can be searched."""
    for count in (8, 256, 4096):
        points = domain.sample(count, rng)
        if domain.rows is not None and domain.rows.once and len(unused := exclusion.unused):
            points = domain.snap(domain.rows.put(points, unused[rng.integers(len(unused), size=count)]))
        allowed = np.flatnonzero(exclusion.allows(points))
        if len(allowed):
            return np.asarray(points[allowed[0]])
        if domain.listed is not None:
            break
    if domain.listed is not None:
        allowed = np.flatnonzero(exclusion.allows(domain.listed))
        if len(allowed):
            return np.asarray(domain.listed[allowed[rng.integers(len(allowed))]])
    return np.asarray(points[0])


def at_random(domain: Domain, exclusion: Exclusion, rng: np.random.Generator) -> Suggestion:
    """What is suggested where nothing better may be: an `untried` point, of which nothing is predicted."""
    return Suggestion(untried(domain, exclusion, rng), why={"source": "random"})


def keys_in(domain: Domain, points: FloatArray) -> list[bytes]:
    """n keys of (n, D) points of a domain: of rows that may be tried once those of the rows."""
    if domain.rows is None or not domain.rows.once:
        return keys(points) if not domain.comes_round.any() else keys(_once_round(domain, points))
    return [int(number).to_bytes(8, "little", signed=True) for number in domain.rows.numbers(points)]


def _once_round(domain: Domain, points: FloatArray) -> FloatArray:
    """Points, of which those in the cell of a whole turn are in that of none."""
    return np.where(domain.comes_round & (np.rint(points * CELLS) == CELLS), 0.0, points)


def used_by(domain: Domain, point: FloatArray) -> list[bytes]:
    """The key of a (D,) point that was told, if that is a point of the domain; or of its row, which is used
    up with whatever setting it was tried.
    """
    once = domain.rows is not None and domain.rows.once
    counts = is_of_a_row(domain, point) if once else bool(domain.feasible(point[None, :])[0])
    return keys_in(domain, point[None, :]) if counts else []


def is_of_a_row(domain: Domain, point: FloatArray) -> bool:
    """Whether a (D,) point is of one of the domain's rows, whatever ties the rest."""
    return domain.rows is not None and bool(domain.rows.numbers(point[None, :])[0] >= 0)


def keys(points: FloatArray) -> list[bytes]:
    """n keys of (n, D) feasible points: equal for those that count as one."""
    return [cells.tobytes() for cells in np.rint(points * CELLS).astype(np.int32)]
