"""What models say of points whose settings are off by a little.

Notation: D parameters, T of them with a tolerance, k points, m ways to be off, C outcomes with constraints.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.mixture.success_belief import SuccessBelief
from orchestrator.arrays import FloatArray
from orchestrator.expressions.constraints import Constraint
from orchestrator.expressions.values import hold_at
from orchestrator.parameters.space import Space
from orchestrator.sensitivity.analysis import problem_of_one
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import AT_ONCE, ResultsModel
from orchestrator.sensitivity.tolerances import Tolerances
from orchestrator.sensitivity.value_model import ValueModel

POOR = 0.05
"""The share of the values that are poorer than the poor one that is told."""


@dataclass(frozen=True, eq=False)
class OutcomeModels:
    """``models`` of outcomes, by name, and the ``constraints`` on them, which may name parameters of the
    ``space``, too; and the value, by its ``own`` name, if it has one there. ``reference``: the (D,) point
    that constraints are relative to what is believed at, if any is.
    """

    space: Space
    constraints: tuple[Constraint, ...]
    models: Mapping[str, ResultsModel]
    own: str = ""
    reference: FloatArray | None = None

    @classmethod
    def fitted(
        cls,
        problem: Problem,
        space: Space,
        constraints: tuple[Constraint, ...],
        told: Mapping[str, Measured],
        fitted: Callable[[Problem, Measured], ResultsModel] = ResultsModel.fitted,
        own: str = "",
    ) -> OutcomeModels:
        """To what was ``told`` of outcomes, by name, where the value has a ``problem``: ``fitted`` so."""
        alone = problem_of_one(problem, first=False)
        models = {name: fitted(alone, measured) for name, measured in told.items()}
        return cls(space, constraints, models, own)

    def relative_to(self, reference: FloatArray | None) -> OutcomeModels:
        """The same, where constraints that are relative to the reference are so to what is believed of a (D,)
        point, as far as there are models, and no more to what was measured there.
        """
        if reference is None:
            return self
        modelled, written = {*self.models, self.own}, [one.as_written for one in self.constraints]
        constraints = [
            relative if relative.referred and modelled.issuperset(relative.referred) else one
            for one, relative in zip(self.constraints, written, strict=True)
        ]
        if not any(one.referred for one in constraints):
            return self
        return replace(self, constraints=tuple(constraints), reference=reference)

    @property
    def referred(self) -> tuple[str, ...]:
        """The outcomes whose values there constraints name."""
        return tuple(dict.fromkeys(name for one in self.constraints for name in one.referred))

    def hold(
        self, points: FloatArray, off: FloatArray, known: Mapping[str, FloatArray], luck: FloatArray
    ) -> FloatArray:
        """(k,) the share of the ways to be off in which all of them hold: at (k m, D) positions ``off`` of
        (k, D) points, where some parameters have the ``known`` (k m,) values, and outcomes are drawn
        of what is believed as (m, C) ``luck`` in (0, 1) says, of each outcome its own.
        """
        if not self.constraints:
            return np.ones(len(points))
        drawn = {
            name: model.drawn(off, np.tile(own, len(points)))
            for (name, model), own in zip(self.models.items(), luck.T, strict=True)
        }
        return self.share(points, {**known, **drawn}, len(luck))

    def share(self, points: FloatArray, known: Mapping[str, FloatArray], ways: int) -> FloatArray:
        """(k,) the share of so many ways, m, in which all of them hold at (k, D) points: outcomes, and some
        parameters, have the ``known`` (k m,) values, those of each point together, others are as set.
        """
        count = len(points) * ways
        values = {name: np.full(count, value) for name, value in _numbers(self.space.fixed).items()}
        values |= self._of_parameters(points, ways)
        values |= known
        holds = np.ones(count, dtype=bool)
        for constraint in self.constraints:
            holds &= hold_at(constraint, values, count)
        return np.asarray(holds.reshape(len(points), ways).mean(axis=1))

    def _of_parameters(self, points: FloatArray, ways: int) -> dict[str, FloatArray]:
        """By name (k m,) values, as set, of those that are named."""
        named = {name.name for constraint in self.constraints for name in constraint.names}
        told = [_numbers(self.space.decode(point)) for point in points]
        return {
            name: np.repeat([one.get(name, math.nan) for one in told], ways)
            for name in named & set(self.space.given_names)
        }


def _numbers(told: Mapping[str, object]) -> dict[str, float]:
    return {name: float(value) for name, value in told.items() if isinstance(value, int | float)}


@dataclass(frozen=True, eq=False, slots=True)
class Behaviour:
    """Of one (D,) ``point``: the value expected ``as_set``; the ``average`` of what is expected where it is
    off, and the ``poor`` value that one in twenty is poorer than; and how likely it is, both what is off and
    what the models do not know being left to chance, to be ``satisfied`` of all constraints on outcomes, 1
    where there are none. ``succeeds``: how likely an evaluation is to give a value where it is off, 1 where
    none has failed.
    """

    point: FloatArray
    as_set: float
    average: float
    poor: float
    satisfied: float
    succeeds: float = 1.0


@dataclass(frozen=True, eq=False)
class Tolerated:
    """What models say of points that are off within ``tolerances``. ``sign``: -1 where low is good.
    ``success``: what is believed of it, if an evaluation has failed.
    """

    tolerances: Tolerances
    model: ValueModel
    outcomes: OutcomeModels
    sign: float
    success: SuccessBelief | None = None

    def drawn(self, count: int, rng: np.random.Generator) -> FloatArray:
        """(m, T + C) numbers in (0, 1), as `Tolerances` draws them: of each row the last C are for what the
        models of outcomes do not know, each by itself.
        """
        return self.tolerances.drawn(count, rng, len(self.outcomes.models))

    def roughly(self, points: FloatArray, drawn: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(k,) averages of the value at (k, D) points, (k,) shares satisfied, and (k,) chances of success."""
        off, known = self.tolerances.around(points, drawn)
        average = self.model.expected(off).reshape(len(points), -1).mean(axis=1)
        satisfied = self.outcomes.hold(points, off, known, self._luck(drawn))
        return average, satisfied, self.chances(off).reshape(len(points), -1).mean(axis=1)

    def chances(self, points: FloatArray) -> FloatArray:
        """(k,) that an evaluation succeeds at (k, D) points as they are: O(n^2 k)."""
        if self.success is None:
            return np.ones(len(points))
        domain = self.tolerances.space.domain
        blocks = [
            self.success.probability(domain.embed(points[start : start + AT_ONCE]))
            for start in range(0, len(points), AT_ONCE)
        ]
        return np.concatenate(blocks)

    def behaviour(self, point: FloatArray, drawn: FloatArray) -> Behaviour:
        """Of one (D,) point."""
        one = point[None, :]
        off, known = self.tolerances.around(one, drawn)
        values = self.sign * self.model.expected(off)
        return Behaviour(
            point,
            float(self.model.expected(one)[0]),
            self.sign * float(values.mean()),
            self.sign * float(np.quantile(values, POOR)),
            float(self.outcomes.hold(one, off, known, self._luck(drawn))[0]),
            float(self.chances(off).mean()),
        )

    def _luck(self, drawn: FloatArray) -> FloatArray:
        return drawn[:, len(self.tolerances.widths) :]
