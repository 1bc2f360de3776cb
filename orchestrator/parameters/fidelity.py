"""How closely an evaluation looks, where it may look less closely for less: fewer cells of a mesh, fewer
seconds that are simulated.

What is learned with less than full fidelity says something of what full fidelity would show, and is no best
result itself.

Notation: L levels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.errors import SpecError
from orchestrator.expressions.arithmetic import ArithmeticMistake, Expression, Formula, names_in
from orchestrator.expressions.values import values_of
from orchestrator.parameters.kinds import ChoiceParameter, Parameter
from orchestrator.parameters.space import Space
from orchestrator.spelling import did_you_mean, listed
from orchestrator.unit_cube.feasible_region import NoFeasiblePoint
from orchestrator.unit_cube.fidelity_levels import LEAST_REST, Levels
from orchestrator.unit_cube.learned_costs import LearnedCosts
from orchestrator.values.finite import is_number
from orchestrator.values.named import Value, Values

MOST_LEVELS = 12
"""Of more values of the parameter so many are chosen from, evenly spread over the unit cube."""

Cost: TypeAlias = str | Mapping[Any, float]
"""Of an evaluation, in any unit: arithmetic of the parameter, as ``"cells ** 2"``, or each value's."""

# Nothing is taken to cost less before it is known what evaluations cost.
LEAST_GRANTED = 0.01

NO_HUNCH = "how closely an evaluation looks is chosen by what that costs and tells"


class FidelityMistake(SpecError):
    """What cannot be, and which part of what was told it is ``about``."""

    def __init__(self, about: Literal["parameter", "full", "cost"], sentence: str) -> None:
        super().__init__(sentence)
        self.about: Literal["parameter", "full", "cost"] = about


@dataclass(frozen=True, eq=False)
class Fidelity:
    """A ``parameter`` by which evaluations are told how closely to look, its value at ``full`` fidelity, and
    what an evaluation costs; None where that is learned.
    """

    parameter: Parameter
    full: Value
    levels: Levels
    _cost: Expression | Mapping[object, float] | None

    @classmethod
    def of(
        cls,
        space: Space,
        name: str,
        cost: Cost | None,
        full: Value = None,
        budget: float | None = None,
        *,
        continues: bool = False,
    ) -> Fidelity:
        """``full`` is the first or the last value of the parameter; None: the last, an upper bound. ``cost``
        None: it is learned from the seconds that evaluations take, and until then in proportion to the value.
        ``continues``: an evaluation may go on from what a less close look at the same settings left.

        Raises FidelityMistake for a parameter that does not exist, is a choice, does not always count or is
        said to be promising somewhere, for another value in between, and for costs that are not positive, or
        higher elsewhere than where it is full, or no higher where evaluations that go on look more closely;
        ArithmeticMistake for a cost that cannot be read.
        """
        parameter = _named(space, name)
        if name in space.hunches:
            raise FidelityMistake("parameter", f"expected no `promising` of `{name}`: {NO_HUNCH}")
        ends = (parameter.decode(0.0), parameter.decode(1.0))
        try:
            highest = ends[1] if full is None else parameter.decode(parameter.encode(full))
        except SpecError as mistake:
            raise FidelityMistake("full", str(mistake)) from None
        if highest not in ends:
            raise FidelityMistake(
                "full",
                f"expected full fidelity at one end of `{name}`, {ends[0]!r} or {ends[1]!r}, got {full!r};"
                " narrow its bounds",
            )
        positions = _positions(parameter, highest)
        coordinate = space.names.index(name)
        if cost is None:
            granted = _granted(parameter, positions)
            levels = Levels(coordinate, positions, granted, budget, learned=True, continues=continues)
            return cls(parameter, highest, levels, None)
        read = _read(cost, parameter)
        paid = np.array([_paid(read, parameter.name, parameter.decode(float(p))) for p in positions])
        _refuse_costs(paid, parameter, positions)
        if continues:
            _refuse_lower_costs(paid, parameter, positions)
        levels = Levels(coordinate, positions, paid / paid[-1], budget, continues=continues)
        return cls(parameter, highest, levels, read)

    def require_feasible_points(self, space: Space) -> None:
        """Raises SpecError if the constraints on parameters leave no point at full fidelity, where the best
        is sought: O(1) where there are none.
        """
        space.require_feasible_points()
        if space.ties is None:
            return
        try:
            space.domain.holding({self.levels.coordinate: self.levels.full}).require_feasible_points()
        except NoFeasiblePoint:
            raise SpecError(
                f"no point at full fidelity, `{self.condition}`, was found that satisfies"
                f" `{'`, `'.join(space.required)}`; loosen that, or say `full` if it is the other end"
            ) from None

    @property
    def name(self) -> str:
        """The parameter's."""
        return self.parameter.name

    def learning(self) -> LearnedCosts | None:
        """What is to learn of costs; None where they are told."""
        return LearnedCosts(self.levels) if self._cost is None else None

    def costing(self, costs: Sequence[float]) -> Fidelity:
        """The same, of which (L,) costs are known by now."""
        return replace(self, levels=replace(self.levels, costs=np.array(costs)))

    def cost(self, parameters: Values, learned: LearnedCosts | None = None) -> float:
        """What an evaluation of such parameters costs, perhaps as ``learned`` so far: 1 at full fidelity, and
        nowhere more. Between levels, where costs were not looked at, it is 1 where nobody can say.
        """
        if self._cost is None:
            levels = self.levels if learned is None else learned.levels
            return levels.cost_at(self._position(parameters))
        value = self.parameter.decode(self._position(parameters))
        share = _paid(self._cost, self.name, value) / _paid(self._cost, self.name, self.full)
        return min(share, 1.0) if share > 0.0 else 1.0

    def rest(self, parameters: Values, begun: Values, learned: LearnedCosts | None = None) -> float:
        """What is left to pay for an evaluation that goes on from one of ``begun`` parameters."""
        return max(self.cost(parameters, learned) - self.cost(begun, learned), LEAST_REST)

    def is_full(self, parameters: Values) -> bool:
        """Whether parameters, which are for `Space.encode`, are at full fidelity."""
        return self._position(parameters) == self.levels.full

    @property
    def values(self) -> list[Value]:
        """Its L values that are chosen from, full fidelity last."""
        return [self.parameter.decode(float(position)) for position in self.levels.positions]

    def _position(self, parameters: Values) -> float:
        return self.parameter.encode(self.parameter.nearest(parameters[self.name]))

    @property
    def condition(self) -> str:
        """What the best result satisfies: ``cells = 400``."""
        return f"{self.name} = {self.full}"


def _named(space: Space, name: str) -> Parameter:
    if name in space.fixed:
        raise FidelityMistake(
            "parameter",
            f"expected a parameter that varies to choose fidelity by, got `{name}`, which is fixed",
        )
    if name not in space.names:
        known = list(space.names)
        raise FidelityMistake(
            "parameter",
            f"expected the parameter that says how closely to look, one of {listed(known)}, got `{name}`"
            f"{did_you_mean(str(name), known)}",
        )
    parameter = space.parameters[space.names.index(name)]
    if isinstance(parameter, ChoiceParameter):
        raise FidelityMistake(
            "parameter",
            f"expected a parameter with an order to choose fidelity by, got `{name}`, a choice; with"
            " `type: ordered` its values have one",
        )
    if parameter.periodic:
        raise FidelityMistake(
            "parameter",
            f"expected a parameter with two ends to choose fidelity by, got `{name}`, which comes round",
        )
    if name in space.conditions:
        raise FidelityMistake(
            "parameter",
            f"expected a parameter that always counts to choose fidelity by, got `{name}`, which counts only"
            f" where {space.conditions[name].words}",
        )
    return parameter


def _read(cost: Cost, parameter: Parameter) -> Expression | Mapping[object, float]:
    """Raises ArithmeticMistake, which says at which character, for a text that cannot be read."""
    name = parameter.name
    if isinstance(cost, Mapping):
        return dict(cost)
    if isinstance(parameter.decode(0.0), str):
        raise FidelityMistake(
            "cost",
            f"expected the cost of an evaluation for each value of `{name}`, as"
            f" {{{parameter.decode(0.0)}: 1, {parameter.decode(1.0)}: 40}}, got {cost!r}",
        )
    if not isinstance(cost, str):
        raise FidelityMistake("cost", f"{_of(name)}, or for each of its values, got {cost!r}")
    try:
        formula = Formula.of(cost)
    except ArithmeticMistake as mistake:
        sentence = f"{_of(name)}, got `{cost[:60]}`, which cannot be read here"
        raise ArithmeticMistake(sentence, mistake.offset) from None
    expression = formula.expression(formula.root)
    for one in names_in(expression):
        if one.name != name:
            sentence = f"expected a cost that depends on `{name}` alone, got `{one.name}`"
            raise ArithmeticMistake(sentence, one.offset)
    return expression


def _of(name: str) -> str:
    return f"expected the cost of an evaluation as arithmetic of `{name}`, as `{name} ** 2`"


def _positions(parameter: Parameter, full: Value) -> FloatArray:
    """(L,) distinct, full fidelity last."""
    listed_ones = parameter.coordinate.positions
    if listed_ones and len(listed_ones) <= MOST_LEVELS:
        positions = np.array(listed_ones)
    else:
        even = np.linspace(0.0, 1.0, MOST_LEVELS)
        positions = np.unique([parameter.encode(parameter.decode(float(p))) for p in even])
    return positions if positions[-1] == parameter.encode(full) else positions[::-1].copy()


def _granted(parameter: Parameter, positions: FloatArray) -> FloatArray:
    """(L,) costs that are in proportion to the value, or, where the lowest is full fidelity, to one over it;
    of values that are no numbers, or not all above 0, to how many there are so far.
    """
    values = [parameter.decode(float(position)) for position in positions]
    shares = np.arange(1, len(values) + 1) / len(values)
    if all(is_number(value) and value > 0 for value in values):
        numbers = np.array(values, dtype=np.float64)
        shares = np.minimum(numbers / numbers[-1], numbers[-1] / numbers)
    return np.maximum(shares, LEAST_GRANTED)


def _paid(cost: Expression | Mapping[Any, float], name: str, value: Any) -> float:
    """Of an evaluation at a value, in the unit in which it was told; NaN if it has none."""
    if isinstance(cost, Mapping):
        told = cost.get(value, math.nan)
        return float(told) if is_number(told) else math.nan
    return float(values_of(cost, {name: np.array([float(value)])}, 1)[0])


def _refuse_costs(paid: FloatArray, parameter: Parameter, positions: FloatArray) -> None:
    for position, cost in zip(positions, paid, strict=True):
        value = parameter.decode(float(position))
        if not (math.isfinite(cost) and cost > 0.0):
            raise FidelityMistake(
                "cost",
                f"expected a cost above 0 wherever `{parameter.name}` may be, got"
                f" {'none' if math.isnan(cost) else f'{cost:g}'} where it is {value}",
            )
        if cost > paid[-1]:
            full = parameter.decode(float(positions[-1]))
            raise FidelityMistake(
                "cost",
                f"expected an evaluation to cost most at full fidelity, where `{parameter.name}` is {full},"
                f" got {cost:g} where it is {value} and {paid[-1]:g} there; say `full` if the other end is",
            )


def _refuse_lower_costs(paid: FloatArray, parameter: Parameter, positions: FloatArray) -> None:
    """Of (L,) costs, towards full fidelity, where evaluations go on: each pays what it costs more."""
    for level in np.flatnonzero(np.diff(paid) <= 0.0):
        less, more = (parameter.decode(float(positions[one])) for one in (level, level + 1))
        raise FidelityMistake(
            "cost",
            "expected an evaluation to cost more the more closely it looks, where it `continues`, got"
            f" {paid[level + 1]:g} where `{parameter.name}` is {more} and {paid[level]:g} where it is {less}",
        )
