"""Between an experiment's own terms and an algorithm's: parameters and points, a value in either sense."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np

from orchestrator.algorithms.base import Algorithm, Insight, Observation, Suggestion, in_own_terms, reasons
from orchestrator.algorithms.machine_time import MachineTime
from orchestrator.algorithms.observed import observed, with_outcomes
from orchestrator.algorithms.points_left import points_left
from orchestrator.algorithms.told_costs import TakenInAll, learn_cost
from orchestrator.algorithms.travelling import within_reach
from orchestrator.arrays import FloatArray
from orchestrator.parameters.derivatives import in_the_cube
from orchestrator.parameters.fidelity import Fidelity
from orchestrator.parameters.held import held_within, suggested_as_held
from orchestrator.parameters.space import Space
from orchestrator.runtime.optimiser.believed_where_held import Contender
from orchestrator.scheduler.commands import Ask, Tell
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.learned_costs import LearnedCosts
from orchestrator.values.named import Values
from orchestrator.wanted_outcomes import WantedOutcomes


class OwnTerms:
    """Those of one ``space``.

    ``outcomes`` is what is wanted of them, ``fidelity`` says what a suggestion costs, where that is not the
    same of all, and of the parameters ``held``, the clock among them, some may be fixed in this space;
    ``takes_s`` is what an evaluation takes by itself, where a person said so, and where points are
    ``tried_once`` a second evaluation of one tells nothing.

    Attributes:
        space: the space.
        seed: the run's.
        sign: 1, or -1 where low values are good.
        fixed: what is held by being fixed.
        time: what evaluations of this machine took, where changing settings takes time.
    """

    def __init__(
        self,
        space: Space,
        sign: float,
        outcomes: WantedOutcomes | None,
        fidelity: Fidelity | None,
        held: Sequence[str],
        seed: int,
        takes_s: float | None = None,
        *,
        tried_once: bool = False,
    ) -> None:
        self.space = space
        self.fixed = [name for name in held if name in space.fixed]
        self._all_fixed = bool(self.fixed) and all(name in space.fixed for name in held)
        self.sign = sign
        self._outcomes = outcomes
        self._fidelity = fidelity
        self._costs = None if fidelity is None else fidelity.learning()
        self._begun: dict[int, Values] = {}
        self._taken = TakenInAll()
        self.time = MachineTime(dict(space.changes), takes_s)
        self.seed = seed
        self._tried: list[FloatArray] | None = [] if tried_once else None
        self._part: tuple[Mapping[str, object], Domain | None] = ({}, None)

    @property
    def objectives(self) -> int:
        """How many there are."""
        return 1 if self._outcomes is None else 1 + len(self._outcomes.signs)

    def point(self, parameters: Mapping[str, object]) -> FloatArray:
        """(D,) where parameters lie, or what is nearest them; what is fixed in place of being held may have
        been rounded somewhere.
        """
        own = {**parameters, **{name: self.space.fixed[name] for name in self.fixed}}
        return self.space.encode(self.space.nearest(own))

    def part(self, held: Mapping[str, object]) -> Domain | None:
        """The part of the domain where parameters are held; None: all of it."""
        if held != self._part[0]:
            self._part = held, held_within(self.space, held)
        return self._part[1]

    def observation(self, command: Tell, algorithm: type[Algorithm]) -> tuple[Observation, Contender | None]:
        """What an algorithm is told of a result; and the trial as one that may be the best, unless it may
        not. Once for each: what evaluations cost is learned from it, where that is not told.
        """
        point = self.point(command.parameters)
        outcome = (command.value, command.variance, command.factors)
        # What was measured beside a point is what is foreseen there: no trial of ours was at it.
        foreseen = command.foreseen or self.space.nearest(command.parameters) != command.parameters
        observation = observed(command.trial, point, outcome, self.sign, foreseen=foreseen)
        if self._tried is not None and not foreseen:
            self._tried.append(point)
        broken: tuple[str, ...] = ()
        if self._outcomes is not None:
            judged = self._outcomes.judged(command.parameters, command.outcomes, command.value)
            observation, broken = with_outcomes(observation, judged, algorithm), judged.broken
        seconds = command.seconds
        if self.space.changes and command.trial > 0:
            seconds = self.time.tell(command.parameters, seconds)
        held = (command.held and not self._all_fixed) or command.on_the_way or command.completed
        observation = replace(observation, held=held, attached=command.attached, seconds=seconds)
        observation = replace(observation, block=command.block)
        if command.derivatives:
            derivatives = in_the_cube(self.space, command.parameters, command.derivatives)
            observation = replace(observation, derivatives=self.sign * derivatives)
        if self._fidelity is not None and self._fidelity.levels.continues:
            # Results known from elsewhere, which leave nothing, are numbered from 0 downwards.
            if command.trial > 0:
                self._begun[command.trial] = command.parameters
            observation = replace(observation, continues=command.continues, began_anew=command.began_anew)
            learned = self._costs is not None
            observation = self._taken.told(observation, went_on=command.continued, learned=learned)
        if self._costs is not None:
            observation = replace(observation, worker=command.worker, cost=command.cost)
            learn_cost(self._costs, observation)
        closely = self._fidelity is None or self._fidelity.is_full(command.parameters)
        if command.value is None or foreseen or broken or not closely:
            return observation, None
        return observation, Contender(command.trial, point, self.sign * command.value)

    def left_beside(self, pending: Sequence[Mapping[str, object]], held: Mapping[str, object]) -> float:
        """How many points may still be suggested where parameters are held, while these run; infinite where
        any may be again.
        """
        if self._tried is None:
            return math.inf
        domain = self.part(held) or self.space.domain
        if domain.is_continuous.any():
            return math.inf
        known = [*self._tried, *map(self.point, pending)]
        return points_left(domain, np.array(known).reshape(-1, domain.dimension))

    def reached(self, suggestions: Sequence[Suggestion], command: Ask) -> list[Suggestion]:
        """What an algorithm suggests, or as much of the way there as may be travelled."""
        if not command.stands:
            return list(suggestions)
        part = self.part(command.held) or self.space.domain
        return [
            within_reach(one, self.space, command.stands, part, self.seed, trial)
            for trial, one in enumerate(suggestions, command.first_trial)
        ]

    def suggested(self, suggestions: Sequence[Suggestion], held: Mapping[str, object]) -> list[Suggested]:
        """What an algorithm suggests where parameters are held."""
        signs = () if self._outcomes is None else self._outcomes.signs
        return [
            self._going_on(
                Suggested(
                    parameters=parameters,
                    mean=None if suggestion.predicted is None else self.sign * suggestion.predicted.mean,
                    deviation=None if suggestion.predicted is None else suggestion.predicted.deviation,
                    why=reasons(suggestion, self.sign, signs),
                    cost=1.0 if self._fidelity is None else self._fidelity.cost(parameters, self._costs),
                ),
                suggestion,
                held,
            )
            for suggestion in suggestions
            for parameters in [self._parameters(suggestion.point, held)]
        ]

    def _going_on(
        self, suggested: Suggested, suggestion: Suggestion, held: Mapping[str, object]
    ) -> Suggested:
        """What goes on from a trial, if from any: by its very settings, which a grid need not have, unless
        they are changed, for what is left to pay.
        """
        trial, fidelity = suggestion.continues, self._fidelity
        begun = self._begun.get(trial)
        if fidelity is None or begun is None or any(begun.get(name) != held[name] for name in held):
            return suggested
        parameters = suggested.parameters
        if not suggestion.changed:
            parameters = {**begun, fidelity.name: parameters[fidelity.name]}
        if self.space.broken_by(parameters):
            return suggested
        rest = fidelity.rest(parameters, begun, self._costs)
        return replace(suggested, parameters=parameters, cost=rest, continues=trial)

    def insight(self, found: Insight, best_now: Suggested | None = None) -> dict[str, object]:
        """What an algorithm believes, as JSON values, without its empty parts; ``best_now`` is the point
        believed best at this time, where that changes.
        """
        told = asdict(in_own_terms(found, self.sign))
        if best_now is not None and best_now.mean is not None:
            told["best_now"] = {
                "parameters": best_now.parameters,
                "mean": best_now.mean,
                "deviation": best_now.deviation,
            }
        if self._fidelity is not None and self._costs is not None:
            told["looks"] = self._looks(self._fidelity, self._costs)
        # Parameters are numbered without those that are fixed.
        told["fixed"] = self.fixed
        return {name: value for name, value in told.items() if value not in (None, {}, (), [])}

    def _looks(self, fidelity: Fidelity, costs: LearnedCosts) -> dict[str, object]:
        """What is believed of what evaluations cost, by the values at which they look less closely."""
        return {
            "values": fidelity.values,
            "costs": [float(cost) for cost in costs.levels.costs],
            "seconds": costs.full_seconds,
            "evaluations": len(costs),
        }

    def _parameters(self, point: FloatArray, held: Mapping[str, object]) -> dict[str, object]:
        """Of a suggestion, with what is held as it was told."""
        return dict(suggested_as_held(self.space, point, held))
