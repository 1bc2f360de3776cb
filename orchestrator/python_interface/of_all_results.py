"""What all results of a table had in parameters that it has no column of, as callers say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from orchestrator.errors import SpecError, UsageError
from orchestrator.python_interface.columns import Columns
from orchestrator.python_interface.reading import Reading
from orchestrator.spelling import did_you_mean
from orchestrator.values.foreign import in_a_line


def with_what_all_had(columns: Columns, where: Mapping[str, object] | None, reading: Reading) -> Columns:
    """The columns of a table beside which it is said. Raises UsageError for what is no value of a parameter,
    nor the block.
    """
    if where is None:
        return columns
    if not isinstance(where, Mapping):
        came = in_a_line(where)
        raise UsageError(f'expected as `where` what all results had, as {{"x": 0.5}}, got {came}')
    known = [*columns.parameters, *([columns.own("block")] if columns.blocks else [])]
    for name in where:
        if name not in known:
            near = did_you_mean(str(name), known)
            raise UsageError(f"expected as `where` parameters ({', '.join(known)}), got `{name}`{near}")
    told = columns.point(where)
    for name in columns.parameters:
        if name in where and name not in told:
            raise UsageError(f"expected as `where` a value of `{name}`, got {in_a_line(where[name])}")
    own = reading.plain(told)
    always = [one for one in columns.space.parameters if one.name not in columns.space.conditions]
    for parameter in always:
        if parameter.name in own:
            # Once, and not of every row.
            try:
                parameter.encode(parameter.nearest(parameter.as_meant(own[parameter.name])))
            except SpecError as mistake:
                raise UsageError(f"where: {mistake}") from None
    return replace(columns, of_all=dict(where))
