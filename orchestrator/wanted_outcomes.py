"""What is wanted of what an evaluator returns beside the value, once it is known: what must hold of it, such
as ``lift >= 0.4``, and which of it is an objective too.

Such a constraint says nothing of a point before it is evaluated: the point is tried, its result is kept and
learned from, and it is no best where the constraint does not hold.

Notation: C comparisons; the slack of one is what it has to spare, below 0 where it does not hold. G further
objectives.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

import numpy as np

from orchestrator.acquisition.kept_limit import KeptLimit
from orchestrator.arrays import FloatArray
from orchestrator.computed_objective import ComputedObjective
from orchestrator.errors import SpecError
from orchestrator.expressions.comparisons import Comparison
from orchestrator.expressions.constraints import Constraint, by_subject
from orchestrator.expressions.references import reference_to, referred_among, referred_to
from orchestrator.expressions.values import values_of
from orchestrator.parameters.described_space import refuse_what_lists_no_texts
from orchestrator.parameters.equalities import without_equalities
from orchestrator.parameters.nameable import constants_among, nameable
from orchestrator.parameters.space import Space
from orchestrator.parameters.space_constraints import read_all
from orchestrator.parameters.space_equalities import space_without_equalities
from orchestrator.spelling import near_miss
from orchestrator.values.candidates import Candidates
from orchestrator.values.curve import in_a_row, numbers_of, why_no_curve
from orchestrator.values.finite import in_short, is_finite
from orchestrator.values.named import Values
from orchestrator.values.plain import plain

VALUE = "value"
"""What callers of Python know the value as."""
SHOWN = 6
"""Names of what came in place of an outcome."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The C ``slacks``, minus infinity where one cannot be computed, infinite with its sign where it is more
    than a float can say, and NaN where an outcome is not known; and the constraints that are ``broken``, as
    they were written: what is no number satisfies nothing. And the G ``further`` objectives, each the more
    the better, NaN where one is not known; and the outcomes that the value is ``composed`` of, of a curve
    every point, where it is computed and all are known.
    """

    slacks: tuple[float, ...]
    broken: tuple[str, ...]
    further: tuple[float, ...] = ()
    composed: tuple[float, ...] | None = None


@dataclass(frozen=True)
class WantedOutcomes:
    """``outcomes`` are the names of what an evaluator has to return beside the value; ``further`` are the
    objectives among them, each with 1 where it is maximised and -1 where it is minimised. ``computed``: it
    returns no value, which is computed from some of them. ``own`` is the name by which constraints are about
    the value, the first of several objectives; empty where they cannot be.
    """

    outcomes: tuple[str, ...]
    constants: tuple[tuple[str, float], ...]
    constraints: tuple[Constraint, ...]
    further: tuple[tuple[str, float], ...] = ()
    computed: ComputedObjective | None = None
    own: str = ""

    @classmethod
    def of(
        cls,
        space: Space,
        outcomes: Sequence[str],
        texts: Sequence[str],
        further: Sequence[tuple[str, float]] = (),
        computed: ComputedObjective | None = None,
        own: str = "",
    ) -> WantedOutcomes:
        """``texts`` are constraints that name an outcome, or the value by its ``own`` name, or what one has
        at the reference. Raises SpecError for one that is wrong.
        """
        following = [one.name for one in space.computed]
        told = (*outcomes, own) if own else tuple(outcomes)
        names = replace(nameable(space.parameters, space.fixed, told, following), reference=True)
        constraints = read_all(names, texts)
        for constraint in constraints:
            if without := [name.name for name in constraint.names if name.name in space.conditions]:
                raise SpecError(
                    f"constraint `{constraint.text}`: expected parameters that always count beside an"
                    f" outcome, got `{without[0]}`"
                )
        named = {name.name for constraint in constraints for name in constraint.names}
        named.update(outcome for constraint in constraints for outcome in constraint.referred)
        limited = own if own in named else ""
        wanted = cls(tuple(outcomes), constants_among(space.fixed), constraints, tuple(further), own=limited)
        return wanted if computed is None else wanted.computing(computed)

    def relative_to(self, levels: Mapping[str, float]) -> WantedOutcomes:
        """The same, where this is known of outcomes at the reference: limits that are relative to it are as
        any others. Of those that are relative to what is not known nobody knows whether they hold.
        """
        return replace(self, constraints=tuple(one.relative_to(levels) for one in self.constraints))

    @property
    def relative(self) -> tuple[str, ...]:
        """The outcomes whose values at the reference are still wanted."""
        return referred_among(name.name for constraint in self.constraints for name in constraint.names)

    @property
    def settled(self) -> tuple[Constraint, ...]:
        """The constraints of which can be known whether they hold."""
        return tuple(constraint for constraint in self.constraints if not constraint.referred)

    def computing(self, computed: ComputedObjective) -> WantedOutcomes:
        """The same of evaluations that return no value, which is ``computed``. Raises SpecError for a
        constraint on a curve.
        """
        for constraint in self.constraints:
            named = [referred_to(name.name) or name.name for name in constraint.names]
            if curves := [name for name in named if name in computed.points]:
                came = f"`{curves[0]}`, which is a curve"
                raise SpecError(
                    f"constraint `{constraint.text}`: expected outcomes that are numbers, got {came}"
                )
        return replace(self, computed=computed)

    @property
    def count(self) -> int:
        """C."""
        return sum(len(constraint.comparisons) for constraint in self.constraints)

    @property
    def kept(self) -> tuple[Constraint, ...]:
        """The constraints that are to hold in every trial."""
        return tuple(constraint for constraint in self.constraints if constraint.kept is not None)

    @property
    def kept_limits(self) -> tuple[KeptLimit, ...]:
        """The same as algorithms are told them, by the numbers of their slacks."""
        limits, first = [], 0
        for constraint in self.constraints:
            following = first + len(constraint.comparisons)
            if constraint.kept is not None:
                limits.append(KeptLimit(tuple(range(first, following)), constraint.kept))
            first = following
        return tuple(limits)

    @property
    def signs(self) -> tuple[float, ...]:
        """Of the further objectives: 1 of one to maximise, -1 of one to minimise."""
        return tuple(sign for _, sign in self.further)

    def names(self, outcome: str) -> bool:
        """Whether a constraint is about an outcome, or it is an objective."""
        return outcome in dict(self.further) or any(
            name.name == outcome for constraint in self.constraints for name in constraint.names
        )

    @property
    def composed(self) -> tuple[str, ...]:
        """The outcomes that the value is computed from, if it is."""
        return () if self.computed is None else self.computed.names

    @property
    def points(self) -> Mapping[str, int]:
        """Of how many points the outcomes are that are curves."""
        return {} if self.computed is None else self.computed.points

    @property
    def places(self) -> Mapping[str, Sequence[float]]:
        """Where their points are, of those of which that is told."""
        return {} if self.computed is None else self.computed.places

    @property
    def numbers(self) -> tuple[str, ...]:
        """The outcomes that the value is computed from and that are no curves."""
        return tuple(name for name in self.composed if name not in self.points)

    def missing(self, outcomes: Mapping[str, object]) -> str:
        """Which outcome a result does not bring as a number, or as a curve of as many points as it has, in
        words; empty if it brings all of them.
        """
        for name in self.outcomes:
            told = outcomes.get(name)
            if name in self.points and (told is not None or name in outcomes):
                if complaint := why_no_curve(told, self.points[name]):
                    return f"expected the outcome `{name}`, {complaint}"
                continue
            if name not in self.points and is_outcome(told):
                continue
            if name in outcomes:
                null = "null, as which NaN and infinities come"
                came = null if outcomes[name] is None else in_short(outcomes[name])[:60]
            elif near := near_miss(name, outcomes):
                came = f"`{near}`; if that is it, have it called `{name}`"
            else:
                others = ", ".join(f"`{other}`" for other in list(outcomes)[:SHOWN])
                came = f"none beside {others}" if others else self._nothing_else
            beside = "" if self.computed is not None else ", beside the value"
            what = f"{self.points[name]:,} points of a curve" if name in self.points else "a finite number"
            return f"expected the outcome `{name}`, {what}{beside}, got {came}"
        return ""

    @property
    def _nothing_else(self) -> str:
        return "the value alone" if self.computed is None else "no outcome"

    def value(self, parameters: Values, outcomes: Mapping[str, object]) -> float | None:
        """The objective's, in its own sense, where it is computed from outcomes, all of which are known; NaN
        or infinite where it is no number. None where one is not known.
        """
        assert self.computed is not None
        known = self._composing(outcomes)
        return None if known is None else self.computed.value(parameters, known)

    def _composing(self, outcomes: Mapping[str, object]) -> dict[str, float | list[float]] | None:
        """What the value is computed from, if all of it is known."""
        known: dict[str, float | list[float]] = {}
        for name in self.composed:
            told, points = outcomes.get(name), self.points.get(name)
            if points is None and is_outcome(told):
                known[name] = float(told)
            elif points is not None and (curve := numbers_of(told)) is not None and len(curve) == points:
                known[name] = curve
        return known if len(known) == len(self.composed) else None

    def judged(self, parameters: Values, outcomes: Mapping[str, object], value: float | None) -> Judged:
        """What is to be said of a result of this ``value``. Of an outcome that is not there nothing holds."""
        came = {name: outcomes.get(name) for name in self.outcomes}
        if self.own:
            came[self.own] = value
        came |= {reference_to(name): None for name in self.relative}
        known, there = dict(self.constants), {name for name in came if is_outcome(came[name])}
        for name, one in {**parameters, **came}.items():
            # A choice between words is in no constraint.
            known[name] = float(one) if is_outcome(one) else math.nan
        arrays = {name: np.array([one]) for name, one in known.items()}
        slacks: list[float] = []
        broken: list[str] = []
        for constraint in self.constraints:
            unknown = any(name.name in came and name.name not in there for name in constraint.names)
            own = [math.nan if unknown else _slack(c, arrays) for c in constraint.comparisons]
            slacks += own
            if not all(slack >= 0.0 for slack in own):
                broken.append(constraint.text)
        further = tuple(sign * known[name] for name, sign in self.further)
        composing = None if self.computed is None else self._composing(outcomes)
        composed = None if composing is None else tuple(in_a_row(composing.values()))
        return Judged(tuple(slacks), tuple(broken), further, composed)


def described(
    parameters: Mapping[str, object] | Space,
    constraints: Sequence[str] | None,
    outcomes: Sequence[str] | None,
    further: Sequence[tuple[str, float]] = (),
    not_computed: Collection[str] = (),
    candidates: Candidates | None = None,
    *,
    reference: bool = False,
) -> tuple[Space, WantedOutcomes | None]:
    """A space and what is wanted of outcomes, from plain Python values, for the Python interface. What is a
    further objective is an outcome; beside one, constraints may be about the ``value``, too. ``constraints``
    hold beside those that a Space has; by an equality one of the parameters is computed that is not among
    ``not_computed``. ``reference``: whether there is one, that they may be relative to.

    Raises SpecError for what is wrong, and where no point satisfies the constraints on parameters.
    """
    names = (*(name for name, _ in further), *_outcome_names(outcomes))
    for name in names:
        if names.count(name) > 1:
            raise SpecError(f"expected each outcome once, got `{name}` {names.count(name)} times")
    texts = () if constraints is None else constraints
    refuse_what_lists_no_texts(texts)
    if isinstance(parameters, Space):
        parameters, texts = space_without_equalities(parameters, texts, not_computed)
    elif isinstance(parameters, Mapping):
        parameters, texts = without_equalities(parameters, texts, not_computed)
    if not names or not all(isinstance(text, str) for text in texts):
        space = _tied(parameters, texts, candidates)
        space.require_feasible_points()
        return space, None
    free = _tied(parameters, (), candidates)
    for name in names:
        if name in (*free.given_names, *free.fixed):
            raise SpecError(f"expected outcomes beside the parameters, got `{name}`, which is one")
    computed = [one.name for one in free.computed]
    own = VALUE if further and VALUE not in (*names, *free.given_names, *free.fixed) else ""
    told = (*names, own) if own else names
    known = replace(nameable(free.parameters, free.fixed, told, computed), reference=reference)
    read_all(known, texts)
    of_parameters, of_outcomes = by_subject(texts, told)
    space = _tied(parameters, of_parameters, candidates)
    space.require_feasible_points()
    return space, WantedOutcomes.of(space, names, of_outcomes, further, own=own)


def _tied(
    parameters: Mapping[str, object] | Space, texts: Sequence[str], candidates: Candidates | None
) -> Space:
    if not isinstance(parameters, Space):
        return Space.from_description(parameters, texts, candidates)
    return replace(parameters, constraints=(*parameters.constraints, *texts))


def _outcome_names(told: object) -> tuple[str, ...]:
    names = [] if told is None else plain(told)
    listed = isinstance(names, Sequence) and not isinstance(names, str)
    if not listed or not all(isinstance(name, str) and name for name in names):
        raise SpecError(f'expected outcomes as a list of names, as ["heat"], got {told!r}')
    return tuple(names)


def is_outcome(value: object) -> TypeGuard[float]:
    """Whether it is a finite number, or true or false, which count as 1 and 0."""
    return isinstance(value, int | float) and is_finite(value)


def _slack(comparison: Comparison, known: Mapping[str, FloatArray]) -> float:
    low, high = (float(values_of(side, known, 1)[0]) for side in (comparison.low, comparison.high))
    slack = high - low
    if math.isnan(slack):
        return -math.inf
    # Two that are equal satisfy nothing that is strict: they lack the least there is.
    return -math.ulp(0.0) if slack == 0.0 and comparison.strict else slack
