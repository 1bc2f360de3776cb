"""Settings as they were told, at which rungs they were looked at, and in which bracket they began.

Which trial was promoted from which nobody has to tell: it has the same settings, and looks more closely.

Notation: D coordinates, K rungs, k points that run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.algorithms.base import Observation
from orchestrator.algorithms.exclusion import keys
from orchestrator.algorithms.halving.brackets import Bracket
from orchestrator.algorithms.halving.rungs import is_at, reached
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True, eq=False, slots=True)
class Look:
    """One at some ``settings``: its ``trial``, which was the ``row``-th result told, and its (D,) ``point``.
    ``whole``: it came to its end, with a value; what did not is not looked at again.
    """

    settings: bytes
    trial: int
    row: int
    point: FloatArray
    whole: bool


class Configurations:
    """Those of a ``domain``, where a ``coordinate`` says how closely to look, at (K,) ``rungs``. Grows in
    place.
    """

    def __init__(
        self, domain: Domain, coordinate: int, rungs: FloatArray, brackets: Sequence[Bracket]
    ) -> None:
        self._domain = domain
        self._coordinate = coordinate
        self._brackets = brackets
        self.rungs = rungs
        self._told = 0
        self._bracket: dict[bytes, int] = {}
        self._reached: dict[bytes, int] = {}
        self._at: list[dict[bytes, Look]] = [{} for _ in rungs]

    def tell(self, observation: Observation) -> None:
        """One result, in the order in which `History` is told. O(D + K)."""
        point = self._domain.rounded(observation.point)
        (settings,) = self.settings(point[None, :])
        position = float(point[self._coordinate])
        rung = reached(self.rungs, position)
        self._bracket.setdefault(settings, self._bracket_from(rung))
        self._reached[settings] = max(rung, self._reached.get(settings, -1))
        if is_at(self.rungs, rung, position):
            whole = observation.value is not None and not observation.foreseen
            before = self._at[rung].get(settings)
            # What is tried again because it failed counts; a second look that fails says nothing new.
            if before is None or whole:
                look = Look(settings, observation.trial, self._told, point, whole)
                self._at[rung][settings] = look
        self._told += 1

    def at(self, rung: int, bracket: int) -> Sequence[Look]:
        """The looks at a rung at settings of a bracket, both by their numbers from 0 on."""
        return [look for look in self._at[rung].values() if self._bracket[look.settings] == bracket]

    def begun(self, running: FloatArray) -> Sequence[int]:
        """How many settings each bracket has, with those at which (k, D) points run."""
        bracket_of = dict(self._bracket)
        for settings, point in zip(self.settings(running), running, strict=True):
            rung = reached(self.rungs, float(point[self._coordinate]))
            bracket_of.setdefault(settings, self._bracket_from(rung))
        counts = Counter(bracket_of.values())
        return [counts[number] for number in range(len(self._brackets))]

    def reached(self, settings: bytes) -> int:
        """The closest rung that settings that were told came to; -1 if none."""
        return self._reached[settings]

    def settings(self, points: FloatArray) -> list[bytes]:
        """k keys of (k, D) points: equal for those that differ in how closely they look, if at all."""
        alike = points.copy()
        alike[:, self._coordinate] = self.rungs[-1]
        return keys(self._domain.rounded(alike))

    @property
    def counts(self) -> Sequence[int]:
        """At how many settings each rung has looked, the lowest first."""
        return [len(looks) for looks in self._at]

    def _bracket_from(self, rung: int) -> int:
        """The bracket that settings belong to which begin at a rung."""
        firsts = [one.first for one in self._brackets]
        return sum(first <= max(rung, 0) for first in firsts) - 1
