"""Parameters, as a person names them, and the unit cube, where the algorithms work.

A `Space` is an ordered list of parameters (`kinds`), with constants beside, with constraints that
tie them to one another, and with conditions, by which some count only where others have some values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.errors import OptimiserError, SpecError
from orchestrator.expressions.computed import Computed
from orchestrator.expressions.conditions import Condition, depending_on, otherwise
from orchestrator.expressions.constraints import counted_by
from orchestrator.expressions.counts import NO_TOLERANCE, NO_TRAVEL, in_words
from orchestrator.parameters.computed_parameters import ComputedParameters, computed_parameters
from orchestrator.parameters.described_space import described_space
from orchestrator.parameters.kinds import ChoiceParameter, FloatParameter, IntParameter, Parameter
from orchestrator.parameters.ordered import OrderedParameter
from orchestrator.parameters.space_conditions import SpaceConditions, conditioned
from orchestrator.parameters.space_constraints import SpaceConstraints, constrained
from orchestrator.parameters.space_rows import SpaceRows, space_rows
from orchestrator.parameters.unknown_names import is_computed, is_not_given, is_unknown
from orchestrator.parameters.values import Scale, mismatch, same
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.feasible_region import NoFeasiblePoint
from orchestrator.values.candidates import ONE_OF_THEM, Candidates, without
from orchestrator.values.change import Changes
from orchestrator.values.hunch import Hunches
from orchestrator.values.in_use import AllInUse
from orchestrator.values.named import Values
from orchestrator.values.prior import Priors
from orchestrator.values.tolerance import ToleranceOf
from orchestrator.values.travel import Travels

__all__ = [
    "ChoiceParameter",
    "FloatParameter",
    "IntParameter",
    "OrderedParameter",
    "Parameter",
    "Scale",
    "Space",
]


class MissingValue(SpecError):
    """A parameter that counts has no value."""


@dataclass(frozen=True)
class Space:
    """D parameters in order, and constants that every evaluation is given besides. ``constraints`` are
    inequalities between them, such as ``inner < outer``; ``conditions`` say, by name, when parameters count
    that do not always, and must make sense; ``travel`` how far those that always do may go from one
    evaluation to the next, and ``tolerances`` by how much what is built may be off numbers that always do.
    What is ``computed`` from them is given to evaluations, too, and its bounds hold as constraints do. Where
    there are ``candidates``, those of the parameters that are columns of these have a row of them together.
    ``in_use`` says how those vary that nobody sets in use: conditions, and no part of a design; ``priors``
    what is known of others beforehand; ``changes`` what it takes to change those that always count, from one
    evaluation to the next; ``hunches`` where good settings are believed to lie.

    Raises SpecError for no parameters, names that occur twice, or constraints or formulas in error.
    """

    parameters: tuple[Parameter, ...]
    fixed: Values = field(default_factory=dict)
    constraints: tuple[str, ...] = ()
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    travel: Travels = field(default_factory=dict)
    tolerances: ToleranceOf = field(default_factory=dict)
    computed: tuple[Computed, ...] = ()
    candidates: Candidates | None = None
    in_use: AllInUse = field(default_factory=dict)
    priors: Priors = field(default_factory=dict)
    changes: Changes = field(default_factory=dict)
    hunches: Hunches = field(default_factory=dict)
    activity: SpaceConditions | None = field(init=False, repr=False, compare=False, default=None)
    ties: SpaceConstraints | None = field(init=False, repr=False, compare=False, default=None)
    following: ComputedParameters | None = field(init=False, repr=False, compare=False, default=None)
    rows: SpaceRows | None = field(init=False, repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        names = [p.name for p in self.parameters] + list(self.fixed) + [one.name for one in self.computed]
        names += self._with_rows
        if not self.parameters:
            raise SpecError("expected at least one parameter that is not fixed, got none")
        for name in names:
            if names.count(name) > 1:
                raise SpecError(f"parameter `{name}` is defined twice; rename or remove one")
        for name in ("fixed", "conditions", "travel", "tolerances", "in_use", "priors", "changes", "hunches"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        counted = counted_by(self.constraints)
        following = computed_parameters(self.parameters, self.fixed, self.conditions, self.computed, counted)
        object.__setattr__(self, "following", following)
        activity = conditioned(self.parameters, self.fixed, self.conditions, following)
        object.__setattr__(self, "activity", activity)
        ties = constrained(
            self.parameters, self.fixed, self.constraints, activity, following, self.conditions
        )
        object.__setattr__(self, "ties", ties)
        object.__setattr__(self, "rows", space_rows(self.parameters, self.candidates, ties, self.conditions))
        for name in self.travel if counted else ():
            raise SpecError(f"parameter `{name}`: {NO_TRAVEL}")
        for name in sorted(counted & self.tolerances.keys()):
            raise SpecError(f"parameter `{name}`: {NO_TOLERANCE}")

    def __reduce__(self) -> tuple[object, ...]:
        # What may not be changed cannot be pickled either: it is made anew.
        conditions, travel, tolerances = dict(self.conditions), dict(self.travel), dict(self.tolerances)
        told = (self.parameters, dict(self.fixed), self.constraints, conditions, travel, tolerances)
        beside = (dict(self.in_use), dict(self.priors), dict(self.changes), dict(self.hunches))
        return Space, (*told, self.computed, self.candidates, *beside)

    @classmethod
    def from_description(
        cls,
        description: Mapping[str, object],
        constraints: Sequence[str] = (),
        candidates: Candidates | None = None,
    ) -> Space:
        """A space from plain Python values, for the Python interface.

        ``{"x1": (0.0, 1.0), "x2": {"type": "int", "bounds": [2, 9]}}``: a pair is a float's bounds; a
        mapping has ``type`` (float, int, choice, ordered, fixed, computed), ``bounds`` and ``scale`` (linear,
        log) or ``step``, or ``values``, which ordered ones may have a ``scale`` of, or ``value``, of what is
        computed a formula of others, as ``"100 - resin"``; and perhaps a ``unit``. Numbers and arrays of
        numpy become Python's. ``travel`` beside bounds is how far a setting may go from one evaluation to the
        next, by a factor where the scale is log; ``tolerance``, of a float or of ordered numbers, by how much
        what is built may be off, in its own units; ``change`` what it takes to change it, as ``"20 min"`` or
        ``{"takes": 120, "per": 10}``, in seconds. ``least`` beside a float's bounds from 0: it is 0, or at
        least so much.

        ``constraints``: texts such as ``"inner < outer"``, or ``"resin + filler == 100"``, by which one of
        these parameters is computed (`equalities`). ``when`` in a mapping says when that parameter
        counts, as ``{"optimiser": "sgd"}`` or ``"layers >= 2"``, and ``otherwise`` what it is elsewhere.

        Raises SpecError for anything else.
        """
        told = described_space(description, constraints)
        return cls(
            told.parameters,
            told.fixed,
            told.constraints,
            told.conditions,
            told.travel,
            told.tolerances,
            told.computed,
            candidates,
            told.in_use,
            told.priors,
            told.changes,
            told.hunches,
        )

    @cached_property
    def domain(self) -> Domain:
        """The feasible set in the unit cube, in the order of the parameters."""
        ties = self.ties if self.rows is None else self.rows.row_ties
        return Domain(tuple(p.coordinate for p in self.parameters), ties, self.activity)

    @cached_property
    def parts_held(self) -> dict[object, Domain]:
        """The part where some were held last, by how: to find its points takes as long as to choose one."""
        return {}

    def require_feasible_points(self) -> None:
        """Raises SpecError if no point is found that satisfies the constraints: O(1) where there are none."""
        if self.ties is None:
            return
        try:
            self.domain.require_feasible_points()
        except NoFeasiblePoint:
            if self.rows is not None:
                texts = "`, `".join(self.required)
                raise SpecError(
                    f"no row of the candidates satisfies `{texts}`; loosen it, or list others"
                ) from None
            told = "`, `".join(self.required)
            follow = [f"`{one.name}` is `{one.text}`" for one in self.computed if one.bounds is not None]
            where = f", where {' and '.join(follow)}" if follow else ""
            them = "them" if len(self.required) > 1 else "it"
            raise SpecError(
                f"no point within the bounds was found that satisfies `{told}`{where}; loosen {them}, or"
                " widen the bounds"
            ) from None

    @property
    def required(self) -> tuple[str, ...]:
        """The constraints, what the bounds of computed parameters ask for, and least amounts, in words."""
        ties = () if self.ties is None else self.ties.constraints
        return tuple(in_words(constraint.text) for constraint in ties)

    def broken_by(self, parameters: Values) -> tuple[str, ...]:
        """The constraints, as they were written, that parameters do not satisfy. What is `nearest` them is
        for `encode`, which raises SpecError for others, but they are judged as they are.
        """
        if self.ties is None and self.rows is None:
            return ()
        point = self.encode(self.nearest(parameters))
        of_none = () if self.rows is None or self.rows.number(point) is not None else (ONE_OF_THEM,)
        return of_none if self.ties is None else self.ties.broken_by_values(parameters, point) + of_none

    def no_row(self, parameters: Values) -> str:
        """That parameters are those of no candidate, and which is nearest; nothing where they are, or where
        there are no candidates.
        """
        return "" if self.rows is None else self.rows.no_row(self.encode(self.nearest(parameters)))

    def row_of(self, parameters: Values) -> int | None:
        """The number of the candidate that parameters are of; None of none."""
        return None if self.rows is None else self.rows.number(self.encode(self.nearest(parameters)))

    def always_hold(self, count: int) -> tuple[str, ...]:
        """The constraints, as they were written, that so many random points and corners all satisfy."""
        if self.ties is None:
            return ()
        rng = np.random.default_rng(count)
        points = self.domain.untied.sample(count, rng)
        ends = self.domain.untied.rounded(rng.random(points.shape).round())
        return self.ties.always_hold(np.vstack([points, ends]))

    def suggested(self, point: FloatArray) -> dict[str, Any]:
        """`decode`, of a (D,) point that an algorithm suggests to evaluate.

        Raises OptimiserError for one that does not satisfy the constraints: nothing evaluates such a point.
        """
        if self.rows is not None and self.rows.number(np.asarray(point, dtype=float)) is None:
            raise OptimiserError(
                f"expected a suggestion of one of the candidates, got {self.decode(point)}; the algorithm"
                " does not keep to them"
            )
        if self.ties is not None and (broken := self.ties.broken_by(np.asarray(point, dtype=float))):
            raise OptimiserError(
                f"expected a suggestion that satisfies `{'`, `'.join(broken)}`, got {self.decode(point)};"
                " the algorithm does not keep to the constraints"
            )
        return self.decode(point)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """(D,) the parameters' names, without the fixed ones."""
        return tuple(p.name for p in self.parameters)

    @property
    def units(self) -> Mapping[str, str]:
        """Of the parameters, by name; empty of one that has none."""
        return {parameter.name: parameter.unit for parameter in self.parameters}

    @property
    def given_names(self) -> tuple[str, ...]:
        """Theirs, those of the computed ones, and those of what goes with candidates."""
        return (*self.names, *(one.name for one in self.computed), *self._with_rows)

    @property
    def _with_rows(self) -> tuple[str, ...]:
        return () if self.candidates is None else self.candidates.given

    def decode(self, point: FloatArray) -> dict[str, Any]:
        """A (D,) point to native Python values of the parameters that count there, then of those that are
        computed from them, the fixed ones last.
        """
        if np.shape(point) != (len(self.parameters),):
            raise ValueError(
                f"expected a point of {len(self.parameters)} positions, got shape {np.shape(point)}"
            )
        counts = self.domain.active(np.asarray(point, dtype=float)[None, :])[0]
        told = {
            p.name: p.decode(float(x))
            for p, x, own in zip(self.parameters, point, counts, strict=True)
            if own
        }
        if self.rows is not None:
            told |= self.rows.exactly(np.asarray(point, dtype=float))
        if self.following is not None:
            told |= self.following.of(told)
        return told | dict(self.fixed)

    def counted(self, parameters: Values) -> dict[str, object]:
        """Parameters, what is `nearest` which is for `encode`, without those that do not count."""
        counts = self._counts_at(self.encode(self.nearest(parameters)))
        counted = {name: value for name, value in parameters.items() if counts.get(name, True)}
        return dict(self.completed(counted))

    def completed(self, parameters: Values) -> Values:
        """Parameters with what is computed from them, and what goes with their row, whatever was told."""
        if self.rows is not None:
            others = {name: value for name, value in parameters.items() if name not in self._with_rows}
            parameters = {**others, **self.rows.exactly(self.encode(self.nearest(others)))}
        return parameters if self.following is None else self.following.with_them(parameters)

    def given(self, parameters: Values) -> dict[str, object]:
        """What an evaluator is given for parameters: with those that do not count as they are otherwise, and
        without those that are for models alone.
        """
        return without(self.candidates, self.told_of(parameters))

    def told_of(self, parameters: Values) -> dict[str, object]:
        """What is kept of them, and told another search: the same with those that are for models alone."""
        return otherwise(self.conditions, parameters)

    def encode(self, parameters: Values) -> FloatArray:
        """Values to a (D,) point. Fixed parameters may be left out, and so may those that do not count, of
        which what is given is not looked at, and those that are computed.

        Raises SpecError, naming the parameter, what was expected and what came, for one that is missing,
        unknown, of the wrong kind or out of bounds, or does not follow from the others, as one computed does.
        """
        point, wrong = self._positions(parameters)
        for error in wrong.values():
            raise error
        return self.domain.folded(point)

    def as_meant(self, parameters: Values) -> Values:
        """Parameters as results from elsewhere may have them, numbers that were rounded as they were.
        Anything else is as it came.
        """
        if not isinstance(parameters, Mapping):
            return parameters
        there = [p for p in self.parameters if p.name in parameters]
        own = {p.name: p.as_meant(parameters[p.name]) for p in there}
        return {**parameters, **own}

    def nearest(self, parameters: Values) -> Values:
        """Parameters as results from elsewhere may have them, numbers between two that a parameter takes as
        the nearer one, then without what is computed from what came. Anything else is as it came.
        """
        if not isinstance(parameters, Mapping):
            return parameters
        own = {p.name: p.nearest(parameters[p.name]) for p in self.parameters if p.name in parameters}
        if self.following is None or all(own[name] is parameters[name] for name in own):
            return {**parameters, **own}
        computed = self.following.sources.keys() - self.following.mistakes(parameters).keys()
        return {name: value for name, value in {**parameters, **own}.items() if name not in computed}

    def mistakes(self, parameters: Values) -> dict[str, SpecError]:
        """By name, what is wrong with the values of those that count; empty where `encode` takes them.

        Raises SpecError for one that is unknown, and a fixed one that has another value.
        """
        return self._positions(parameters)[1]

    def _positions(self, parameters: Values) -> tuple[FloatArray, dict[str, SpecError]]:
        """A (D,) point, and by name why there is no position of a parameter that counts there."""
        if not isinstance(parameters, Mapping):
            raise SpecError(f"expected parameters as a mapping of their names to values, got {parameters!r}")
        known = [*self.names, *self.fixed, *self.given_names[len(self.names) :]]
        for name in parameters:
            if name not in known:
                raise is_not_given(name, self.given_names, known)
        for name, value in self.fixed.items():
            if name in parameters and not same(value, parameters[name]):
                raise mismatch(name, f"its fixed value {value!r}", parameters[name])
        point = np.zeros(len(self.parameters)) if self.activity is None else np.array(self.activity.resting)
        wrong: dict[str, SpecError] = {}
        for j, parameter in enumerate(self.parameters):
            try:
                point[j] = parameter.encode(self._value(parameter.name, parameters))
            except SpecError as mistake:
                wrong[parameter.name] = mistake
        if not wrong:
            return point, self._disagreeing(parameters, point)
        counts = self._counts_at(point)
        wrong = {name: error for name, error in wrong.items() if counts[name]}
        doubtful = depending_on(wrong, self.conditions)
        return point, {name: error for name, error in wrong.items() if name not in doubtful}

    def _disagreeing(self, parameters: Values, point: FloatArray) -> dict[str, SpecError]:
        """What is told of those that are computed, and does not follow from what counts at a (D,) point."""
        if self.rows is not None and (wrong := self.rows.disagreeing(parameters, point)):
            return wrong
        if self.following is None:
            return {}
        counts = self._counts_at(point)
        return self.following.mistakes({n: x for n, x in parameters.items() if counts.get(n, True)})

    def _counts_at(self, point: FloatArray) -> dict[str, bool]:
        """By name, whether a parameter counts at a (D,) point."""
        return dict(zip(self.names, self.domain.active(point[None, :])[0].tolist(), strict=True))

    def _value(self, name: str, parameters: Values) -> object:
        if name in parameters:
            return parameters[name]
        counts = f"; it counts where {self.conditions[name].words}" if name in self.conditions else ""
        raise MissingValue(f"parameter `{name}`: expected a value, but it is missing{counts}")

    def index(self, name: str) -> int:
        """The number of a parameter. Raises SpecError for a name that is not one."""
        if found := [one for one in self.computed if one.name == name]:
            raise is_computed(found[0], self.names)
        if name not in self.names:
            raise is_unknown(name, self.names)
        return self.names.index(name)
