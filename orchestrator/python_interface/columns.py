"""What the columns of a table of points, or of earlier results, are called and hold.

Names are those of a run's known results, and of what `orchestrator export` writes: the parameters', that of
the value, ``variance``, ``factor_1`` and so on, and the outcomes', and ``held`` of what was asked for while
parameters were; where an experiment has such a name itself, ours has ``run.`` in front. A parameter's may
have ``params_`` in front, as Optuna writes it. Other names are left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from orchestrator.errors import UsageError
from orchestrator.parameters.kinds import ChoiceParameter
from orchestrator.parameters.space import Space
from orchestrator.python_interface.results import Result, Telling
from orchestrator.python_interface.texts import named_by, number_said, value_said
from orchestrator.spec.results.column_names import own_name
from orchestrator.spec.results.failed_states import says_failed, says_pruned
from orchestrator.spelling import did_you_mean
from orchestrator.values.curve import written_curve
from orchestrator.values.derivatives import column_of
from orchestrator.values.named import Values


@dataclass(frozen=True, slots=True)
class PointColumns:
    """What the names of a table of points stand for, in a space."""

    space: Space

    what: ClassVar[str] = "points"
    instead: ClassVar[str] = ""
    may_be_designs: ClassVar[bool] = True
    """Whether all that varies in use may be left out."""

    @property
    def example(self) -> str:
        """Of a row."""
        return '{"x": 0.5}'

    @property
    def parameters(self) -> tuple[str, ...]:
        """Their names, those of computed and fixed ones, too."""
        return (*self.space.given_names, *self.space.fixed)

    def meant(self, names: Sequence[Any]) -> dict[Any, Any]:
        """What columns of these names stand for: ``params_x``, as Optuna writes it, for ``x``, where none is
        called that.
        """
        of_optuna = {f"params_{name}": name for name in self.parameters if name not in names}
        return {name: name if name in self.parameters else of_optuna.get(name, name) for name in names}

    def require(self, names: Sequence[object]) -> None:
        """Raises UsageError if a parameter that always counts is not among the names, or any is twice."""
        known = [str(name) for name in names]
        designs = self.may_be_designs and self.space.in_use.keys().isdisjoint(known)
        spared = {*self.space.conditions, *(self.space.in_use if designs else ())}
        for name in self.space.names:
            if name not in known and name not in spared:
                near = did_you_mean(name, known)
                raise UsageError(f"expected a column for the parameter `{name}`, got none{near}")
        refuse_twice(self.parameters, known)

    def point(self, row: Mapping[str, object]) -> dict[str, object]:
        """A row's parameters, without those whose cells are empty: that stands for None where None may be
        chosen.
        """
        cells = {name: self._said(name, row[name]) for name in self.parameters if name in row}
        told = {name: None if _is_empty(cell) else cell for name, cell in cells.items()}
        return {name: value for name, value in told.items() if value is not None or self._may_be_none(name)}

    def _said(self, name: str, cell: object) -> object:
        """What a cell says that is a text."""
        if name in self.space.fixed:
            return named_by(cell, [self.space.fixed[name]])
        if name not in self.space.names:
            return number_said(cell)
        return value_said(cell, self.space.parameters[self.space.index(name)])

    def _may_be_none(self, name: str) -> bool:
        if name in self.space.fixed:
            return self.space.fixed[name] is None
        if name not in self.space.names:
            return False
        parameter = self.space.parameters[self.space.index(name)]
        return isinstance(parameter, ChoiceParameter) and any(value is None for value in parameter.values)


@dataclass(frozen=True, slots=True)
class Columns(PointColumns):
    """Those of a table of results, with ``outcomes``, where ``value`` is the value's; in ``blocks`` if so,
    with the value ``composed`` of outcomes, whatever its column has, and ``timed`` where durations count.
    """

    outcomes: tuple[str, ...]
    value: str
    blocks: bool = False
    composed: bool = False
    derivatives: tuple[str, ...] = ()
    timed: bool = False
    of_all: Mapping[str, object] = field(default_factory=dict)
    """What all results had, of which there is no column."""

    what: ClassVar[str] = "results"
    may_be_designs: ClassVar[bool] = False
    instead: ClassVar[str] = "; a single result is told as learn(parameters, value)"

    def __post_init__(self) -> None:
        if not isinstance(self.value, str):
            raise UsageError(f"expected the name of the column with the value, as text, got {self.value!r}")
        taken = "a parameter" if self.value in self.parameters else "an outcome"
        if self.value in (*self.parameters, *self.outcomes):
            raise UsageError(
                f"expected a name of its own for the column with the value, got `{self.value}`, which is"
                f' {taken}; say another, as `value="loss"`'
            )

    @property
    def example(self) -> str:
        """Of a row."""
        return f'{{"x": 0.5, "{self.value}": 1.5}}'

    def own(self, name: str) -> str:
        """What a column of ours is called."""
        return own_name(name, {*self.parameters, *self.outcomes, self.value})

    def require(self, names: Sequence[object]) -> None:
        """Raises UsageError if the value or a parameter that always counts is not among the names, or one of
        ours is twice.
        """
        if said := [str(name) for name in names if name in self.of_all]:
            raise UsageError(
                f"expected as `where` what the results do not say, got `{said[0]}`, of which they have a"
                " column; leave one of them out"
            )
        PointColumns.require(self, [*names, *self.of_all])
        known = [str(name) for name in names]
        lacking = [name for name in self.outcomes if self.composed and name not in known]
        if lacking:
            near = did_you_mean(lacking[0], known)
            raise UsageError(f"expected a column for the outcome `{lacking[0]}`, got none{near}")
        if self.value not in known and not self.composed:
            near = did_you_mean(self.value, known)
            raise UsageError(
                f'expected a column `{self.value}`, got none{near}; say which it is, as `value="loss"`'
            )
        refuse_twice((*self.outcomes, self.value), known)

    def has_text_for_numbers(self, row: Mapping[str, object]) -> bool:
        """Whether the cell of a number is a text of which it is not clear which number it is."""
        numbers = [p.name for p in self.space.parameters if not isinstance(p, ChoiceParameter)]
        return any(isinstance(number_said(row.get(name)), str) for name in (*numbers, self.value))

    def misspelt(self, names: Sequence[str]) -> list[str]:
        """A sentence on each of the names of columns that is nearly one of ours which need not be there."""
        # Reading tables of files takes a while to import.
        from orchestrator.spec.results.headings import misspelt

        ours_alone = ["variance", "state", *(["block"] if self.blocks else ())]
        ours_alone += ["seconds"] if self.timed else []
        slopes = map(column_of, self.derivatives)
        might_be = [*map(self.own, ours_alone), *self.outcomes, *self.space.conditions, *slopes]
        ours = {*self.parameters, *self.outcomes, self.value, *map(self.own, ("trial", "held")), *might_be}
        return list(misspelt(names, ours, might_be, otherwise=""))

    def read(self, row: Mapping[str, object]) -> tuple[dict[str, object], Telling] | None:
        """A row's parameters, and what it tells of them: that they failed where it has no value, or nothing
        where its state is that of one that has not failed, or that was given up early.
        """
        row = {**row, **self.of_all}
        told = {name: cell for name, cell in row.items() if not _is_empty(cell)}
        value = None if self.composed else number_said(told.get(self.value))
        measured = value is not None or (self.composed and any(name in told for name in self.outcomes))
        state = told.get(self.own("state"))
        if state is not None and (says_pruned(state) or (not measured and not says_failed(state))):
            return None
        said = {name: _outcome_said(told[name]) for name in self.outcomes if name in told}
        outcomes = {name: number for name, number in said.items() if number is not None}
        factors: list[object] = []
        while (name := self.own(f"factor_{len(factors) + 1}")) in told:
            factors.append(number_said(told[name]))
        # Of a table that was a file it may be a text.
        held = str(told.get(self.own("held"))).casefold() == "true"
        variance = number_said(told.get(self.own("variance")))
        block = told.get(self.own("block")) if self.blocks else None
        # An empty cell of a file.
        block = None if isinstance(block, str) and not block.strip() else block
        slopes = {name: number_said(told.get(column_of(name))) for name in self.derivatives}
        known = {name: number for name, number in slopes.items() if number is not None}
        seconds = number_said(told.get(self.own("seconds"))) if self.timed else None
        brought = value, variance, factors or None, outcomes
        telling = Telling(*brought, held=held, seconds=seconds, block=block, derivatives=known or None)
        return self.point(row), telling

    def rows(self, results: Sequence[Result], given: Sequence[Values]) -> list[dict[str, object]]:
        """Results, and their parameters as they are ``given``, as `read` reads them, with the numbers and the
        states of their trials.
        """
        variance = any(one.variance is not None for one in results)
        held = any(one.observation.held for one in results)
        return [self._row(one, own, variance, held) for one, own in zip(results, given, strict=True)]

    def _row(self, result: Result, given: Values, variance: bool, held: bool) -> dict[str, object]:
        row: dict[str, object] = {self.own("trial"): result.trial}
        row[self.own("state")] = "failed" if result.value is None else "completed"
        row[self.value] = result.value
        if variance:
            row[self.own("variance")] = result.variance
        if held:
            row[self.own("held")] = result.observation.held
        if self.blocks:
            row[self.own("block")] = result.observation.block or None
        if self.timed:
            row[self.own("seconds")] = result.observation.seconds
        for i, factor in enumerate(result.factors or ()):
            row[self.own(f"factor_{i + 1}")] = factor
        row |= {column_of(name): result.derivatives.get(name) for name in self.derivatives}
        row |= {**{name: result.outcomes.get(name) for name in self.outcomes}, **given}
        return row | self._extras(result, taken={*row, *self.parameters, *self._read_back(result)})

    def _extras(self, result: Result, taken: set[str]) -> dict[str, object]:
        """What came besides, none of it under a name by which something else is read back."""
        row: dict[str, object] = {}
        for name, told in result.extras.items():
            row[own_name(name, {*taken, *row})] = told
        return row

    def _read_back(self, result: Result) -> list[str]:
        factor = f"factor_{len(result.factors or ()) + 1}"
        return [self.own(name) for name in ("variance", "held", "block", "seconds", factor)]


def _outcome_said(cell: object) -> object:
    """A number, or a curve, that a text is; anything else as it came."""
    curve = written_curve(cell) if isinstance(cell, str) else None
    return number_said(cell) if curve is None else curve


def refuse_twice(names: Sequence[str], known: Sequence[str]) -> None:
    """Raises UsageError for a name that is that of several columns."""
    for name in names:
        if known.count(name) > 1:
            raise UsageError(f"expected each column once, got `{name}` {known.count(name)} times")


def _is_empty(cell: object) -> bool:
    """Whether it is what tables have where there is nothing: None, NaN, or pandas' NA and NaT."""
    if cell is None:
        return True
    try:
        # Nothing else differs from itself.
        return bool(cell != cell)
    except (TypeError, ValueError, ArithmeticError):
        return type(cell).__name__ == "NAType"
