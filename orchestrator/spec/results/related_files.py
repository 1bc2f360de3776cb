"""Tables of related experiments that a spec names, with the tables themselves in the place of their files.

| written | stands for |
|---|---|
| ``related: old.csv`` | ``related: [old.csv]`` |
| ``related: [old.csv]`` | the table in that file, as one text: so it stands in what a run keeps |
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from orchestrator.spec.document.complaint import Complaint, Refusal
from orchestrator.spec.document.tree import Entry, Node
from orchestrator.spec.named_tables import TableRead, text_of_table
from orchestrator.spec.rewritten import Rewritten


def read_related_files(tree: Node, folder: Path | None) -> Rewritten:
    """A spec's tree with ``initial.related`` as a list of tables, each `written` as it was named. ``folder``
    is where paths start; without one none is looked for: a run has the tables themselves.
    """
    initial = tree.get("initial")
    related = initial.get("related") if initial else None
    if initial is None or related is None:
        return Rewritten(tree)
    items = (related,) if isinstance(related.content, str | dict) else related.sequence
    if not items:
        return Rewritten(tree)
    kept: list[Node] = []
    complaints: list[Complaint] = []
    tables: list[TableRead] = []
    seen: set[str] = set()
    for item in items:
        if isinstance(item.content, dict):
            sentence = "expected the name of a table, alone: it need not have a column for every parameter"
            complaints.append(Complaint(item.place, f"{sentence}, got a mapping"))
            continue
        kept.append(item)
        if not isinstance(item.content, str) or "\n" in item.content:
            continue
        if item.content in seen:
            complaints.append(Complaint(item.place, f"expected each file once, got `{item.content}` again"))
            continue
        seen.add(item.content)
        try:
            # With its end, so that a table of one line is no name of a file.
            text = text_of_table(item, folder).rstrip("\n") + "\n"
        except Refusal as error:
            complaints += error.complaints
        else:
            tables.append(TableRead(item, text))
            kept[-1] = replace(item, content=text, written=item.content)
    listed = Entry(initial.mapping["related"].key_place, Node(related.place, tuple(kept)))
    tree = tree.having("initial", Entry(tree.mapping["initial"].key_place, initial.having("related", listed)))
    return Rewritten(tree, complaints, tables=tables)
