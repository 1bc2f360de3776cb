"""What searches share that train a population: trainings in pieces, of which the worst at the end of a piece
go on from what one of the best left, with other settings.

Notation: D coordinates, k points that run.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from orchestrator.algorithms.ask_and_tell.start_design import StartDesign
from orchestrator.algorithms.ask_and_tell.turns import Turn, Turns
from orchestrator.algorithms.base import AskKey, Insight, Observation, Options, Problem, Suggestion
from orchestrator.algorithms.history import History
from orchestrator.algorithms.population.budget_left import BudgetLeft
from orchestrator.algorithms.population.options import PopulationOptions
from orchestrator.algorithms.population.rungs import rungs_of
from orchestrator.algorithms.population.trainings import Piece, Place, Trainings
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

# So many of those that ended a piece leave it to so many others, which count as the worst.
SHARE = 0.25
OF_TRAINING = "training"
"""The source of points of trainings that go on."""


class PopulationSearch(ABC):
    """The loop. Whoever comes to the end of a piece goes on at once, by how it stands among all that ended
    the same piece before. Once none waits, another training begins; where the budget does not pay for all of
    it any more, one goes on from what one of the best left, the earliest for which it pays.
    """

    name: ClassVar[str]
    Options: ClassVar[type[Options]] = PopulationOptions

    def __init__(self, problem: Problem, options: PopulationOptions) -> None:
        assert problem.fidelity is not None
        self._problem = problem
        self._coordinate = problem.fidelity.coordinate
        self._size = options.size(problem)
        rungs = rungs_of(problem.domain, problem.fidelity, options.pieces)
        self._trainings = Trainings(self._coordinate, rungs)
        self._left = BudgetLeft(problem, problem.fidelity, rungs)
        self._history = History(problem.domain, fidelity=problem.fidelity, exact=problem.noise.is_none)
        self._turns = Turns(problem, self._history, self.name)
        self._design = StartDesign(self._within(0), problem.seed)

    @abstractmethod
    def _changed(self, source: Piece, point: FloatArray, turn: Turn, domain: Domain) -> Suggestion:
        """Other settings than those of a (D,) point, which is where the ``source`` would go on as it is; in a
        ``domain`` that holds how many steps are done.
        """

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`. What goes on as it is may have the settings of another training."""
        return self._turns.chosen(n, pending, key, self._suggest)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`."""
        for observation in observations:
            self._history.tell(observation)
            self._trainings.tell(observation)
            self._left.tell(observation)

    def insight(self) -> Insight:
        """See `Algorithm`."""
        began = self._trainings.began(np.empty((0, self._problem.domain.dimension)))
        trainings = "1 training" if began == 1 else f"{began} trainings"
        # One that began may come there in several ways.
        whole = self._trainings.whole
        came = {0: "none came to all steps yet", 1: "all steps were come to once"}
        return Insight(
            notes=[f"{trainings} began; {came.get(whole, f'all steps were come to {whole} times')}"]
        )

    def _suggest(self, turn: Turn) -> Suggestion:
        if self._trainings.began(turn.running) >= self._size:
            if (place := self._trainings.following(turn.running)) is not None:
                return self._going_on(place, turn)
            if (source := self._last(turn)) is not None:
                return self._branch(source, turn, {})
            if (further := self._further(turn)) is not None:
                return further
        return self._design.suggest(turn.trial, turn.exclusion)

    def _further(self, turn: Turn) -> Suggestion | None:
        """What another training begins with, beyond the population; None: with a point of the design."""
        del turn
        return None

    def _going_on(self, place: Place, turn: Turn) -> Suggestion:
        """Of a training whose turn it is."""
        piece = place.piece
        standing = self._trainings.standing(piece.rung)
        share, rank = _share(standing), standing.index(piece)
        source = piece if rank < len(standing) - share else standing[int(turn.rng.integers(share))]
        told = {"training": piece.trial, "rank": rank + 1, "of": len(standing)}
        point = self._at_its_end(source)
        if source is piece and not place.again and self._within(piece.rung + 1).feasible(point[None, :])[0]:
            why: dict[str, Any] = {"source": OF_TRAINING, "population": told}
            return Suggestion(point, why=why, continues=piece.trial)
        return self._branch(source, turn, {**told, "again": True} if place.again else told)

    def _branch(self, source: Piece, turn: Turn, told: Mapping[str, Any]) -> Suggestion:
        """On from a piece with other settings."""
        chosen = self._changed(source, self._at_its_end(source), turn, self._within(source.rung + 1))
        why = {**chosen.why, "population": told}
        return replace(chosen, why=why, continues=source.trial, changed=True)

    def _last(self, turn: Turn) -> Piece | None:
        """What the last of a budget goes on from; None while it pays for a whole training. Where it pays for
        nothing beside what those come to that run, that is the latest: whoever has time for one piece makes
        something whole of it.
        """
        running = turn.running
        if self._left.pays_from(-1, running):
            return None
        ended = [self._trainings.standing(rung) for rung in range(len(self._trainings.rungs) - 1)]
        paid = [
            rung for rung, standing in enumerate(ended) if standing and self._left.pays_from(rung, running)
        ]
        standing = ended[paid[0]] if paid else next(filter(None, reversed(ended)), ())
        return standing[int(turn.rng.integers(max(_share(standing), 1)))] if standing else None

    def _at_its_end(self, source: Piece) -> FloatArray:
        """(D,) where a piece that goes on from another ends, with the same settings."""
        point = source.point.copy()
        point[self._coordinate] = self._trainings.rungs[source.rung + 1]
        return point

    def _within(self, rung: int) -> Domain:
        """The part of the domain where so many steps are done."""
        return self._problem.domain.holding({self._coordinate: float(self._trainings.rungs[rung])})


def _share(standing: Sequence[Piece]) -> int:
    """How many of the best leave what they have to as many of the worst, half of them at most."""
    return min(math.ceil(SHARE * len(standing)), len(standing) // 2)
