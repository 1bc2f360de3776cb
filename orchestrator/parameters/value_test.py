"""Where in the unit cube a parameter has one of some values.

Notation: n points, D coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.expressions.one_of import OneOf
from orchestrator.parameters.kinds import ChoiceParameter, Parameter
from orchestrator.parameters.ordered import OrderedParameter
from orchestrator.values.same import alike

Test = Callable[[FloatArray], BoolArray]
"""(n,) whether something holds at (n, D) points."""


def value_test(term: OneOf, parameters: Sequence[Parameter], fixed: Mapping[str, Any]) -> Test:
    """What tells of points at which a term holds, of one of D parameters, or of one that is fixed."""
    j = next((j for j, parameter in enumerate(parameters) if parameter.name == term.parent), None)
    if j is None:
        return partial(_everywhere, _among(fixed[term.parent], term.values))
    parameter = parameters[j]
    if isinstance(parameter, ChoiceParameter):
        return partial(
            _of_choice, parameter, j, np.array([_among(own, term.values) for own in parameter.values])
        )
    if isinstance(parameter, OrderedParameter):
        found = [parameter.index_of(value) for value in term.values]
        return partial(
            _of_ordered, parameter, j, np.array([i for i in found if i is not None], dtype=np.intp)
        )
    return partial(_of_numbers, parameter, j, np.array(term.values, dtype=float))


def _everywhere(holds: bool, points: FloatArray) -> BoolArray:
    return np.full(len(points), holds)


def _of_choice(parameter: ChoiceParameter, j: int, table: BoolArray, points: FloatArray) -> BoolArray:
    return table[parameter.indices(points[:, j])]


def _of_ordered(parameter: OrderedParameter, j: int, among: IndexArray, points: FloatArray) -> BoolArray:
    return np.isin(parameter.indices(points[:, j]), among)


def _of_numbers(parameter: Parameter, j: int, among: FloatArray, points: FloatArray) -> BoolArray:
    return np.isin(parameter.numbers(points[:, j]), among)


def _among(value: Any, values: Iterable[Any]) -> bool:
    return any(alike(value, other) for other in values)
