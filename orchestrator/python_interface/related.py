"""What callers tell of related experiments: tables of results, of which some parameters may be missing."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from orchestrator.algorithms.base import RelatedResults
from orchestrator.errors import SpecError, UsageError
from orchestrator.parameters.related_points import related_points
from orchestrator.parameters.space import Space
from orchestrator.python_interface.columns import Columns
from orchestrator.python_interface.outcomes import value_of
from orchestrator.python_interface.table import Rows, is_column, rows_of
from orchestrator.spec.sections.initial import FEWEST_RELATED, refusal_of_many
from orchestrator.spelling import did_you_mean

ToldRelated: TypeAlias = Rows | Sequence[Rows]
OF_CALLER = 6
"""Whose line a warning names: above `_experiment`, `related_of`, `Experiment.of` and `Optimiser`."""


@dataclass(frozen=True, slots=True)
class RelatedColumns(Columns):
    """Those of a related experiment, which need not have had all parameters."""

    def require(self, names: Sequence[object]) -> None:
        """Raises UsageError where there is no value, or no parameter at all."""
        known = [str(name) for name in names]
        if not any(name in known for name in self.space.names):
            near = did_you_mean(self.space.names[0], known)
            raise UsageError(
                "expected of a related experiment a column for at least one of the parameters"
                f" ({', '.join(self.space.names)}), got none{near}"
            )
        if self.value not in known:
            near = did_you_mean(self.value, known)
            raise UsageError(f"expected of a related experiment a column `{self.value}`, got none{near}")


def related_of(told: ToldRelated | None, space: Space, sign: float) -> tuple[RelatedResults, ...]:
    """What related experiments found, of one table or of several, in the sense of maximisation. Raises
    UsageError. Rows without a value, and those outside the parameters, are left out, with a warning.
    """
    if told is None:
        return ()
    tables: Sequence[Any] = [told] if _is_one(told) else list(told)  # type: ignore[arg-type]
    if complaint := refusal_of_many(len(tables)):
        raise UsageError(complaint)
    found = list[RelatedResults]()
    # No comprehension: its frame would lie between a warning and the line of the caller.
    for table in tables:
        found.append(_experiment(table, space, sign))
    return tuple(found)


def in_brief(related: Sequence[RelatedResults]) -> list[dict[str, object]]:
    """By what a file knows them again."""
    digests = [
        hashlib.blake2b(one.points.tobytes() + one.values.tobytes(), digest_size=8).hexdigest()
        for one in related
    ]
    return [{"results": len(one.values), "digest": d} for one, d in zip(related, digests, strict=True)]


def _is_one(told: object) -> bool:
    """Whether it is one table, and no list of such."""
    if not isinstance(told, list | tuple) or not told:
        return True
    first = told[0]
    return isinstance(first, Mapping) and not any(map(is_column, first.values()))


def _experiment(told: Rows, space: Space, sign: float) -> RelatedResults:
    columns = RelatedColumns(space, (), "value")
    rows = rows_of(told, columns)
    missing = [name for name in space.names if not any(name in row for row in rows)]
    points, values, valueless = list[Any](), list[float](), 0
    for row in rows:
        read = columns.read(row)
        if read is None or read[1].value is None:
            valueless += 1
            continue
        value, parameters = value_of(read[1].value), read[0]
        if all(name in parameters or name in (*missing, *space.conditions) for name in space.names):
            try:
                points.append(related_points(space, [parameters], missing)[0])
            except SpecError:
                continue
            values.append(sign * value)
    outside = len(rows) - valueless - len(values)
    left_out = f"{valueless} without a value, {outside} outside the parameters"
    if len(values) < FEWEST_RELATED:
        raise UsageError(
            f"expected at least {FEWEST_RELATED} results of a related experiment that lie where the"
            f" parameters may, got {len(values)} of {len(rows)} rows: {left_out}"
        )
    if valueless or outside:
        words = f"{len(values)} of {len(rows)} results of a related experiment are read: {left_out}"
        warnings.warn(words, RuntimeWarning, stacklevel=OF_CALLER)
    return RelatedResults(np.array(points), np.array(values))
