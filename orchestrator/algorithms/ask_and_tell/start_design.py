"""The points to begin with: a scrambled Sobol sequence, read by trial number.

Point k depends on the problem's seed and k alone, so that whoever asks, in whatever order, gets the same.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from orchestrator.algorithms.ask_and_tell.row_design import RowDesign
from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.exclusion import Exclusion, untried
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain

# Logarithm to base 2 of how many points of the sequence are made at first; twice as many each time they are
# too few.
FIRST_BLOCK = 6
# Beyond this many points of the sequence, positions it has not met yet are left to chance.
LAST_BLOCK = 16
# Where ties leave less than this share of the cube, random points take the place of the sequence's.
LEAST_SHARE = 0.02


OF_DESIGN = "start design"
"""The source of its points."""


class StartDesign:
    """The sequence snapped to the domain, without its repeats where the domain is discrete or folded.

    A domain with fewer distinct points than asked for starts again from its first. One with rows has a design
    of these. Scrambling matters: the plain sequence visits the cube's centre, where synthetic functions like
    to hide their optimum. Its draws are told from those of other designs by their ``purpose``.
    """

    purpose: ClassVar[str] = "start design"

    def __init__(self, domain: Domain, seed: int) -> None:
        self._domain = domain
        self._seed = seed
        self._block = FIRST_BLOCK - 1
        self._points = np.empty((0, domain.dimension))
        self._rows = None if domain.rows is None else RowDesign(domain.rows, seed)

    @property
    def share(self) -> float:
        """How much of its sequence is feasible, about."""
        return self._domain.share

    def within(self, domain: Domain) -> StartDesign:
        """That of the same seed for a part of the domain, or this one for the whole."""
        return self if domain is self._domain else StartDesign(domain, self._seed)

    def point(self, trial: int) -> FloatArray:
        """(D,) the feasible point of a trial, ``trial`` >= 0."""
        while trial >= len(self._points) and len(self._points) < self._domain.size:
            if self._block >= LAST_BLOCK and trial < 2**self._block:
                break
            self._block += 1
            self._points = self._sequence(self._block)
        return np.array(self._points[trial % len(self._points)])

    def suggest(self, trial: int, exclusion: Exclusion) -> Suggestion:
        """The trial's point, or a random one in place of one that was told or runs already."""
        point = self.point(trial)
        if not exclusion.allows(point[None, :])[0]:
            point = untried(self._domain, exclusion, stream(self._seed, "start design replacement", trial))
        return Suggestion(point, why={"source": OF_DESIGN})

    def _sequence(self, block: int) -> FloatArray:
        """(k, D) the distinct and feasible ones among the first 2^block points: a prefix of any longer
        sequence.
        """
        if self._rows is not None:
            return self._among_rows(self._rows, block)
        if self.share < LEAST_SHARE:
            drawn = [self._drawn(number) for number in range(2 ** (block - FIRST_BLOCK))]
            points = np.vstack(drawn)
        else:
            points = self._domain.spread(self._sobol(block))
            points = points[self._domain.feasible(points)]
        if self._domain.is_continuous.any() and self._domain.activity is None:
            return points
        _, first = np.unique(points, axis=0, return_index=True)
        return points[np.sort(first)]

    def _among_rows(self, design: RowDesign, block: int) -> FloatArray:
        """(k, D) the first rows of their own design, with the sequence's settings of what is free beside."""
        rows, listed = self._domain.rows, self._domain.listed
        assert rows is not None
        count = 2**block
        if listed is not None:
            points = np.zeros((min(count, len(rows)), self._domain.dimension))
        else:
            points = self._domain.untied.spread(self._sobol(block))
        return self._domain.snap(rows.put(points, design.numbers(len(points))))

    def _sobol(self, block: int) -> FloatArray:
        # Takes longer to load than all else here, and who only checks options draws nothing.
        from scipy.stats import qmc

        engine = qmc.Sobol(self._domain.dimension, seed=stream(self._seed, self.purpose))
        return np.asarray(engine.random_base2(block))

    def _drawn(self, number: int) -> FloatArray:
        """Random feasible points, as many as a first block has; where only some coordinates are used at each,
        so ordered that none of them is met late.
        """
        rng = stream(self._seed, f"{self.purpose} where ties hold", number)
        points = self._domain.sample(2**FIRST_BLOCK, rng)
        return points if self._domain.faces is None else self._domain.faces.evenly(points)


def before_a_model(told: int, successes: int, start_points: int) -> str:
    """How far the start design is, for people: ``successes`` of ``told`` results have a value."""
    if told and not successes:
        results = "1 result" if told == 1 else f"{told} results"
        return f"start design: {results} told, none with a value, without which there is no model"
    return f"start design: {min(told, start_points)} of {start_points} results told"
