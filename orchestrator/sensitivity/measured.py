"""What was measured of a quantity, for models of it.

Notation: D parameters, n results.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.base import Observation, Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.options import AutoOptions
from orchestrator.algorithms.mixture.penalties import highest_penalty
from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.numerics.rng import stream

MOST_RESULTS = 500
"""Of more, so many are drawn, whatever their values: every member of a mixture holds them exactly."""


@dataclass(frozen=True, eq=False, slots=True)
class Measured:
    """(n, D) ``points`` of the unit cube, where (n,) finite ``values`` were measured, in their own units,
    with the noise variances reported of each, or 0. ``sign``: -1 where low values are good. ``held`` (n,):
    which were asked for while parameters were held, if any; ``blocks``, if there are any, which each of (n,)
    is of. ``derivatives`` (n, D), where evaluations return some: by the coordinates, in the values' own
    units, NaN where one is not known.
    """

    points: FloatArray
    values: FloatArray
    variances: FloatArray
    sign: float = 1.0
    held: BoolArray | None = None
    blocks: tuple[str, ...] | None = None
    derivatives: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.values)

    def at_most(self, count: int, rng: np.random.Generator) -> Measured:
        """All of them, or so many, in their order."""
        return self if len(self) <= count else self.at(self._drawn(count, rng))

    def at(self, rows: IndexArray) -> Measured:
        """Those of some rows, in that order."""
        held = None if self.held is None else self.held[rows]
        blocks = None if self.blocks is None else tuple(self.blocks[row] for row in rows)
        slopes = None if self.derivatives is None else self.derivatives[rows]
        told = self.points[rows], self.values[rows], self.variances[rows]
        return Measured(*told, self.sign, held, blocks, slopes)

    def modelled(self, problem: Problem) -> Measured:
        """Those that models are made of: `MOST_RESULTS` at most, and none of the penalties that stand for
        failures, which `auto` leaves out, too.
        """
        kept = self.at_most(MOST_RESULTS, stream(problem.seed, "sensitivity results", len(self)))
        return kept.at(np.flatnonzero(~kept.penalties(problem)))

    def unseen(self, problem: Problem, count: int) -> Measured:
        """So many of the others, or all that there are, without penalties."""
        if len(self) <= MOST_RESULTS:
            return self.at(np.arange(0))
        seen = self._drawn(MOST_RESULTS, stream(problem.seed, "sensitivity results", len(self)))
        others = self.at(np.setdiff1d(np.arange(len(self)), seen))
        held = others.at_most(count, stream(problem.seed, "results to hold out", len(self)))
        return held.at(np.flatnonzero(~held.penalties(problem)))

    def _drawn(self, count: int, rng: np.random.Generator) -> IndexArray:
        return np.sort(rng.choice(len(self), size=count, replace=False))

    def penalties(self, problem: Problem) -> BoolArray:
        """(n,) which stand for failures."""
        goodness = self.sign * self.values
        highest = highest_penalty(goodness, designed(problem), self.held)
        return np.asarray(goodness <= (-np.inf if highest is None else highest))

    def history(self, problem: Problem) -> History:
        """As an algorithm would have been told them."""
        history = History(problem.domain)
        for observation in self.observations:
            history.tell(observation)
        return history

    @property
    def observations(self) -> list[Observation]:
        """Each of them, as algorithms are told."""
        blocks = [None] * len(self) if self.blocks is None else self.blocks
        slopes = [None] * len(self) if self.derivatives is None else self.sign * self.derivatives
        return [
            Observation(
                trial,
                self.points[trial],
                self.sign * float(self.values[trial]),
                float(self.variances[trial]),
                block=blocks[trial],
                derivatives=slopes[trial],
            )
            for trial in range(len(self))
        ]


def designed(problem: Problem) -> int:
    """How many points `auto` would begin with."""
    return AutoOptions.model_validate({}).designed(problem)
