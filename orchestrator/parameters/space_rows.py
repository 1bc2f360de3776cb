"""The candidates of a space as the unit cube has them: which row parameters are, and where rows lie.

Notation: R rows, A coordinates that they are of, D coordinates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.errors import SpecError
from orchestrator.expressions.conditions import Condition
from orchestrator.parameters.kinds import ChoiceParameter, Parameter
from orchestrator.parameters.ordered import OrderedParameter
from orchestrator.parameters.space_constraints import SpaceConstraints
from orchestrator.parameters.values import mismatch
from orchestrator.unit_cube.row_region import RowTies
from orchestrator.unit_cube.rows import Rows
from orchestrator.values.candidates import Candidates, alike, are_numbers
from orchestrator.values.finite import in_short

NO_CONDITIONS = "expected no `when` beside `candidates`: whether a parameter counts would follow from the row"
NO_COUNTS = "expected counts and least amounts of the candidates' columns alone, got them of other parameters"


@dataclass(frozen=True)
class SpaceRows:
    """D ``parameters``, some of which have a row of the ``candidates`` together; ``ties`` hold besides."""

    parameters: tuple[Parameter, ...]
    candidates: Candidates
    ties: SpaceConstraints | None = None

    @cached_property
    def rows(self) -> Rows:
        """All that were listed, whatever the constraints say."""
        return _rows_of(self.parameters, self.candidates)

    @cached_property
    def row_ties(self) -> RowTies:
        """What ties points to those rows that satisfy the constraints, where these are about no others."""
        rows, D, ties = self.rows, len(self.parameters), self.ties
        if ties is None:
            return RowTies(rows, D)
        free = np.ones(D, dtype=bool)
        free[rows.axes] = False
        if (ties.named & free).any():
            return RowTies(rows, D, ties)
        points = rows.put(np.zeros((len(rows), D)), np.arange(len(rows)))
        return RowTies(rows.among(ties.hold_as_told(points, self._listed_numbers)), D)

    @property
    def _listed_numbers(self) -> dict[str, FloatArray]:
        """By name (R,) of the columns that are numbers: one on the edge of a constraint lies within it."""
        columns = {name: self.candidates.by_name[name] for name in self.candidates.names}
        return {
            name: np.array(column, dtype=float) for name, column in columns.items() if are_numbers(column)
        }

    def number(self, point: FloatArray) -> int | None:
        """Which row a (D,) point is of, or None."""
        found = int(self.rows.numbers(point[None, :])[0])
        return None if found < 0 else found

    def exactly(self, point: FloatArray) -> dict[str, Any]:
        """The values of a (D,) point's row as they were listed, and what is given with it; empty of none."""
        number = self.number(point)
        return {} if number is None else self.candidates.row(number)

    def no_row(self, point: FloatArray) -> str:
        """That a (D,) point is of no row, and which one is nearest to it; or nothing."""
        if self.number(point) is not None:
            return ""
        nearest = self.candidates.row(int(self.rows.nearest(point[None, :])[0]))
        said = ", ".join(f"{name} = {in_short(value)}" for name, value in nearest.items())
        return f"expected a point of one of the candidates, got one of none; the nearest has {said}"

    def disagreeing(self, parameters: Mapping[str, Any], point: FloatArray) -> dict[str, SpecError]:
        """What is told to go with the row of a (D,) point, and does not."""
        goes_with, listed = self.exactly(point), self.candidates
        wrong: dict[str, SpecError] = {}
        for name in listed.given:
            told = parameters.get(name)
            if told is not None and not listed.goes_with_any(name, told):
                names = list(map(str, listed.by_name[name]))
                wrong[name] = mismatch(name, f"one of the candidates' {len(names):,}", told, names)
            elif told is not None and name in goes_with and not listed.is_same(name, told, goes_with[name]):
                sentence = f"expected {in_short(goes_with[name])}, which goes with that row of the candidates"
                wrong[name] = SpecError(f"parameter `{name}`: {sentence}, got {in_short(told)}")
        return wrong


def space_rows(
    parameters: tuple[Parameter, ...],
    candidates: Candidates | None,
    ties: SpaceConstraints | None,
    conditions: Mapping[str, Condition],
) -> SpaceRows | None:
    """Those of a space, or None. Raises SpecError for rows that cannot be told apart or are no values of
    their parameters, and for what they cannot be beside.
    """
    if candidates is None:
        return None
    known = [parameter.name for parameter in parameters]
    if missing := [name for name in candidates.names if name not in known]:
        raise SpecError(f"candidates: expected a parameter `{missing[0]}`, as the column is called, got none")
    if conditions:
        raise SpecError(f"parameter `{next(iter(conditions))}`: {NO_CONDITIONS}")
    found = SpaceRows(parameters, candidates, ties)
    # So that what is wrong with them is said at once.
    axes = found.rows.axes
    subsets = None if ties is None else ties.subsets
    if subsets is not None and not set(subsets.coordinates) <= set(axes.tolist()):
        raise SpecError(f"candidates: {NO_COUNTS}")
    return found


@lru_cache(maxsize=4)
def _rows_of(parameters: tuple[Parameter, ...], candidates: Candidates) -> Rows:
    """Made once: a spec is built into a space again and again. Raises SpecError."""
    index = {parameter.name: j for j, parameter in enumerate(parameters)}
    axes = np.array([index[name] for name in candidates.names], dtype=np.intp)
    own = [parameters[j] for j in axes]
    columns = [_encoded(parameter, candidates.by_name[parameter.name]) for parameter in own]
    unordered = np.array([isinstance(parameter, ChoiceParameter) for parameter in own], dtype=bool)
    rows = Rows(axes, np.stack(columns, axis=1), unordered, once=not candidates.again)
    if (pair := rows.too_near()) is not None:
        raise SpecError(f"candidates: row {pair[1] + 1}: {alike(f'in row {pair[0] + 1}, but for rounding')}")
    return rows


def _encoded(parameter: Parameter, values: Sequence[Any]) -> FloatArray:
    """(R,) positions. Raises SpecError."""
    if isinstance(parameter, ChoiceParameter | OrderedParameter):
        known: dict[tuple[bool, Any], float] = {}
        for value in values:
            key = (isinstance(value, bool), value)
            if key not in known:
                known[key] = parameter.encode(value)
        return np.array([known[isinstance(value, bool), value] for value in values])
    return np.array([parameter.encode(value) for value in values])
