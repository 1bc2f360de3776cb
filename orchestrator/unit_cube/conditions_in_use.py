"""Conditions that vary in use, and are set in an evaluation: some coordinates of the unit cube, and how often
each of some of their points comes up.

Notation: D coordinates, C of them conditions, m points of these with their weights, k designs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.unit_cube.domain import Domain
from orchestrator.values.over import Over

GOLDEN = (5.0**0.5 - 1.0) / 2.0


@dataclass(frozen=True, eq=False)
class ConditionsInUse:
    """``coordinates`` (C,) ascending, (m, C) feasible ``points`` of them, the first of which are spread over
    all, as each more is, and (m,) ``weights`` > 0 that add up to 1. What is sought is a design, the other
    coordinates, that is best ``over`` them.
    """

    coordinates: tuple[int, ...]
    points: FloatArray
    weights: FloatArray
    over: Over

    def at(self, designs: FloatArray) -> FloatArray:
        """(k m, D) each of (k, D) designs in each of the conditions, those of a design together."""
        k, m = len(designs), len(self.points)
        found = np.repeat(designs, m, axis=0)
        found[:, list(self.coordinates)] = np.tile(self.points, (k, 1))
        return found

    @cached_property
    def usual(self) -> FloatArray:
        """(C,) the point that is nearest to the middle of them, which stands for all where one has to."""
        middle = self.weights @ self.points
        return np.asarray(self.points[int(np.square(self.points - middle).sum(axis=1).argmin())])

    def designs(self, domain: Domain) -> Domain:
        """The part of a domain where conditions are as usual: a point of it is a design."""
        places = dict(zip(self.coordinates, self.usual.tolist(), strict=True))
        return domain.holding(places)

    def as_designs(self, points: FloatArray) -> FloatArray:
        """(k, D) points with conditions as usual."""
        moved = points.copy()
        moved[:, list(self.coordinates)] = self.usual
        return moved

    def of_trial(self, trial: int) -> FloatArray:
        """(C,) the condition of a trial before there is a model: they come as often as they do in use."""
        # By the golden section: by halves, as Sobol points are, it would go along with a parameter.
        share = trial * GOLDEN % 1.0
        return np.asarray(self.points[int(np.searchsorted(self._until, share, side="right"))])

    @cached_property
    def _until(self) -> FloatArray:
        until = np.cumsum(self.weights)
        until[-1] = np.inf
        return until


def _halved(number: int) -> float:
    """Of van der Corput's sequence: in [0, 1)."""
    found, part = 0.0, 0.5
    while number:
        number, bit = divmod(number, 2)
        found, part = found + part * bit, part / 2.0
    return found


def halving_order(count: int) -> IndexArray:
    """(count,) numbers from 0 on so ordered that the first are spread over all, as each more is."""
    return np.argsort([_halved(number) for number in range(count)], kind="stable").argsort()
