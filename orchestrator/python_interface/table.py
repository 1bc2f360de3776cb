"""Earlier results as people have many of them: a table, columns by name, or a mapping for each result.

Names are those of a run's known results, and of what `orchestrator export` writes: the parameters', that of
the value, ``variance``, ``factor_1`` and so on, and the outcomes', and ``held`` of what was asked for while
parameters were; where an experiment has such a name itself, ours has ``run.`` in front. Other names are left
alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.parameters.space import Space
from orchestrator.python_interface.results import Reading, Result, Telling
from orchestrator.spec.column_names import own_name
from orchestrator.spec.failed_states import says_failed
from orchestrator.spelling import did_you_mean
from orchestrator.values.foreign import in_a_line

ROWS_SHOWN = 5
"""Of those that are wrong."""


class Table(Protocol):
    """As the data frames of pandas and polars are."""

    @property
    def columns(self) -> Any:
        """Their names, in order."""

    def __getitem__(self, name: Any, /) -> Any: ...


Results: TypeAlias = Table | Mapping[str, Any] | Iterable[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Columns:
    """What the names of a table stand for: in a space, with ``outcomes``, where ``value`` is the value's."""

    space: Space
    outcomes: tuple[str, ...]
    value: str

    def __post_init__(self) -> None:
        if not isinstance(self.value, str):
            raise UsageError(f"expected the name of the column with the value, as text, got {self.value!r}")
        taken = "a parameter" if self.value in self._parameters else "an outcome"
        if self.value in (*self._parameters, *self.outcomes):
            raise UsageError(
                f"expected a name of its own for the column with the value, got `{self.value}`, which is"
                f' {taken}; say another, as `value="loss"`'
            )

    @property
    def _parameters(self) -> tuple[str, ...]:
        return (*self.space.names, *self.space.fixed)

    def own(self, name: str) -> str:
        """What a column of ours is called."""
        return own_name(name, {*self._parameters, *self.outcomes, self.value})

    def require(self, names: Sequence[Any]) -> None:
        """Raises UsageError if the value or a parameter that always counts is not among the names, or one of
        ours is twice.
        """
        known = [str(name) for name in names]
        for name in self.space.names:
            if name not in known and name not in self.space.conditions:
                near = did_you_mean(name, known)
                raise UsageError(f"expected a column for the parameter `{name}`, got none{near}")
        if self.value not in known:
            near = did_you_mean(self.value, known)
            raise UsageError(
                f'expected a column `{self.value}`, got none{near}; say which it is, as `value="loss"`'
            )
        for name in (*self._parameters, *self.outcomes, self.value):
            if known.count(name) > 1:
                raise UsageError(f"expected each column once, got `{name}` {known.count(name)} times")

    def read(self, row: Mapping[str, Any]) -> tuple[dict[str, Any], Telling] | None:
        """A row's parameters, and what it tells of them: that they failed where it has no value, or nothing
        where its state is that of one that has not failed.
        """
        told = {name: cell for name, cell in row.items() if not _is_empty(cell)}
        value = told.get(self.value)
        state = told.get(self.own("state"))
        if value is None and state is not None and not says_failed(state):
            return None
        parameters = {name: told[name] for name in self._parameters if name in told}
        outcomes = {name: told[name] for name in self.outcomes if name in told}
        factors: list[Any] = []
        while (name := self.own(f"factor_{len(factors) + 1}")) in told:
            factors.append(told[name])
        # Of a table that was a file it may be a text.
        held = str(told.get(self.own("held"))).casefold() == "true"
        return parameters, Telling(
            value, told.get(self.own("variance")), factors or None, outcomes, held=held
        )

    def rows(self, results: Sequence[Result], given: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Results, and their parameters as they are ``given``, as `read` reads them, with the numbers and the
        states of their trials.
        """
        variance = any(one.variance is not None for one in results)
        held = any(one.observation.held for one in results)
        return [self._row(one, own, variance, held) for one, own in zip(results, given, strict=True)]

    def _row(self, result: Result, given: Mapping[str, Any], variance: bool, held: bool) -> dict[str, Any]:
        row: dict[str, Any] = {self.own("trial"): result.trial}
        row[self.own("state")] = "failed" if result.value is None else "completed"
        row[self.value] = result.value
        if variance:
            row[self.own("variance")] = result.variance
        if held:
            row[self.own("held")] = result.observation.held
        for i, factor in enumerate(result.factors or ()):
            row[self.own(f"factor_{i + 1}")] = factor
        return {**row, **{name: result.outcomes.get(name) for name in self.outcomes}, **given}


def rows_of(told: Any, columns: Columns) -> list[Mapping[str, Any]]:
    """A mapping for each result. Raises UsageError for what is no table, columns or list of mappings, and for
    a table that is still to be computed.
    """
    if not isinstance(told, Mapping) and callable(getattr(told, "collect", None)):
        raise UsageError(
            f"expected results that are there, got a {type(told).__name__}, which has yet to find its rows:"
            " give what its `.collect()` returns"
        )
    if not isinstance(told, Mapping) and hasattr(told, "columns"):
        names = list(told.columns)
        columns.require(names)
        return _across({name: told[name] for name in names if names.count(name) == 1})
    if isinstance(told, Mapping):
        columns.require(list(told))
        return _across(told)
    if isinstance(told, str) or not isinstance(told, Iterable):
        raise UsageError(
            "expected results as a table, as columns by their names, or as a list of mappings,"
            f" got {in_a_line(told)}"
        )
    rows = list(told)
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise UsageError(
                f'row {i}: expected a mapping, as {{"x": 0.5, "{columns.value}": 1.5}}, got {in_a_line(row)}'
            )
    if rows:
        columns.require(list(dict.fromkeys(name for row in rows for name in row)))
    return rows


def results_of(rows: Sequence[Mapping[str, Any]], columns: Columns, reading: Reading) -> list[Result]:
    """What the rows tell. Raises UsageError that says of rows, counted from 0, what is wrong with them."""
    results: list[Result] = []
    wrong: list[str] = []
    for i, row in enumerate(rows):
        try:
            if (told := columns.read(row)) is not None:
                results.append(reading.known(*told))
        except OrchestratorError as error:
            wrong.append(f"row {i}: {error}")
    if wrong:
        more = [f"and {len(wrong) - ROWS_SHOWN} more"] if len(wrong) > ROWS_SHOWN else []
        raise UsageError("\n".join([*wrong[:ROWS_SHOWN], *more]))
    return results


def _across(columns: Mapping[Any, Any]) -> list[Mapping[str, Any]]:
    """Rows of columns."""
    lists: dict[str, list[Any]] = {}
    for name, cells in columns.items():
        single = isinstance(cells, str | Mapping) or getattr(cells, "shape", None) == ()
        if single or not isinstance(cells, Iterable):
            raise UsageError(
                f"expected a column of values as `{name}`, got {in_a_line(cells)}; a single result is told as"
                " learn(parameters, value)"
            )
        lists[str(name)] = list(cells)
    lengths = {name: len(cells) for name, cells in lists.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{count} of `{name}`" for name, count in lengths.items())
        raise UsageError(f"expected as many values in each column, got {told}")
    return [dict(zip(lists, cells, strict=True)) for cells in zip(*lists.values(), strict=True)]


def _is_empty(cell: Any) -> bool:
    """Whether it is what tables have where there is nothing: None, NaN, or pandas' NA and NaT."""
    if cell is None:
        return True
    try:
        # Nothing else differs from itself.
        return bool(cell != cell)
    except (TypeError, ValueError, ArithmeticError):
        return type(cell).__name__ == "NAType"
