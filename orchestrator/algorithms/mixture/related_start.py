"""Where related experiments were best: points of the start design that whoever knows of them would try first.

Notation: D coordinates, N results of an experiment.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from orchestrator.algorithms.ask_and_tell.start_design import OF_DESIGN, StartDesign
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Problem, RelatedResults, Suggestion
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

# Two of an experiment's results are on different hills if they are this part of the root of D apart.
APART = 0.25
# How many results there are, or will be, between one of them and the next.
EVERY = 2


class RelatedStart:
    """The best point of each related experiment, and of a single one the best of another hill too: every
    other trial of the start design, from the first, until they are told.
    """

    def __init__(self, problem: Problem, design: StartDesign) -> None:
        self._problem = problem
        self._design = design

    def suggest(self, turn: Turn, known_soon: int) -> Suggestion | None:
        """The next of them, if it is one's turn after so many results, told or to come."""
        if turn.is_held:
            return None
        for number, top in self._tops[: known_soon // EVERY + 1]:
            if turn.exclusion.allows(top[None, :])[0]:
                return Suggestion(top, why={"source": OF_DESIGN, "related": number})
        return None

    @cached_property
    def _tops(self) -> list[tuple[int, FloatArray]]:
        """(D,) each, with the number of its experiment. Coordinates that this did not have are as in a point
        of the start design.
        """
        related, domain = self._problem.related, self._problem.domain
        tops = [(j, _best_first(one, domain)[0]) for j, one in enumerate(related)]
        tops += [(0, top) for top in _best_first(related[0], domain)[1:]] if len(related) == 1 else []
        whole = [
            (j, np.where(np.isnan(top), self._design.point(i), top) if np.isnan(top).any() else top)
            for i, (j, top) in enumerate(tops)
        ]
        return [(j, domain.snap(top)) for j, top in whole]


def _best_first(related: RelatedResults, domain: Domain) -> list[FloatArray]:
    """The point of the highest value, and that of the highest one far from there, if any is. Of equal values
    the first.
    """
    order = np.argsort(-related.values, kind="stable")
    best = related.points[order[0]]
    distances = np.sqrt(np.nansum((domain.towards(related.points[order], best) - best) ** 2, axis=1))
    far = order[distances > APART * math.sqrt(np.count_nonzero(~np.isnan(best)))]
    return [best, *related.points[far[:1]]]
