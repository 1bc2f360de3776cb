"""How closely the next evaluation looks: what less fidelity would tell of full fidelity, for what it costs.

A point is chosen for what it promises at full fidelity. It is looked at less closely if what that tells of
the value at full fidelity, as a part of what is not known of it, is more for its cost than full fidelity
tells for its own. Once cheap trials have cost as much as those at full fidelity and one such trial, the next
is at full fidelity: so a cheap look that misleads, or a model that trusts it too much, wastes little more
than half of a budget at most.

Source: the point first, by what it promises at full fidelity, and then how closely to look at it: BOCA
(Kandasamy, Dasarathy, Schneider & Póczos 2017, Section 3).

Deviations: BOCA takes the cheapest fidelity that is still uncertain by more than a threshold, which grows
with what is saved and has constants of its own; here what is told is weighed against what it costs, and half
of the cost at least is for full fidelity.

Notation: L levels, M members, D coordinates, k points that run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from orchestrator.algorithms.ask_and_tell.start_design import OF_DESIGN, StartDesign
from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Observation, Problem, Suggestion
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.begun_settings import BegunSettings
from orchestrator.algorithms.mixture.belief import Member, MixtureBelief
from orchestrator.algorithms.mixture.further_belief import FurtherBelief
from orchestrator.algorithms.mixture.other_places import moved, part_told
from orchestrator.algorithms.told_costs import learn_cost
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.fidelity_levels import Levels
from orchestrator.unit_cube.learned_costs import LearnedCosts
from orchestrator.values.percent import percent

# What cheap trials may cost beyond those at full fidelity.
AHEAD = 1.0


@dataclass(frozen=True, eq=False)
class FidelityChooser:
    """Of a problem whose evaluations may look less closely, with what was told of it, and what was
    ``learned`` of costs, where they are not told; what was ``begun``, where evaluations may go on from it.
    """

    problem: Problem
    history: History
    levels: Levels
    learned: LearnedCosts | None = None
    begun: BegunSettings | None = None

    @classmethod
    def of(cls, problem: Problem, history: History) -> FidelityChooser | None:
        """None where all evaluations look equally closely."""
        levels = problem.fidelity
        if levels is None:
            return None
        begun = BegunSettings(problem.domain, levels) if levels.continues else None
        return cls(problem, history, levels, LearnedCosts(levels) if levels.learned else None, begun)

    def learn(self, observation: Observation) -> None:
        """What a trial that was told took, and counted for, where costs are learned; that its settings were
        begun, where evaluations may go on.
        """
        if self.learned is not None:
            learn_cost(self.learned, observation)
        if self.begun is not None:
            self.begun.tell(observation)

    @property
    def priced(self) -> Levels:
        """The levels, with what is believed of their costs by now."""
        return self.levels if self.learned is None else self.learned.levels

    def costs_at(self, point: FloatArray) -> FloatArray:
        """(L,) what evaluations of a (D,) point cost at each level: the rest, where they may go on."""
        costs = self.priced.costs
        if self.begun is None:
            return costs
        before = self.begun.before(self.candidates(point))
        return _less_before(self.priced, costs, before)

    def going_on(self, suggestion: Suggestion) -> Suggestion:
        """The suggestion, which goes on from an earlier trial where there is one of its settings."""
        begun = None if self.begun is None else self.begun.of(suggestion.point)
        return suggestion if begun is None else replace(suggestion, continues=begun.trial)

    @property
    def notes(self) -> list[str]:
        """A sentence on costs that are learned, for `Insight.notes`."""
        if self.learned is None:
            return []
        full = self.learned.full_seconds
        if full is None:
            return ["what a look costs is to be learned, and of no evaluation is it known how long it took"]
        least, known = float(self.priced.costs.min()), len(self.learned)
        return [
            f"what a look costs is learned: of {known} result{'' if known == 1 else 's'} it is known how long"
            f" they took, at full fidelity about {full:.3g} s, and the cheapest {percent(least, 2)} of that"
        ]

    def within(self, part: Domain) -> Domain:
        """The part of a domain at full fidelity, unless fidelity is held already."""
        coordinate = self.levels.coordinate
        return part if part.is_held[coordinate] else part.holding({coordinate: self.levels.full})

    def is_full_in(self, part: Domain | None) -> bool:
        """Whether fidelity is held in a part of the domain, and at full; None is all of the domain."""
        own, full = self.levels.coordinate, (self.levels.full,)
        return part is not None and bool(part.is_held[own]) and part.coordinates[own].positions == full

    def at_full(self, running: FloatArray) -> int:
        """How many trials, told or running, are at full fidelity."""
        return int(self.levels.are_full(np.vstack([self.history.points, running])).sum())

    def is_ending(self, running: FloatArray, share: float) -> bool:
        """Whether no more than a share of the budget is left, or no more than one trial at full fidelity; not
        once it is spent, as where it was raised.
        """
        budget, spent = self.levels.budget, self._counted(running)
        return budget is not None and budget - max(share * budget, 1.0) <= spent < budget

    def is_owed(self, running: FloatArray) -> bool:
        """Whether cheap trials have cost so much that the next is at full fidelity."""
        full, less = self._spent(running)
        return less >= full + AHEAD

    def designed(self, design: StartDesign, turn: Turn) -> Suggestion:
        """A trial of the start design, over all fidelities, at one of the levels. The last that the budget
        pays for is at full fidelity, if none was: of what seems best at less.
        """
        exclusion = self.history.exclusion(list(turn.running))
        if self.history.successes and self.is_ending(turn.running, 0.0) and not self.at_full(turn.running):
            closer = self.candidates(self.history.best(1)[0])[-1]
            if exclusion.allows(closer[None, :])[0]:
                return Suggestion(closer, why={"source": OF_DESIGN})
        chosen = design.suggest(turn.trial, exclusion)
        levels = self.levels
        nearest = int(np.abs(levels.positions - chosen.point[levels.coordinate]).argmin())
        moved = self.candidates(chosen.point)[nearest]
        return replace(chosen, point=moved) if exclusion.allows(moved[None, :])[0] else chosen

    def lowered(
        self,
        chosen: Suggestion,
        belief: MixtureBelief,
        running: FloatArray,
        further: FurtherBelief | None = None,
    ) -> Suggestion:
        """A suggestion at full fidelity, or at less where that tells more for its cost, of all objectives
        alike; as it is, where fidelity is held.
        """
        if not self.levels.are_full(chosen.point[None, :])[0]:
            return chosen
        candidates = self.candidates(chosen.point)
        told = self.told(candidates, belief, running, further)
        allowed, costs = self.history.exclusion(list(running)).allows(candidates), self.costs_at(chosen.point)
        worth = np.where(allowed, told / costs, 0.0)
        # Of two that tell as much for their cost, the one that tells more.
        level = len(worth) - 1 - int(np.argmax(worth[::-1]))
        if level == len(worth) - 1 or worth[level] == 0.0:
            return chosen
        why = {"told": float(told[level]), "cost": float(costs[level])}
        if self.learned is not None:
            why["evaluations"] = len(self.learned)
        lowered = moved(chosen, candidates[level], self.problem.domain, belief, {"fidelity": why})
        X = self.problem.domain.embed(candidates[level : level + 1])
        return replace(
            lowered, further=[] if further is None else [member.predicted(X) for member in further.members]
        )

    def _spent(self, running: FloatArray) -> tuple[float, float]:
        """What trials, told and running, cost at full fidelity, and at less."""
        # What is known from elsewhere, as trials before the first, costs nothing.
        own = np.array(self.history.trials, dtype=np.intp) >= 1
        points = np.vstack([self.history.points[own], running])
        full, costs = self.levels.are_full(points), self.priced.costs_of(points)
        if self.begun is not None:
            before = np.concatenate([self.begun.gone_on_from[own], self.begun.before(running)])
            costs = _less_before(self.priced, costs, before)
        return float(costs[full].sum()), float(costs[~full].sum())

    def _counted(self, running: FloatArray) -> float:
        """What trials, told and running, count for together: as was believed when they were asked for."""
        if self.learned is None:
            return sum(self._spent(running))
        costs = self.priced.costs_of(running)
        if self.begun is not None:
            costs = _less_before(self.priced, costs, self.begun.before(running))
        return self.learned.counted + float(costs.sum())

    def candidates(self, point: FloatArray) -> FloatArray:
        """(L, D) a point at each level."""
        candidates = np.tile(point, (len(self.levels.positions), 1))
        candidates[:, self.levels.coordinate] = self.levels.positions
        return candidates

    def told(
        self,
        candidates: FloatArray,
        belief: MixtureBelief,
        running: FloatArray,
        further: FurtherBelief | None = None,
    ) -> FloatArray:
        """(L,) the part of what is not known of the value at full fidelity that a value at each of (L, D)
        levels tells, full fidelity the last: by all members, as they are weighed. Of several objectives, the
        mean of what is told of each.
        """
        domain = self.problem.domain
        X, busy = domain.embed(candidates), domain.embed(running)
        each = [_told_to(member, X, busy) for member in belief.members]
        told = np.asarray(belief.weights @ np.array(each))
        if further is None:
            return told
        others = [_told_to(member, X, busy) for member in further.members]
        return np.asarray(np.mean([told, *others], axis=0))


def _less_before(levels: Levels, costs: FloatArray, before: FloatArray) -> FloatArray:
    """(n,) costs, less what was paid at (n,) positions before; NaN where nothing was."""
    rests = costs.copy()
    for row in np.flatnonzero(~np.isnan(before)):
        rests[row] = levels.rest(costs[row : row + 1], float(before[row]))[0]
    return rests


def _told_to(member: Member, X: FloatArray, running: FloatArray) -> FloatArray:
    """(L,) as a member sees it, of (L, E) embedded levels beside (k, E) points that run."""
    with member.posterior.hallucinating(running):
        own = member.posterior.mean_and_variance(X)[1]
    told = part_told(member, X, len(X) - 1, running)
    # What is hallucinated has the noise that was inferred, and none that was told.
    return told * (own + member.found.noise_variance) / (own + member.noise_variance)
