"""Results that are wild for no reason: a sample that slipped, a robot that missed, a digit too many.

As values they are all that a model sees: it takes everything for noise, and the search stays where a lucky
one was. Whether a value is one of these nobody can say of it alone: a narrow hill looks the same, and so
does what lies over an edge. So where some look wild, the best of them is measured again. If it comes out
again, it is no accident, and nothing is taken for one; if not, those that look wild are set aside: models are
not told of them, and none is the best. One that would be the best is measured again each time, before it is.

Notation: n results, D coordinates, k of the results in question.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.far_off import far_off
from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.numerics.linalg import FactorisationError
from orchestrator.unit_cube.domain import Domain

AGAIN = "again"
"""What the search is called that measures a place again."""
# Fewer results say too little of one another. Of more, wild ones are looked for among the last, if there were
# any before.
FEWEST, LAST = 12, 150
# Results as close as this in every coordinate are of one place; so far off a place is measured again, which
# makes another point.
NEXT_TO, STEP = 0.01, 4e-6
# A value comes out again if it is off by as much, but for this part of it.
ALIKE = 0.1


@dataclass(frozen=True)
class Wild:
    """By number, results that are set ``aside``, and the one whose place is to be measured ``again``."""

    aside: tuple[int, ...] = ()
    again: int | None = None

    def __bool__(self) -> bool:
        return bool(self.aside) or self.again is not None

    @property
    def payload(self) -> dict[str, Any]:
        """What a refit writes of it, as JSON values: nothing of none."""
        return {"wild": {"aside": list(self.aside), "again": self.again}} if self else {}

    @classmethod
    def of(cls, payload: Mapping[str, Any]) -> Wild:
        """What a refit wrote."""
        wild = payload.get("wild")
        return NONE_WILD if wild is None else cls(tuple(wild["aside"]), wild["again"])

    def place(self, history: History, turn: Turn) -> FloatArray | None:
        """(D,) where to measure again, just beside the result in question; None if there is none, or its
        place is measured again, and where that may not be suggested.
        """
        if self.again is None:
            return None
        domain, point = turn.domain, history.points[self.again]
        others = np.vstack([np.delete(history.points, self.again, axis=0), turn.running])
        if _are_next_to(domain, others, point).any():
            return None
        inwards = np.where(point > 0.5, -STEP, STEP)
        beside = domain.snap(np.where(domain.is_continuous, point + inwards, point)[None, :])
        return np.asarray(beside[0]) if turn.exclusion.allows(beside)[0] else None


NONE_WILD = Wild()
"""Where all results look as others do, or none may be wild."""


def may_be_wild(problem: Problem) -> bool:
    """Whether results of a problem may be: where nothing is told of noise, a place can be measured again, and
    all results are of the same.
    """
    apart = (problem.off, problem.clock, problem.fidelity, problem.in_use, problem.composite)
    alike = not (problem.blocks or problem.further_objectives or any(part is not None for part in apart))
    return alike and problem.noise.kind == "unknown" and bool(problem.domain.is_continuous.any())


def wild_among(problem: Problem, history: History, refit: Mapping[str, Any], before: Wild) -> Wild:
    """Of all that was told; ``before`` is what was found last. While that is nothing, there has to be more
    evidence for wild results than for the likeliest hypothesis of a ``refit``, which knows of none.
    """
    if not may_be_wild(problem):
        return NONE_WILD
    told = np.where(history.foreseen, np.nan, history.told_values)
    successes = np.flatnonzero(~np.isnan(told))
    rows = successes[-LAST:]
    # Evidence is compared of the same values, and hypotheses see those that were only foreseen.
    alike = len(rows) == history.successes
    if len(rows) < FEWEST or not (before or alike):
        return before
    rival = -math.inf if before else float(refit["candidates"][0]["log_probability"])
    try:
        found = rows[far_off(problem, problem.domain.embed(history.points[rows]), told[rows], rival)]
    except FactorisationError:
        return before
    earlier = [row for row in before.aside if row < rows[0]]
    return judged(problem.domain, history.points, told, np.array([*earlier, *found], dtype=np.intp))


def judged(domain: Domain, points: FloatArray, values: FloatArray, rows: IndexArray) -> Wild:
    """What becomes of (k,) results that look wild, by their numbers, among (n, D) points and (n,) values, NaN
    where there is none.
    """
    if not len(rows):
        return NONE_WILD
    usual = ~np.isnan(values)
    usual[rows] = False
    alone, again = _measured(domain, points, values, rows, float(np.median(values[usual])))
    refuted, best = ~(alone | again), values[rows] > values[usual].max()
    highest = rows[np.argsort(-values[rows], kind="stable")]
    if not refuted.any():
        return NONE_WILD if again.any() else Wild(again=int(highest[0]))
    aside, in_question = rows[refuted | (alone & ~best)], highest[np.isin(highest, rows[alone & best])]
    return Wild(tuple(int(row) for row in aside), int(in_question[0]) if len(in_question) else None)


def _measured(
    domain: Domain, points: FloatArray, values: FloatArray, rows: IndexArray, typical: float
) -> tuple[BoolArray, BoolArray]:
    """(k,) which of some results are the only ones in their places, and which came out again there."""
    alone, again = np.ones(len(rows), dtype=bool), np.zeros(len(rows), dtype=bool)
    for k, row in enumerate(rows):
        beside = _are_next_to(domain, points, points[row]) & ~np.isnan(values)
        beside[row] = False
        alone[k] = not beside.any()
        again[k] = (np.abs(values[beside] - values[row]) <= ALIKE * abs(values[row] - typical)).any()
    return alone, again


def _are_next_to(domain: Domain, points: FloatArray, place: FloatArray) -> BoolArray:
    return np.asarray((np.abs(domain.towards(points, place) - place) <= NEXT_TO).all(axis=1))
