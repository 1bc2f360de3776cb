"""Trainings in pieces, as they were told: which may go on, in which order, and how they stand.

Which trial runs for which training nobody tells an algorithm, and none has to know: of each rung it is known
how many pieces have begun, and each takes the place that has waited longest there. That what goes on has the
settings of what it goes on from does not say whose place it took: a copy may have been given these as well.

Notation: D coordinates, K rungs, after each of which a piece ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.base import Observation
from orchestrator.algorithms.population.rungs import rung_of
from orchestrator.arrays import FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class Piece:
    """A piece that ends at a ``rung`` from 0 on: its ``trial``, its (D,) ``point``, how the training stands
    then, or would, NaN if it failed, and the piece ``before`` that it went on from; None of a first one.
    """

    trial: int
    rung: int
    point: FloatArray
    value: float
    before: Piece | None


@dataclass(frozen=True, eq=False, slots=True)
class Place:
    """One to go on from a ``piece``, whose training it is, since the ``told``-th result. ``again``: what was
    to go on from it failed.
    """

    piece: Piece
    told: int
    again: bool = False


class Trainings:
    """Those whose pieces end at (K,) ``rungs``, positions of one ``coordinate``. Grows in place."""

    def __init__(self, coordinate: int, rungs: FloatArray) -> None:
        self._coordinate = coordinate
        self.rungs = rungs
        self._told = 0
        self._pieces: dict[int, Piece] = {}
        self._learned: list[Piece] = []
        self._ended: list[list[Piece]] = [[] for _ in rungs]
        self._begun = [0] * len(rungs)
        self._places: list[list[Place]] = [[] for _ in rungs]

    def tell(self, observation: Observation) -> None:
        """One result. What was known before, and what ends between two rungs, nobody goes on from."""
        self._told += 1
        rung = rung_of(self.rungs, float(observation.point[self._coordinate]))
        if rung is None or observation.trial < 1:
            return
        before = self._pieces.get(observation.continues)
        # What begins with more than a piece is a person's, and took nobody's place; what went on from what is
        # forgotten took that of who may be forgotten as well.
        self._begun[rung] += before is not None
        value = math.nan if observation.value is None else observation.value
        piece = Piece(observation.trial, rung, observation.point, value, before)
        if rung == 0 or (before is not None and not observation.began_anew):
            self._learned.append(piece)
        if observation.value is not None:
            self._pieces[piece.trial] = piece
        if observation.value is None or observation.foreseen:
            # Nobody goes on from what did not come to its end, or lies outside the bounds by now.
            if before is not None and before in self._ended[before.rung]:
                self._places[rung].append(Place(before, self._told, again=True))
            return
        self._ended[rung].append(piece)
        if rung + 1 < len(self.rungs):
            self._places[rung + 1].append(Place(piece, self._told))

    def began(self, running: FloatArray) -> int:
        """How many trainings have, those among (k, D) points that run with them, and did not fail at once."""
        return len(self._ended[0]) + self._running(running)[0]

    def following(self, running: FloatArray) -> Place | None:
        """The place that has waited longest while (k, D) points run; None if none waits."""
        waiting = []
        for places, begun, more in zip(self._places, self._begun, self._running(running), strict=True):
            waiting += places[begun + more :][:1]
        return min(waiting, key=lambda place: place.told, default=None)

    def standing(self, rung: int) -> Sequence[Piece]:
        """All that came to the end of a rung, the best first; among equals the one told first."""
        return sorted(self._ended[rung], key=lambda piece: -piece.value)

    @property
    def pieces(self) -> Sequence[Piece]:
        """All that may say what settings are worth, those that failed included, in the order told: what went
        on from another, and what trainings begin with.
        """
        return self._learned

    @property
    def start(self) -> float:
        """How a training is taken to stand before its first piece, of which nobody is told: as most do after
        it. All begin alike.
        """
        return float(np.median([piece.value for piece in self._ended[0]])) if self._ended[0] else 0.0

    @property
    def whole(self) -> int:
        """How many came to all steps."""
        return len(self._ended[-1])

    def _running(self, running: FloatArray) -> list[int]:
        counts = [0] * len(self.rungs)
        for point in running:
            if (rung := rung_of(self.rungs, float(point[self._coordinate]))) is not None:
                counts[rung] += 1
        return counts
