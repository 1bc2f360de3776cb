"""Rows that are added to the candidates of a run: read, checked, and in the spec as it is amended by them.

Bounds and values that are those of a column grow with it. Those that the spec says otherwise hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from orchestrator.errors import SpecError
from orchestrator.scheduler.rules.added_candidates import Columns, row_count
from orchestrator.spec.begun.amended import keeps_to_steps
from orchestrator.spec.candidate_table import rows_of_csv
from orchestrator.spec.candidates import as_written
from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.document.csv_table import read_csv
from orchestrator.spec.document.text_file import read_text
from orchestrator.spec.document.tree import Node, Place, Source
from orchestrator.spec.model import Spec
from orchestrator.spec.named_tables import TABLE_LIMIT
from orchestrator.spec.points.told_values import expected_words, value_of
from orchestrator.spec.results.headings import Headings
from orchestrator.spec.sections.candidates import CandidateTable
from orchestrator.spec.sections.parameters import ChoiceParameter, FloatParameter, IntParameter, Parameter
from orchestrator.spelling import did_you_mean
from orchestrator.values.candidates import alike, mistake_in_counts
from orchestrator.values.finite import is_number

NO_CANDIDATES = (
    "expected a run with `candidates`, to which rows can be added, got one that may try whatever its"
    " parameters allow"
)


def read_added_candidates(spec: Spec, path: Path) -> tuple[Columns, list[str]]:
    """The rows of a CSV file that are not among a spec's candidates yet, by their columns; and what was left
    out of it, in sentences.

    Raises:
        SpecError: with every error at its place.
    """
    if spec.candidates is None:
        raise SpecError(NO_CANDIDATES)
    source = Source("--candidates", (str(path),))
    csv = read_csv(read_text(path, TABLE_LIMIT, Place(source, 1, 1)), str(path))
    table = rows_of_csv(replace(csv, header=Headings.of(spec).called(csv.header)))
    names, given = spec.candidates.columns, spec.candidates.given
    if missing := [name for name in names if name not in table.columns]:
        near = did_you_mean(missing[0], table.columns)
        top = next(iter(table.heads.values()))
        sentence = (
            f"expected the columns that the candidates have ({', '.join(names)}), got no `{missing[0]}`{near}"
        )
        raise refusal([Complaint(top, sentence)])
    cells = {
        name: [as_written(cell) for cell in table.columns[name]] if name in given else table.columns[name]
        for name in names
    }
    if empty := [
        Complaint(cell.place, f"expected a value of `{name}` in every row, got none")
        for name, column in cells.items()
        for cell in column
        if cell.content is None
    ]:
        raise refusal(empty)
    columns = {name: tuple(map(_value, column)) for name, column in cells.items()}
    known = set(_rows(spec.candidates.columns))
    new = [number for number, row in enumerate(_rows(columns)) if row not in known]
    columns = {name: tuple(values[number] for number in new) for name, values in columns.items()}
    if mistakes := list(_mistakes(spec, spec.candidates, columns)):
        raise refusal(
            Complaint(cells[name][new[row]].place if name in cells else table.rows[new[row]], sentence)
            for row, name, sentence in mistakes
        )
    remarks = []
    if alone := [name for name in table.columns if name not in names]:
        remarks.append(f"{path}: left alone, as the candidates have no such column: {', '.join(alone)}")
    if left := len(table.rows) - len(new):
        remarks.append(f"{path}: {left:,} of {len(table.rows):,} rows are among the candidates already")
    return (columns if new else {}), remarks


def _value(cell: Node) -> str | int | float | bool:
    assert isinstance(cell.content, str | int | float)
    return cell.content


def check_added(spec: Spec, columns: Columns) -> None:
    """Raises SpecError for rows that cannot be added to a spec's candidates, as they are by now."""
    if spec.candidates is None:
        raise SpecError(NO_CANDIDATES)
    if columns.keys() != spec.candidates.columns.keys():
        raise SpecError(
            f"expected the columns that the candidates have ({', '.join(spec.candidates.columns)}), got"
            f" {', '.join(columns)}"
        )
    if len({len(values) for values in columns.values()}) > 1:
        lengths = ", ".join(f"{len(values)} of `{name}`" for name, values in columns.items())
        raise SpecError(f"candidates: expected as many values in each column, got {lengths}")
    if not row_count(columns):
        raise SpecError("candidates: expected rows to be added, got none")
    for row, _, sentence in _mistakes(spec, spec.candidates, columns):
        raise SpecError(f"candidates: row {row + 1} of those to be added: {sentence}")
    if mistake := mistake_in_counts(len(spec.candidates.candidates) + row_count(columns), len(columns)):
        raise SpecError(f"candidates: {mistake}")


def with_candidates(spec: Spec, columns: Columns) -> Spec:
    """The spec with further rows among its candidates, which `check_added` lets pass."""
    if not columns or spec.candidates is None:
        return spec
    parameters = _grown(spec, spec.candidates, columns)
    whole = {name: [*values, *columns[name]] for name, values in spec.candidates.columns.items()}
    candidates = spec.candidates.model_copy(update={"columns": whole})
    return spec.model_copy(update={"parameters": parameters, "candidates": candidates})


def _rows(columns: Mapping[str, Sequence[Any]]) -> list[tuple[tuple[bool, Any], ...]]:
    return [
        tuple((isinstance(value, bool), value) for value in row)
        for row in zip(*columns.values(), strict=True)
    ]


def _mistakes(spec: Spec, table: CandidateTable, columns: Columns) -> Iterator[tuple[int, str, str]]:
    """Of each row, from 0, that cannot be added the column, empty for all of them, and what is wrong."""
    parameters, own = _grown(spec, table, columns), [name for name in columns if name not in table.given]
    for name in own:
        for row, value in enumerate(columns[name]):
            if value_of(parameters[name], value, str(value)) is None:
                yield row, name, expected_words(name, parameters[name], value)
    known = {row: number for number, row in enumerate(_rows({name: table.columns[name] for name in own}), 1)}
    there = len(table.candidates)
    for row, values in enumerate(_rows({name: columns[name] for name in own})):
        if values in known:
            yield row, "", alike(f"in row {known[values]} of all")
        known.setdefault(values, there + row + 1)
    for name in table.given:
        seen = set(map(str, table.columns[name]))
        # Else it is no name of a row, but says something of several.
        if len(seen) == len(table.columns[name]):
            for row, value in enumerate(map(str, columns[name])):
                if value in seen:
                    yield (
                        row,
                        name,
                        f"expected a name of its own as `{name}`, got {value}, which another row has",
                    )
                seen.add(value)


def _grown(spec: Spec, table: CandidateTable, columns: Columns) -> dict[str, Parameter]:
    """The parameters, those that are columns with what these add to their bounds or values."""
    return {
        name: _grown_parameter(parameter, table.columns[name], columns[name])
        if name in columns and name in table.columns
        else parameter
        for name, parameter in spec.parameters.items()
    }


def _grown_parameter(parameter: Parameter, before: Sequence[Any], more: Sequence[Any]) -> Parameter:
    if isinstance(parameter, ChoiceParameter):
        if parameter.described is not None or set(parameter.values) != set(before):
            return parameter
        values = list(dict.fromkeys([*parameter.values, *more]))
        return parameter.model_copy(update={"values": values})
    if not isinstance(parameter, FloatParameter | IntParameter) or parameter.periodic:
        return parameter
    if parameter.bounds != (min(before), max(before)):
        return parameter
    numbers = [value for value in more if is_number(value) and _may_be(parameter, value)]
    low, high = min([*parameter.bounds, *numbers]), max([*parameter.bounds, *numbers])
    if not keeps_to_steps(parameter, low, high):
        return parameter
    kind = int if isinstance(parameter, IntParameter) else float
    return parameter.model_copy(update={"bounds": (kind(low), kind(high))})


def _may_be(parameter: FloatParameter | IntParameter, value: float) -> bool:
    whole = not isinstance(parameter, IntParameter) or value == int(value)
    return whole and (parameter.scale != "log" or value > 0)
