"""How what callers of the Python interface tell of an evaluation is read, before anything learns it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from orchestrator.algorithms.base import Algorithm, Observation, Problem
from orchestrator.algorithms.observed import observed, with_outcomes
from orchestrator.algorithms.told_costs import TakenInAll, learn_cost
from orchestrator.errors import SpecError, UsageError
from orchestrator.expressions.counts import in_words
from orchestrator.objectives import OF_THE_VALUE
from orchestrator.parameters.derivatives import in_the_cube
from orchestrator.parameters.fidelity import Fidelity
from orchestrator.parameters.kinds import ChoiceParameter, FloatParameter, IntParameter
from orchestrator.parameters.part_of_point import is_part
from orchestrator.parameters.space import Space
from orchestrator.parameters.values import mismatch
from orchestrator.python_interface.blocks import ToldBlocks, block_of
from orchestrator.python_interface.clock import Clock
from orchestrator.python_interface.derivatives import derivatives_told
from orchestrator.python_interface.extras import extras_of
from orchestrator.python_interface.in_use import NO_BEST, NO_BEST_FOR_EACH
from orchestrator.python_interface.outcomes import (
    NO_LEVEL,
    factors_of,
    outcomes_of,
    reason_of,
    refuse_names_of_the_value,
    seconds_of,
    value_of,
    variance_of,
)
from orchestrator.python_interface.results import Place, Result, Telling
from orchestrator.python_interface.returned import Returned
from orchestrator.python_interface.threshold import NO_BEST as NO_BEST_ABOVE
from orchestrator.unit_cube.learned_costs import LearnedCosts
from orchestrator.values.curve import Outcomes
from orchestrator.values.foreign import in_place_of_mapping, plain_within, single_number
from orchestrator.values.named import Values
from orchestrator.values.plain import scalar
from orchestrator.wanted_outcomes import WantedOutcomes

# Numbers that a point does not hold to the last digit: of whole ones those beyond 2^53.
_EXACTLY: Mapping[type, Callable[[Any], float]] = {FloatParameter: float, IntParameter: int}


@dataclass(frozen=True, slots=True)
class Reading:
    """How results are read: for a problem, in a space, with what is wanted of outcomes, in the ``sign`` of
    the goal (-1 where one minimises), for a kind of ``algorithm``. ``fidelity``: which results look closely
    enough to be the best; None: all. Beside a ``clock`` none is. ``costs``: what was learned of what
    evaluations cost, where nobody told it. ``blocks``: whether results come in any, or each day is one.
    ``begun`` are the parameters of trials that others may go on from, by their numbers, and ``taken`` says
    what these took; ``levels`` are what is known of the ``reference``, by outcomes that limits are relative
    to.
    """

    problem: Problem
    space: Space
    wanted_as_told: WantedOutcomes | None
    sign: float
    algorithm: type[Algorithm]
    fidelity: Fidelity | None = None
    clock: Clock | None = None
    costs: LearnedCosts | None = None
    blocks: ToldBlocks = False
    begun: dict[int, Values] = field(default_factory=dict)
    taken: TakenInAll = field(default_factory=TakenInAll)
    levels: dict[str, float] = field(default_factory=dict)
    reference: Place | None = None

    @property
    def relative(self) -> tuple[str, ...]:
        """The outcomes whose values at the reference limits are relative to."""
        return () if self.wanted_as_told is None else self.wanted_as_told.relative

    @property
    def wanted(self) -> WantedOutcomes | None:
        """What is wanted of outcomes, by what is known of the reference."""
        return self.wanted_as_told and self.wanted_as_told.relative_to(self.levels)

    @property
    def no_best(self) -> str:
        """Why nothing is the best, or not yet."""
        if self.clock is not None:
            return self.clock.no_best
        if self.problem.in_use is not None:
            return NO_BEST_FOR_EACH if self.problem.in_use.over.each else NO_BEST
        if self.problem.threshold is not None:
            return NO_BEST_ABOVE
        of_outcomes = self.wanted is not None and bool(self.wanted.constraints)
        constrained = self.space.ties is not None or of_outcomes
        allowed = " of what satisfies the constraints" if constrained else ""
        value = "value" if self.fidelity is None else "value at full fidelity"
        if lacking := [name for name in self.relative if name not in self.levels]:
            return NO_LEVEL.format(lacking[0])
        return f"there is no best yet: no {value} has been told{allowed}; ask, evaluate and tell first"

    def place(self, parameters: Values) -> Place:
        """Parameters as a point; those that count there, of the right kinds, numbers to the last digit, as
        the point is rounded and may lie beyond a constraint. Raises SpecError for those that are wrong.
        """
        told = self.plain(parameters)
        point = self.space.encode(told)
        kinds = {p.name: _EXACTLY[type(p)] for p in self.space.parameters if type(p) in _EXACTLY}
        decoded = self.space.decode(point)
        own = {name: kinds[name](told[name]) if name in kinds else decoded[name] for name in decoded}
        return Place(point, dict(self.space.completed(own)), self.space.broken_by(told))

    def allowed_place(self, parameters: Values) -> Place:
        """The same, of parameters for a trial. Raises SpecError also where they break a constraint."""
        if sentence := self.space.no_row(self.plain(parameters)):
            raise SpecError(sentence)
        place = self.place(parameters)
        if place.broken:
            texts = "`, `".join(map(in_words, place.broken))
            raise SpecError(f"expected parameters that satisfy `{texts}`, got {place.parameters}")
        return place

    def is_part(self, parameters: Values) -> bool:
        """Whether parameters for a trial are some of a point, the rest of which is to be chosen. Raises as
        `allowed_place`, but for what is left out.
        """
        if is_part(self.space, self.plain(parameters)):
            return True
        self.allowed_place(parameters)
        return False

    def plain(self, parameters: Values) -> Mapping[str, Any]:
        """Parameters as values of Python, as they are told; what is no mapping, as it came. Raises SpecError
        for a row of a table, which says how it becomes one.
        """
        if not isinstance(parameters, Mapping):
            if hasattr(parameters, "to_dict"):
                came = in_place_of_mapping(parameters)
                raise SpecError(f"expected a mapping of names of parameters to their values, got {came}")
            return parameters
        numbers = {p.name for p in self.space.parameters if not isinstance(p, ChoiceParameter)}
        numbers.update(one.name for one in self.space.computed)
        own = {
            name: _number(told) if name in numbers else self._named(name, told)
            for name, told in parameters.items()
        }
        if (listed := self.space.candidates) is None:
            return own
        if (name := listed.unknown_name(own)) is not None:
            values = list(map(str, listed.by_name[name]))
            raise mismatch(name, f"what goes with one of the {len(values):,} candidates", own[name], values)
        return listed.with_row(own)

    def _named(self, name: str, told: object) -> object:
        return plain_within(told) if name in self.space.fixed else scalar(told)

    def known(self, parameters: Values, telling: Telling) -> Result:
        """A result from elsewhere, which need not bring all outcomes. Raises SpecError for parameters that
        are wrong, UsageError for what is told of them.
        """
        parameters = self.space.as_meant(self.plain(parameters))
        place = self.place(self.space.nearest(parameters))
        between = {name: parameters[name] for name in self._between(parameters) if name in place.parameters}
        if between:
            place = replace(place, parameters=self.space.completed({**place.parameters, **between}))
        told = self._outcomes(telling)
        if self.is_computed:
            telling = self._with_its_value(telling, place, told)
        result = self._result(None, place, telling, told)
        if not between:
            return result
        # What was measured beside a point is what is foreseen there: no trial was at it.
        observation = replace(result.observation, foreseen=True)
        return replace(result, observation=observation, between=tuple(between), stands=False)

    def _between(self, parameters: Values) -> list[str]:
        """The numbers that lie between two that a parameter takes."""
        if not isinstance(parameters, Mapping):
            return []
        nearest = self.space.nearest(parameters)
        # What came may be of any type, and equal nothing.
        return [name for name in self.space.names if nearest.get(name) is not parameters.get(name)]

    def taken_apart(self, telling: Telling) -> Telling:
        """What a trial is told by a mapping, as an evaluation returns it, in the place of a value; else as it
        came. Raises UsageError.
        """
        if not isinstance(returned := telling.value, Mapping):
            return telling
        apart = {name: getattr(telling, name) for name in (*OF_THE_VALUE[1:], "outcomes", "derivatives")}
        if twice := [name for name, told in apart.items() if told is not None]:
            raise UsageError(
                f"expected all that comes with a value in the mapping, got `{twice[0]}` beside it as well"
            )
        named = () if self.wanted is None else self.wanted.outcomes
        if self.is_computed:
            came = Returned.to_compute_from(returned, named)
        else:
            refuse_names_of_the_value(named)
            by = tuple(self.space.names[j] for j in self.problem.derivatives)
            came = Returned.of(returned, named, derivatives=by)
        return replace(telling, **{"value": None, **came.told}, extras=extras_of(came.extras))

    def of_trial(self, number: int, place: Place, telling: Telling) -> Result:
        """A trial's, which brings all outcomes unless it failed. Raises UsageError."""
        value, variance = telling.value, telling.variance
        if telling.foreseen and (value is None or variance is None or self.wanted is not None):
            raise UsageError(
                "expected a value and its variance of what is foreseen, where there are neither outcomes"
                f" nor several objectives, got {value!r} and {variance!r}"
            )
        told = self._outcomes(telling)
        if self.wanted is None:
            return self._result(number, place, telling, told)
        if self.is_computed:
            if value is not None:
                raise UsageError(f"expected outcomes alone, of which the value is computed, got {value!r}")
            if variance is not None:
                raise UsageError(
                    "expected no variance of a value that is computed, as the noise of each outcome is found"
                    f" from the results, got {variance!r}"
                )
            telling = self._with_its_value(telling, place, told)
            return self._result(number, place, telling, told)
        if value is not None and (complaint := self.wanted.missing(told)):
            example = dict.fromkeys(self.wanted.outcomes, 0.5)
            raise UsageError(f"{complaint}; as in tell(trial, 1.5, outcomes={example})")
        return self._result(number, place, telling, told)

    @property
    def is_computed(self) -> bool:
        """Whether values are computed from outcomes."""
        return self.problem.composite is not None

    def _with_its_value(self, telling: Telling, place: Place, outcomes: Outcomes) -> Telling:
        """That is computed from outcomes; of a result without any, that it failed. Raises UsageError."""
        assert self.wanted is not None
        if not outcomes:
            return replace(telling, value=None)
        if complaint := self.wanted.missing(outcomes):
            example = dict.fromkeys(self.wanted.outcomes, 0.5)
            raise UsageError(f"{complaint}; as in tell(trial, outcomes={example})")
        value = self.wanted.value(place.parameters, outcomes)
        if value is None or not math.isfinite(value):
            raise UsageError(
                f"expected outcomes of which there is a finite value, got {value} of {outcomes}; tell None,"
                " and no outcomes, of what failed"
            )
        return replace(telling, value=value)

    def cost(self, parameters: Values, continues: int | None = None) -> float:
        """What an evaluation of parameters costs, perhaps going on from a trial: 1 at full fidelity."""
        if self.fidelity is None or continues is None:
            return 1.0 if self.fidelity is None else self.fidelity.cost(parameters, self.costs)
        return self.fidelity.rest(parameters, self.begun[continues], self.costs)

    def began_with(self, held: Values, trial: int) -> bool:
        """Whether the trial that another goes on from, if any, has what is held as it is."""
        begun, own = self.begun.get(trial), None if self.fidelity is None else self.fidelity.name
        return begun is None or all(begun.get(name) == held[name] for name in held if name != own)

    def going_on(self, parameters: Values, trial: int) -> Values:
        """The parameters with the very settings of the trial that they go on from, if of any."""
        if self.fidelity is None or not trial:
            return parameters
        return {**self.begun[trial], self.fidelity.name: parameters[self.fidelity.name]}

    def learn(self, result: Result, cost: float | None, continues: int | None = None) -> Observation:
        """What an algorithm is told of a result, which counted for so much where costs are learned: then it
        is learned from here as well. ``continues`` is the trial that its evaluation went on from.
        """
        observation = result.observation
        if self.fidelity is not None and self.fidelity.levels.continues and result.trial is not None:
            self.begun[result.trial] = result.parameters
            observation = replace(observation, continues=continues or 0)
            learned = self.costs is not None
            observation = self.taken.told(observation, went_on=bool(continues), learned=learned)
        if self.costs is None:
            return observation
        observation = replace(observation, cost=cost)
        learn_cost(self.costs, observation)
        return observation

    def copied(self) -> Reading:
        """The same, whatever this one learns."""
        if self.costs is None and not self.begun and not self.relative:
            return self
        begun, taken, levels = dict(self.begun), deepcopy(self.taken), dict(self.levels)
        return replace(self, costs=deepcopy(self.costs), begun=begun, taken=taken, levels=levels)

    def is_full(self, place: Place) -> bool:
        """Whether an evaluation there looks as closely as one that may be the best."""
        return self.fidelity is None or self.fidelity.is_full(place.parameters)

    def _outcomes(self, telling: Telling) -> dict[str, float | list[float]]:
        if self.wanted is None:
            return outcomes_of(telling.outcomes, (), {})
        return outcomes_of(telling.outcomes, self.wanted.outcomes, self.wanted.points)

    def _result(self, trial: int | None, place: Place, telling: Telling, outcomes: Outcomes) -> Result:
        value = None if telling.value is None else value_of(telling.value)
        judged = None if self.wanted is None else self.wanted.judged(place.parameters, outcomes, value)
        variance = None if telling.variance is None else variance_of(telling.variance)
        factors = None if telling.factors is None else factors_of(telling.factors, self.problem.factors)
        observation = observed(
            -1 if trial is None else trial,
            place.point,
            (value, variance, factors),
            self.sign,
            foreseen=telling.foreseen,
        )
        seconds = None if telling.seconds is None else seconds_of(telling.seconds)
        observation = replace(observation, held=telling.held, attached=telling.attached, seconds=seconds)
        since = None if trial is None else seconds or 0.0
        observation = replace(observation, block=block_of(telling.block, self.blocks, since))
        names = tuple(self.space.names[j] for j in self.problem.derivatives)
        derivatives = derivatives_told(telling.derivatives, names)
        if derivatives and value is not None:
            along = in_the_cube(self.space, place.parameters, derivatives)
            observation = replace(observation, derivatives=self.sign * along)
        if judged is not None:
            observation = with_outcomes(observation, judged, self.algorithm)
        broken = place.broken or (() if judged is None else judged.broken)
        return Result(
            trial=trial,
            parameters=place.parameters,
            value=value,
            variance=variance,
            factors=factors,
            outcomes=outcomes,
            judged=judged,
            observation=observation,
            stands=value is not None and not telling.foreseen and not broken and self.is_full(place),
            reason=reason_of(telling.reason, telling.value),
            derivatives=derivatives,
            extras=telling.extras,
        )


def _number(told: object) -> object:
    """A number as Python's own, anything else as it came."""
    number = single_number(told)
    return number if isinstance(number, int | float) else told
