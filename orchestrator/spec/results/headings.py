"""What columns are called in tables that other programs wrote, and which of a spec's names they stand for.

A spec says so under ``columns``: ``{"Temp (°C)": temperature}``. A name with its unit behind it, as
``span (m)`` or ``span [m]``, needs no saying, nor one in capitals, nor ``params_span``, as Optuna writes it.
Names are compared composed: some programs write é as an e and an accent.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from unicodedata import normalize

from orchestrator.spec.document.csv_table import CsvTable, read_csv
from orchestrator.spec.document.text_file import read_text
from orchestrator.spec.document.tree import Node, Place, find_all
from orchestrator.spec.model import Spec
from orchestrator.spec.results.roles import outcome_names
from orchestrator.spelling import did_you_mean

CSV_LIMIT = 20_000_000
"""Bytes."""
NEAR = 0.8
"""How alike a heading and a name are, by their letters, of which one was probably meant to be the other."""


@dataclass(frozen=True, slots=True)
class Headings:
    """From headings, composed, to a spec's names; ``folded``: from those in small letters. ``units`` are the
    names'.
    """

    names: Mapping[str, str]
    folded: Mapping[str, str]
    units: Mapping[str, str | None]

    @classmethod
    def of(cls, spec: Spec) -> Headings:
        """Those of a spec."""
        units: dict[str, str | None] = {} if spec.blocks is None else {spec.blocks: None}
        units |= {name: one.unit for name, one in spec.parameters.items()}
        units |= {**dict.fromkeys(spec.outcomes), spec.objective.name: spec.objective.unit}
        units |= {one.name: one.unit for one in spec.further_objectives}
        return cls._of(units, spec.columns)

    @classmethod
    def in_tree(cls, tree: Node) -> Headings:
        """Those of a spec as it was written, as far as it is right."""
        parameters, columns = tree.get("parameters"), tree.get("columns")
        blocks = _text(tree.get("blocks"))
        units: dict[str, str | None] = {} if blocks is None else {blocks: None}
        if parameters is not None:
            units |= {name: _text(e.node.get("unit")) for name, e in parameters.mapping.items()}
        units |= dict.fromkeys(outcome_names(tree))
        for objective in (tree.get("objective"), *find_all(tree, ("objectives",))):
            if objective is not None and (name := _text(objective.get("name"))) is not None:
                units[name] = _text(objective.get("unit"))
        told = {heading: _text(e.node) for heading, e in columns.mapping.items()} if columns else {}
        return cls._of(units, {heading: name for heading, name in told.items() if name is not None})

    @classmethod
    def _of(cls, units: Mapping[str, str | None], columns: Mapping[str, str]) -> Headings:
        composed = {normalize("NFC", name): name for name in units}
        said = {normalize("NFC", heading.strip()): name for heading, name in columns.items()}
        with_units = {
            normalize("NFC", form.format(heading, unit)): name
            for heading, name in (*zip(units, units, strict=True), *said.items())
            if (unit := units.get(name))
            for form in ("{} ({})", "{} [{}]")
        }
        of_optuna = {normalize("NFC", f"params_{name}"): name for name in units}
        names = {**of_optuna, **with_units, **composed, **said}
        folded: dict[str, set[str]] = {}
        for heading, name in names.items():
            folded.setdefault(heading.casefold(), set()).add(name)
        return cls(names, {heading: one.pop() for heading, one in folded.items() if len(one) == 1}, units)

    def table(self, path: Path, name: str, named_at: Place | None = None) -> CsvTable:
        """The table in a file, its columns called as the spec calls them. ``name`` is the file's in errors,
        ``named_at`` where the spec names it. Raises SpecError for what cannot be read.
        """
        table = read_csv(read_text(path, CSV_LIMIT, named_at), name)
        return replace(table, header=self.called(table.header))

    def called(self, header: Sequence[str]) -> tuple[str, ...]:
        """Headings as the spec calls them."""
        # A column that is called so already is the one that is meant.
        ours = zip(header, map(self._name, header), strict=True)
        return tuple(heading if name in header else name for heading, name in ours)

    def _name(self, heading: str) -> str:
        composed = normalize("NFC", heading)
        return self.names.get(composed) or self.folded.get(composed.casefold(), heading)

    def missing(self, what: str, names: Sequence[str], header: Sequence[str], unless_near: str = "") -> str:
        """A sentence on a column that there is not, of ``what``, under any of the ``names``.

        ``unless_near`` is said as well where no column is called nearly so.
        """
        for name, heading in product(names, header):
            unit = self.units.get(name)
            if unit and re.fullmatch(rf"{re.escape(name)} *[(\[].+[)\]]", heading, re.IGNORECASE):
                how = f"convert it if need be, and call it `{name}`"
                return f"expected {what}, in {unit}, got `{heading}`; {how}"
        others = [heading for heading in header if heading not in self.units]
        near = next(filter(None, (is_it(name, others) for name in names)), "")
        how = "if it is called otherwise, rename it, or say so under `columns`"
        return f"expected {what}, got none{near}; {how}{'' if near else unless_near}"


def is_it(name: str, header: Sequence[str]) -> str:
    """Which column was probably meant for a name, as a part of a sentence; empty if none was."""
    return did_you_mean(name, header).replace("did you mean", "is it")


def misspelt(
    header: Iterable[str],
    own: Collection[str],
    might_be: Collection[str],
    otherwise: str = ", or say so under `columns`",
) -> Iterator[str]:
    """A sentence on each column that is left alone, being none of our ``own``, and is called nearly as one
    that there ``might_be`` and is not. ``otherwise``: what else can be done than to rename it.
    """
    told = list(header)
    missing = {_letters(name): name for name in might_be if name not in told}
    for heading in told:
        near = [] if heading in own else difflib.get_close_matches(_letters(heading), missing, 1, NEAR)
        if near:
            meant = missing[near[0]]
            yield f"the column `{heading}` is left alone; if it is `{meant}`, rename it{otherwise}"


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", normalize("NFC", name).casefold())


def _text(node: Node | None) -> str | None:
    return node.content if node is not None and isinstance(node.content, str) else None
