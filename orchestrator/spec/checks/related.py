"""What is wrong with tables of related experiments, and what of them is read."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.document.complaint import Complaint, Refusal
from orchestrator.spec.document.tree import Node, find_all
from orchestrator.spec.model import Spec
from orchestrator.spec.results.related_table import in_words, related_table

LONGEST_NAME = 200


def check_related(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """What cannot be read."""
    for node in find_all(tree, ("initial", "related")):
        try:
            related_table(spec, str(node.content), _name(node))
        except Refusal as error:
            yield from error.complaints


def of_related(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """Remarks: what of each is left out, and which parameters it did not have."""
    for node in find_all(tree, ("initial", "related")):
        table = related_table(spec, str(node.content), _name(node))
        if not table.is_whole:
            yield Complaint(node.place, in_words(table, _name(node)))


def _name(node: Node) -> str:
    """The file's; of a table that stands in the spec, where."""
    written = node.written
    in_a_file = written and "\n" not in written and len(written) <= LONGEST_NAME and written != node.content
    return written if in_a_file else f"the table on line {node.place.line}"
