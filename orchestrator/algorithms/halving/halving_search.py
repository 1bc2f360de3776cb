"""What searches share that look at many settings cheaply, and at the best of them more closely.

Notation: D coordinates, K rungs, n results told.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from orchestrator.algorithms.ask_and_tell.start_design import StartDesign
from orchestrator.algorithms.ask_and_tell.turns import Turn, Turns
from orchestrator.algorithms.ask_and_tell.without_refits import WithoutRefits
from orchestrator.algorithms.base import AskKey, Insight, Observation, Options, Problem, Suggestion
from orchestrator.algorithms.exclusion import Exclusion, at_random, keys_in
from orchestrator.algorithms.halving.brackets import Bracket, whose_turn
from orchestrator.algorithms.halving.configurations import Configurations, Look
from orchestrator.algorithms.halving.options import HalvingOptions
from orchestrator.algorithms.halving.promotion import promotable, ranks
from orchestrator.algorithms.halving.rungs import has_points, reached
from orchestrator.algorithms.history import History
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain

HALVING = "halving"
"""The source of points that are looked at more closely than before, and among the reasons how they stood."""


class HalvingSearch(WithoutRefits, ABC):
    """The loop. Whoever is asked looks more closely at what is among the best of its rung and waits there, of
    the closest rung of which any is; or, where nothing is, at something new.
    """

    name: ClassVar[str]
    Options: ClassVar[type[Options]] = HalvingOptions

    def __init__(self, problem: Problem, options: HalvingOptions) -> None:
        assert problem.fidelity is not None
        self._problem = problem
        self._levels = problem.fidelity
        self._coordinate = problem.fidelity.coordinate
        self._reduction = options.reduction
        rungs = options.rungs_in(problem)
        self._brackets = self._brackets_of(len(rungs))
        self._known = Configurations(problem.domain, self._coordinate, rungs, self._brackets)
        constraints, exact = problem.outcome_constraints, problem.noise.is_none
        self._history = History(problem.domain, constraints, fidelity=problem.fidelity, exact=exact)
        self._turns = Turns(problem, self._history, self.name)
        self._parts = [self._at(rung, problem.domain) for rung in range(len(rungs))]
        self._designs = [StartDesign(part, problem.seed) for part in self._parts]

    @abstractmethod
    def _brackets_of(self, rungs: int) -> Sequence[Bracket]:
        """Those of so many rungs, the one that begins lowest first."""

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`."""
        return self._turns.chosen(n, pending, key, self._suggest)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`."""
        for observation in observations:
            self._history.tell(observation)
            self._known.tell(observation)

    def insight(self) -> Insight:
        """See `Algorithm`."""
        looked = [f"{count or 'none'} at rung {rung}" for rung, count in enumerate(self._known.counts, 1)]
        return Insight(notes=[f"no model; settings that were looked at: {', '.join(looked)}"])

    def _suggest(self, turn: Turn) -> Suggestion:
        promoted = next(self._promotions(turn, self._reduction), None)
        if promoted is not None:
            return promoted
        new = self._new(turn)
        if new is not None:
            return new
        # All settings were looked at: what waits goes on before its turn.
        onwards = next(self._promotions(turn, 1), None)
        return onwards or at_random(turn.domain, turn.exclusion, turn.rng)

    def _promotions(self, turn: Turn, reduction: int) -> Iterator[Suggestion]:
        """What may be looked at more closely, from the closest rung down, the best first."""
        # Where it is said how closely to look, nothing is to look more closely.
        if turn.domain.is_held[self._coordinate]:
            return
        known, running = self._known, set(self._known.settings(turn.running))
        places = ranks(self._history.values, self._history.slacks)
        for rung in range(len(known.rungs) - 2, -1, -1):
            for bracket in range(len(self._brackets)):
                looks = self._may_go_on(known.at(rung, bracket), rung, turn.domain)
                ranked = sorted(looks, key=lambda look: int(places[look.row]))
                for place in promotable(ranked, reduction, partial(self._waits, running, rung)):
                    look = ranked[place]
                    stood = {"trial": look.trial, "rank": place + 1, "of": len(ranked), "rung": rung + 2}
                    (point,) = self._closer([look], rung)
                    yield self._reasoned(Suggestion(point, why={"source": HALVING}), bracket, stood, look)

    def _may_go_on(self, looks: Sequence[Look], rung: int, domain: Domain) -> list[Look]:
        """Those at a rung at settings that a part of the domain has, where these are feasible a rung further:
        what may not go on is in nobody's way.
        """
        if not looks:
            return []
        points = self._closer(looks, rung)
        may = domain.contains(points) & domain.feasible(points)
        return [look for look, one in zip(looks, may, strict=True) if one]

    def _closer(self, looks: Sequence[Look], rung: int) -> FloatArray:
        """(n, D) the points of looks at a rung, a rung further."""
        points = np.array([look.point for look in looks])
        points[:, self._coordinate] = self._known.rungs[rung + 1]
        return points

    def _waits(self, running: Collection[bytes], rung: int, look: Look) -> bool:
        """Whether nobody looks at the settings of a look at a rung, or has done so more closely."""
        return look.whole and look.settings not in running and self._known.reached(look.settings) == rung

    def _new(self, turn: Turn) -> Suggestion | None:
        """Settings that were not looked at, from the rung on at which the bracket begins whose turn it is;
        None where there are none.
        """
        bracket = whose_turn(self._brackets, self._known.begun(turn.running))
        rung, domain = self._beginning(self._brackets[bracket].first, turn)
        design = self._designs[rung].within(domain)
        looked_at, running = (self._there(points, domain) for points in (self._history.points, turn.running))
        known = set(keys_in(domain, looked_at))
        found = design.suggest(turn.trial, Exclusion(domain, known, running))
        (key,) = keys_in(domain, domain.rounded(found.point[None, :]))
        if key in known.union(keys_in(domain, running)):
            return None
        return self._reasoned(found, bracket, {"rung": rung + 1})

    def _there(self, points: FloatArray, domain: Domain) -> FloatArray:
        """(m, D) those of (n, D) points at settings of a part of the domain, as closely as that looks."""
        moved = points.copy()
        moved[:, self._coordinate] = domain.coordinates[self._coordinate].positions[0]
        moved = self._problem.domain.rounded(moved)
        return moved[domain.contains(moved) & domain.feasible(moved)]

    def _reasoned(
        self, found: Suggestion, bracket: int, stood: dict[str, int], look: Look | None = None
    ) -> Suggestion:
        told: dict[str, Any] = {**stood, "rungs": len(self._known.rungs)}
        if len(self._brackets) > 1:
            told |= {"bracket": bracket + 1, "brackets": len(self._brackets)}
        # What was known beforehand left nothing.
        left = look is not None and look.trial >= 1 and self._levels.continues
        continues = look.trial if look is not None and left else 0
        return replace(found, why={**found.why, HALVING: told}, continues=continues)

    def _beginning(self, rung: int, turn: Turn) -> tuple[int, Domain]:
        """Where new settings begin at a rung, or at the lowest above it at which what is held leaves any."""
        if turn.domain is self._problem.domain:
            return rung, self._parts[rung]
        if turn.domain.is_held[self._coordinate]:
            (position,) = turn.domain.coordinates[self._coordinate].positions
            return max(reached(self._known.rungs, position), 0), turn.domain
        rungs = range(rung, len(self._known.rungs))
        parts = ((number, self._at(number, turn.domain)) for number in rungs)
        return next(((number, part) for number, part in parts if has_points(part)), (rung, turn.domain))

    def _at(self, rung: int, domain: Domain) -> Domain:
        """The part of a domain that looks as closely as a rung."""
        return domain.holding({self._coordinate: float(self._known.rungs[rung])})
