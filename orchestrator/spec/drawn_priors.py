"""What earlier draws say of parameters, from a file, written out: each spelling becomes the one of the model.

| written | stands for |
|---|---|
| ``h0: {..., prior: earlier.csv}`` | ``prior: {draws: [...]}``, what stands in the column ``h0`` |
| ``h0: {..., prior: {draws: earlier.csv}}`` | the same |
| ``h0: {..., prior: {draws: chain.csv, weights: w}}`` | the same, rows as often as the column ``w`` says |
| ``h0: {..., prior: "h0\\n67.2\\n..."}`` | the same, of the table itself |

What several parameters have of one table was drawn together, row by row; its other columns are left alone.
In what a run keeps, each parameter has its own column.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path

from orchestrator.spec.candidate_table import CandidateRows, rows_of_csv
from orchestrator.spec.document.chain_table import read_chain
from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.document.tree import Node
from orchestrator.spec.named_columns import column_of, is_table, write_out_columns
from orchestrator.spec.named_tables import TableRead, named_table
from orchestrator.spec.rewritten import Rewritten
from orchestrator.values.finite import is_number

OF_WHAT, OF_WEIGHTS = "draws", "how often each draw counts"
COLUMNS_OF_WEIGHTS = ("weight", "weights")
"""What samplers call it, in small letters."""
OTHER_WEIGHTS = "expected the same `weights` of all parameters with draws of `{}`, as `{}` has them"


@dataclass(slots=True)
class _Tables:
    """Those that are named, each read once, and by which weights their rows are taken. ``own``: what the
    spec's parameters are called.
    """

    folder: Path | None
    called: Callable[[Sequence[str]], tuple[str, ...]]
    own: Collection[str]
    read: dict[str, tuple[CandidateRows, str | None]] = field(default_factory=dict)
    weighed: dict[str, tuple[str, str | None]] = field(default_factory=dict)

    def of(self, named: Node) -> tuple[CandidateRows, bool]:
        """The table, and whether it is of a file. Raises SpecError."""
        text = str(named.content)
        if text not in self.read:
            csv, read = named_table(named, self.folder, read_chain)
            table = rows_of_csv(replace(csv, header=self.called(csv.header)))
            self.read[text] = table, read[0].text if read else None
        table, file = self.read[text]
        return table, file is not None


@dataclass(frozen=True, slots=True)
class _Named:
    """Where a parameter names a table, or is told one, and the column of weights, if it names one."""

    table: Node
    weights: Node | None = None


def write_out_drawn(
    tree: Node, folder: Path | None, called: Callable[[Sequence[str]], tuple[str, ...]]
) -> Rewritten:
    """Of a spec's tree. ``folder`` is as for `named_table`; ``called`` says how the spec calls headings."""
    result, parameters = Rewritten(tree), tree.get("parameters")
    tables = _Tables(folder, called, {} if parameters is None else parameters.mapping)

    def column(name: str, told: Node) -> tuple[Node, Sequence[Node]] | None:
        named = _named(told)
        return None if named is None else (named.table, _drawn(result, name, named, tables))

    return write_out_columns(result, "prior", "draws", column)


def weights_left_alone(file: str, columns: Iterable[str]) -> dict[str, str]:
    """By those of a file's columns that seem to say how often rows count, the sentence that begins with what
    is so while none is named.
    """
    return {
        name: f"each row of {file} counts alike; where its column `{name}` says {OF_WEIGHTS},"
        for name in columns
        if name.casefold() in COLUMNS_OF_WEIGHTS
    }


def _named(told: Node) -> _Named | None:
    prior = told.get("prior")
    if prior is None:
        return None
    if isinstance(prior.content, str):
        return _Named(prior) if is_table(prior.content) else None
    draws = prior.get("draws")
    if (
        draws is None
        or not isinstance(draws.content, str)
        or not prior.mapping.keys() <= {"draws", "weights"}
    ):
        return None
    return _Named(draws, prior.get("weights"))


def _drawn(result: Rewritten, name: str, named: _Named, tables: _Tables) -> Sequence[Node]:
    """The draws of a parameter. Raises SpecError where there are none."""
    table, of_file = tables.of(named.table)
    cells = column_of(table, name, named.table, OF_WHAT)
    weights = None if named.weights is None else str(named.weights.content)
    columns = {name: cells}
    if named.weights is not None and weights is not None:
        columns[weights] = column_of(table, weights, named.weights, OF_WEIGHTS)
    if of_file:
        file = str(named.table.content)
        if weights is None and file not in tables.weighed:
            others = weights_left_alone(file, [one for one in table.columns if one not in tables.own])
            for column, said in others.items():
                sentence = f"{said} say `prior: {{draws: {file}, weights: {column}}}`"
                result.remarks.append(Complaint(named.table.place, sentence))
        first, theirs = tables.weighed.setdefault(file, (name, weights))
        if theirs != weights:
            sentence = OTHER_WEIGHTS.format(file, first)
            raise refusal([Complaint((named.weights or named.table).place, sentence)])
        result.tables.append(TableRead(named.table, _as_table(columns)))
    return cells if weights is None else _as_often(cells, columns[weights])


def _as_table(columns: dict[str, Sequence[Node]]) -> str:
    heads = ",".join(f'"{name}"' for name in columns)
    rows = (
        ",".join(f'"{cell.written}"' if "," in cell.written else cell.written for cell in row)
        for row in _rows(columns)
    )
    return "\n".join([heads, *rows]) + "\n"


def _rows(columns: dict[str, Sequence[Node]]) -> Iterable[tuple[Node, ...]]:
    return zip(*columns.values(), strict=True)


def _as_often(cells: Sequence[Node], weights: Sequence[Node]) -> Sequence[Node]:
    """As many as there are, each as often as its weight says, but for less than once: taken at even steps of
    the sum of the weights (systematic resampling). Raises SpecError for what is no weight.
    """
    numbers = list[float]()
    for one in weights:
        number = one.content if is_number(one.content) else None
        if not isinstance(number, int | float) or number < 0:
            sentence = f"expected a number from 0 on, {OF_WEIGHTS}, got {one.written}"
            raise refusal([Complaint(one.place, sentence)])
        numbers.append(float(number))
    until = list(accumulate(numbers))
    if not until or until[-1] <= 0.0:
        place = weights[0].place if weights else cells[0].place
        raise refusal([Complaint(place, "expected weights above 0, got none")])
    taken, row = list[Node](), 0
    for step in range(len(cells)):
        at = (step + 0.5) / len(cells) * until[-1]
        while row < len(until) - 1 and until[row] < at:
            row += 1
        taken.append(cells[row])
    return taken
