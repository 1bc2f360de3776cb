"""The spec that a run began with: the journal's first line holds it, because a file beside it is soon edited.

Another spec would make another history of the same events. So everybody reads the one in the journal, and
the file is only compared with it: by what it means, not by its comments and spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from orchestrator.errors import SpecError
from orchestrator.runtime.folder.journal import read_header
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.spec.document.section import shown
from orchestrator.spec.document.text_file import read_text
from orchestrator.spec.document.tree import Entry, Node, Scalar
from orchestrator.spec.document.yaml_tree import read_tree
from orchestrator.spec.load import SIZE_LIMIT, LoadedSpec, load_spec_text
from orchestrator.system.shell_lines import shell_line

MAY_CHANGE = ("algorithm.options.nodes.listen",)
"""Where the run listens makes no history: a port may be taken, and a machine may have another address."""
MAY_COME_AND_GO = (
    *("listen", "workers.listen", "workers.keys", "workers.insecure"),
    *(f"workers.jobs.{key}" for key in ("queue", "script", "submit", "state", "cancel", "ended", "idle")),
)
"""Nor does who may join it, or how they are submitted: that may not have been thought of when it began."""
_ITEM = re.compile(r"\.[0-9]+\Z")
"""Behind the name of a list, which item of it a leaf is."""


def read_spec(folder: RunFolder) -> LoadedSpec:
    """The spec a run began with; what the files it names held is in the journal.

    That of the folder's file, where the journal was begun before specs were kept in it, or has lost its
    first line, and where it differs by nothing but what `MAY_CHANGE` or `MAY_COME_AND_GO`. Raises `SpecError`
    if that cannot be read.
    """
    text = _kept(folder)
    if not text or not words_on_edits(folder):
        text = read_text(folder.spec, SIZE_LIMIT)
    return load_spec_text(text, name=str(folder.spec), folder=None)


def refuse_if_edited(folder: RunFolder) -> None:
    """Raises `SpecError` where the file says something else than the spec that the run began with."""
    words = words_on_edits(folder)
    if words:
        raise SpecError(
            f"{words}. Put it back: {folder.journal.name} holds it in its first line. What may change of a "
            f"run that has begun: {shell_line('amend', folder.path)}. For all else begin a new one: "
            "orchestrator run SPEC"
        )


def put_spec_back(folder: RunFolder) -> None:
    """Write the spec that the run began with where its file is gone. Raises `JournalError` if that fails."""
    text = _kept(folder)
    if text and not folder.spec.exists():
        folder.write_spec(text)


def words_on_edits(folder: RunFolder) -> str:
    """Where the file differs first from the spec that the run began with, in a sentence; or nothing."""
    kept = _kept(folder)
    if not kept:
        return ""
    expected = "expected the spec that this run began with"
    try:
        text = read_text(folder.spec, SIZE_LIMIT)
        if text == kept:
            return ""
        now = _history_of(read_tree(text, str(folder.spec)))
    except SpecError as error:
        return f"{str(error).splitlines()[0]}, where this run began with a spec that could be read"
    line = 1
    for before, after in zip_longest(_history_of(read_tree(kept, str(folder.spec))), now):
        line = after[2] if after is not None else line
        if before is None:
            return f"{folder.spec}:{line}: {expected}, got `{after[0]}` beside"
        name, value, _ = before
        held = f"in which `{name}` is {_written(value)}"
        if after is None:
            return f"{folder.spec}:{line}: {expected}, {held}, got no more"
        if after[0] != name:
            return f"{folder.spec}:{line}: {expected}, {held}, got `{after[0]}`"
        if repr(after[1]) != repr(value) and name not in MAY_CHANGE:
            return f"{folder.spec}:{line}: {expected}, {held}, got {_written(after[1])}"
    return ""


def _kept(folder: RunFolder) -> str:
    header = read_header(folder.journal)
    return header.spec if header is not None else ""


def _history_of(spec: Node) -> list[tuple[str, Scalar, int]]:
    """The leaves of a spec that another one would make another history by."""
    leaves = _leaves(_with_local_workers_named(spec))
    return [leaf for leaf in leaves if _ITEM.sub("", leaf[0]) not in MAY_COME_AND_GO]


def _with_local_workers_named(spec: Node) -> Node:
    """``workers: 2`` says nothing else than ``workers: {local: 2}``, which has room for more."""
    workers = spec.mapping.get("workers")
    if workers is None or isinstance(workers.node.content, dict):
        return spec
    named = Node(workers.node.place, {"local": Entry(workers.key_place, workers.node)})
    return spec.having("workers", Entry(workers.key_place, named))


def _leaves(node: Node, name: str = "") -> Iterator[tuple[str, Scalar, int]]:
    """Every scalar, with the keys that lead to it and its line, in the order of the text.

    Their order counts: that of the parameters is that of the coordinates.
    """
    inner = [(key, entry.node) for key, entry in node.mapping.items()]
    inner += [(str(number), item) for number, item in enumerate(node.sequence, start=1)]
    for key, item in inner:
        yield from _leaves(item, f"{name}.{key}" if name else key)
    if not inner:
        # An empty list, or mapping, is not nothing either.
        content = node.content
        yield name, str(content) if isinstance(content, tuple | dict) else content, node.place.line


def _written(value: Scalar) -> str:
    return str(value) if isinstance(value, float) else shown(value)
