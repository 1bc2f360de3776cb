"""Tables of related experiments that a spec names, with the tables themselves in the place of their files.

| written | stands for |
|---|---|
| ``related: old.csv`` | ``related: [old.csv]`` |
| ``related: [old.csv]`` | the table in that file, as one text: so it stands in what a run keeps |
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from orchestrator.spec.described_values import TABLE_LIMIT, TableRead
from orchestrator.spec.document.complaint import Complaint, Refusal, refusal
from orchestrator.spec.document.text_file import read_text
from orchestrator.spec.document.tree import Entry, Node


@dataclass(frozen=True, slots=True)
class RelatedFiles:
    """The tree with ``initial.related`` as a list of tables, each `written` as it was named; what was wrong;
    and the tables that were read.
    """

    tree: Node
    complaints: tuple[Complaint, ...] = ()
    tables: tuple[TableRead, ...] = ()


def read_related_files(tree: Node, folder: Path | None) -> RelatedFiles:
    """Of a spec's tree. ``folder`` is where paths start; without one none is looked for: a run has the tables
    themselves.
    """
    initial = tree.get("initial")
    related = initial.get("related") if initial else None
    if initial is None or related is None:
        return RelatedFiles(tree)
    items = (related,) if isinstance(related.content, str) else related.sequence
    if not items:
        return RelatedFiles(tree)
    kept: list[Node] = []
    complaints: list[Complaint] = []
    tables: list[TableRead] = []
    seen: set[str] = set()
    for item in items:
        kept.append(item)
        if not isinstance(item.content, str) or "\n" in item.content:
            continue
        if item.content in seen:
            complaints.append(Complaint(item.place, f"expected each file once, got `{item.content}` again"))
            continue
        seen.add(item.content)
        try:
            text = _text(item, item.content, folder)
        except Refusal as error:
            complaints += error.complaints
        else:
            tables.append(TableRead(item, text))
            kept[-1] = replace(item, content=text, written=item.content)
    listed = Entry(initial.mapping["related"].key_place, Node(related.place, tuple(kept)))
    tree = tree.having("initial", Entry(tree.mapping["initial"].key_place, initial.having("related", listed)))
    return RelatedFiles(tree, tuple(complaints), tuple(tables))


def _text(named_at: Node, name: str, folder: Path | None) -> str:
    if folder is None:
        sentence = f"expected the table that a run keeps, got the name of a file, `{name}`"
        raise refusal([Complaint(named_at.place, sentence)])
    path = folder / name
    if "\0" in name or not path.resolve().is_relative_to(folder.resolve()):
        # Whoever wrote the spec must not have its reader's other files read, and quoted.
        sentence = f"expected a CSV file in the folder of the spec, got {name}, which lies elsewhere"
        raise refusal([Complaint(named_at.place, f"{sentence}: put it beside the spec")])
    text = read_text(path, TABLE_LIMIT, named_at.place)
    # With its end, so that a table of one line is no name of a file.
    return text.rstrip("\n") + "\n"
