"""What a table says of a related experiment: a column for each parameter that it had too, and one of values.

Rows without a value, and those that are nothing of today's experiment, as a value of a parameter that lies
outside its bounds, are left out, and counted. Failures say nothing here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.document.csv_table import CsvTable, read_csv
from orchestrator.spec.document.tree import Place
from orchestrator.spec.model import Spec
from orchestrator.spec.points.told_values import known_value_of
from orchestrator.spec.results.csv_results import NAMED_BY_TEXT, meant_by
from orchestrator.spec.results.failed_states import says_pruned
from orchestrator.spec.results.headings import Headings
from orchestrator.spec.sections.initial import FEWEST_RELATED
from orchestrator.spec.sections.parameters import Parameter, condition_of, varies
from orchestrator.spec.sections.when import ScalarValue
from orchestrator.spelling import listed
from orchestrator.values.finite import is_number

VALUE, STATE = "value", "state"


@dataclass(frozen=True, slots=True)
class RelatedTable:
    """``rows``: values of parameters as today's have them, of those that the experiment had, and what came of
    each, in the sense of the objective. ``valueless`` rows had no value, ``elsewhere`` ones lie outside
    today's parameters, which it had but for ``missing`` ones.
    """

    rows: Sequence[tuple[Mapping[str, ScalarValue], float]]
    valueless: int
    elsewhere: int
    missing: Sequence[str]

    @property
    def left_out(self) -> int:
        """How many rows are not read."""
        return self.valueless + self.elsewhere

    @property
    def is_whole(self) -> bool:
        """Whether there is nothing to say of it."""
        return not (self.valueless or self.elsewhere or self.missing)


def related_table(spec: Spec, text: str, name: str) -> RelatedTable:
    """The table in a text; ``name`` is what it is called in errors.

    Raises SpecError where there is no column of values, or none of a parameter that is chosen, or there are
    fewer than two results.
    """
    headings, table = Headings.of(spec), read_csv(text, name)
    header = headings.called(table.header)
    varied = {name: told for name, told in spec.parameters.items() if varies(told)}
    value_names = [one for one in dict.fromkeys([spec.objective.name, VALUE]) if one not in spec.parameters]
    value_column = next((header.index(one) for one in value_names if one in header), None)
    columns = {i: one for i, one in enumerate(header) if one in varied}
    top = Place(table.source, 1, 1)
    complaints = [
        Complaint(top, f"expected each column once, got `{one}` {header.count(one)} times")
        for one in dict.fromkeys(header)
        if header.count(one) > 1 and (one in varied or one in value_names)
    ]
    if value_column is None:
        what = f"a column named {listed(value_names)}"
        complaints.append(Complaint(top, headings.missing(what, value_names, header)))
    if not columns:
        what = "a column for at least one of the parameters"
        complaints.append(Complaint(top, headings.missing(what, list(varied), header)))
    if complaints or value_column is None:
        raise refusal(complaints)
    rows: list[tuple[Mapping[str, ScalarValue], float]] = []
    valueless = elsewhere = 0
    state_column = header.index(STATE) if STATE in header and STATE not in spec.parameters else None
    for _, cells in table.rows:
        value = meant_by(("told", "value"), table.with_point(cells[value_column].strip()), None)
        pruned = state_column is not None and says_pruned(cells[state_column].strip())
        if pruned or not isinstance(value, int | float) or not is_number(value):
            valueless += 1
            continue
        there = _parameters(table, cells, columns, varied)
        if there is None:
            elsewhere += 1
        else:
            rows.append((there, float(value)))
    if len(rows) < FEWEST_RELATED:
        came = f"{len(rows)} of {len(table.rows)} rows"
        sentence = (
            f"expected at least {FEWEST_RELATED} results of a related experiment that lie where today's"
            f" parameters may, got {came}: {_left_out(valueless, elsewhere)}"
        )
        raise refusal([Complaint(top, sentence)])
    missing = [one for one in varied if one not in columns.values()]
    return RelatedTable(rows, valueless, elsewhere, missing)


def related_tables(spec: Spec) -> list[RelatedTable]:
    """That of each related experiment."""
    return [related_table(spec, text, "a related experiment") for text in spec.initial.related]


def in_words(table: RelatedTable, name: str) -> str:
    """What is read, and what is not."""
    said = f"{len(table.rows)} results of a related experiment read from {name}"
    if table.valueless or table.elsewhere:
        said += f"; left out: {_left_out(table.valueless, table.elsewhere)}"
    if table.missing:
        said += f"; it did not have {listed(table.missing, 'and')}"
    return said


def _left_out(valueless: int, elsewhere: int) -> str:
    return f"{valueless} without a value, {elsewhere} outside today's parameters"


def _parameters(
    table: CsvTable, cells: Sequence[str], columns: Mapping[int, str], varied: Mapping[str, Parameter]
) -> Mapping[str, ScalarValue] | None:
    """None where one has a value that is not today's. What does not always count may be empty."""
    there: dict[str, ScalarValue] = {}
    for i, name in columns.items():
        told = varied[name]
        own = _texts(told)
        cell = table.meant(cells[i], own or ())
        content = meant_by(("parameter", name), cell, own)
        value = None if content is None else known_value_of(told, content, cell.strip())
        if value is not None:
            there[name] = value
        elif content is not None or condition_of(told) is None:
            return None
    return there


def _texts(told: Parameter) -> Collection[str] | None:
    if told.type not in NAMED_BY_TEXT:
        return None
    return frozenset(value for value in getattr(told, "values", ()) if isinstance(value, str))
