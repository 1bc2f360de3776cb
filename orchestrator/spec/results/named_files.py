"""Files of known results as a spec names them: by their names alone, or with what holds of all their results.

| written | stands for |
|---|---|
| ``results: old.csv`` | ``results: [old.csv]`` |
| ``results: {file: old.csv, where: {humidity: 40}}`` | as if a column `humidity` had 40 in all rows |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.document.section import shown
from orchestrator.spec.document.tree import Entry, Node
from orchestrator.spec.results.headings import is_it
from orchestrator.spec.results.roles import BLOCK, Role, names_of_the_value, parameter_names, roles_of
from orchestrator.spelling import did_you_mean, listed

FILE, WHERE = "file", "where"
KNOWN, WHERE_OPTION = "--known", "--where"
"""How a command says both."""
FORM = "`{file: old.csv, where: {humidity: 40}}`"


@dataclass(frozen=True, slots=True)
class NamedFile:
    """Where its name stands, and what each of its results had of what it has no column of."""

    named: Node
    where: Mapping[str, Entry] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its path from the spec's folder."""
        return str(self.named.content)

    @property
    def where_typed(self) -> str:
        """What each of its results had, as it is typed behind an option."""
        told = {name: entry.node.written or entry.node.content for name, entry in self.where.items()}
        return ",".join(f"{name}={value}" for name, value in told.items())


def items_of(tree: Node, results: Node) -> tuple[Node, ...]:
    """Results, and files with results, of which one may stand alone."""
    return (results,) if names_a_file(tree, results) else results.sequence


def names_a_file(tree: Node, item: Node) -> bool:
    """Whether it is meant as a file, and not as a result of an experiment that has parameters called so."""
    if isinstance(item.content, str):
        return True
    where = item.get(WHERE)
    if where is not None and isinstance(where.content, dict):
        return True
    is_result = any(key in item.mapping for key in ("parameters", *names_of_the_value(tree)))
    return FILE in item.mapping and FILE not in roles_of(tree) and not is_result


def named_file(tree: Node, item: Node) -> NamedFile:
    """What an item that names a file says. Raises SpecError with all that is wrong with it."""
    if isinstance(item.content, str):
        return NamedFile(item)
    named, where = item.get(FILE), item.get(WHERE)
    if named is None:
        near = is_it(FILE, [key for key in item.mapping if key != WHERE])
        raise refusal([Complaint(item.place, f"expected {FORM}, got no `{FILE}`{near}")])
    complaints = list(_beside(tree, item))
    if not isinstance(named.content, str):
        sentence = f"expected the name of a CSV file, got {shown(named.content)}"
        complaints.append(Complaint(named.place, sentence))
    if where is not None and not isinstance(where.content, dict):
        came = shown(where.content)
        sentence = f"expected what all results of the file had, as `{{humidity: 40}}`, got {came}"
        complaints.append(Complaint(where.place, sentence))
    told = {} if where is None else where.mapping
    complaints += _no_values(tree, told)
    if complaints:
        raise refusal(complaints)
    return NamedFile(named, told)


def said_by_both(header: Sequence[str], told: NamedFile) -> Iterator[Complaint]:
    """That a file has a column of what is said to hold of all its results."""
    for name, entry in told.where.items():
        if name in header:
            sentence = (
                f"expected of all results what {told.name} does not say, got `{name}`, of which it has a"
                " column; remove one of them"
            )
            yield Complaint(entry.key_place, sentence)


def say_so(told: NamedFile, name: str) -> str:
    """How it is said of a parameter that a file has no column of."""
    typed = told.named.place.source.name == KNOWN
    said = f"{WHERE_OPTION} {name}=…" if typed else f"`{{file: {told.name}, where: {{{name}: …}}}}`"
    return f"; if it was the same in all rows, say so, as {said}"


def _beside(tree: Node, item: Node) -> Iterator[Complaint]:
    for key, entry in item.mapping.items():
        if key not in (FILE, WHERE):
            content = entry.node.content
            is_one = key in parameter_names(tree) and isinstance(content, str | int | float)
            near = did_you_mean(key, [] if WHERE in item.mapping else [WHERE])
            near = f"; is it `where: {{{key}: {shown(content)}}}`?" if is_one else near
            sentence = f"expected beside `{FILE}` nothing but `{WHERE}`, got `{key}`{near}"
            yield Complaint(entry.key_place, sentence)


def _no_values(tree: Node, told: Mapping[str, Entry]) -> Iterator[Complaint]:
    """What is none of a parameter, or of the block."""
    known: dict[str, Role] = {
        name: role for name, role in roles_of(tree).items() if role[0] == "parameter" or role == BLOCK
    }
    for name, entry in told.items():
        content = entry.node.content
        if name not in known:
            sentence = f"expected of all results what a parameter was ({listed(known)}), got `{name}`"
            yield Complaint(entry.key_place, f"{sentence}{did_you_mean(name, known)}")
        elif not isinstance(content, str | int | float):
            came = "nothing" if content is None else "a list" if isinstance(content, tuple) else "a mapping"
            sentence = f"expected one value of `{name}`, which all results of the file had, got {came}"
            yield Complaint(entry.key_place, sentence)
